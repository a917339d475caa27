// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a trajectory demands of a machine, for planning: for each kernel how often it runs, and what a call moves,
// computes and receives from other ranks. Bytes and flops are those that the kernels declare
// (core/profile/profile.hpp), per site of the lattice, so they do not depend on the number of ranks.
// `plan_input_test.cpp` compares them with real runs.

#include <string>
#include <vector>

#include "trellis/lattice/halo/halo.hpp"

namespace trellis::bench {

// What an exchange of ghosts sends (lattice/halo/halo.hpp).
struct HaloWork {
  double bytes = 0;      // per ghost site; 0: none
  double exchanges = 1;  // per call
  Reach reach = Reach::near;
  bool one_way = false;     // only the ghosts beyond forward faces, or beyond backward ones
  bool of_parity = false;   // half of the sites
  bool overlapped = false;  // the kernel works on inner sites meanwhile
  bool operator==(const HaloWork&) const = default;
};

struct KernelWork {
  std::string name;
  bool single = false;
  double calls = 0;                  // per trajectory
  double bytes = 0, flops = 0;       // per call and lattice site
  std::vector<HaloWork> halos = {};  // per call
  double sums = 0;                   // over all ranks, which the host waits for if there are several
  double launches = 1;               // per call
  double working_set = 0;            // bytes per site that are reused meanwhile; 0: those of the call
};

class WorkList {
 public:
  void add(const KernelWork& work);
  const std::vector<KernelWork>& kernels() const { return kernels_; }

 private:
  std::vector<KernelWork> kernels_;  // calls with the same work share an entry
};

}  // namespace trellis::bench
