// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a trajectory asks of a machine, before there is one: for each kernel how often it runs, and what a call moves,
// computes and has from other ranks. Bytes and flops are those that the kernels say of themselves
// (core/profile/profile.hpp), a site of the lattice: one rank or many, they are the same. `plan_input_test.cpp` holds
// them against real runs.

#include <string>
#include <vector>

#include "trellis/lattice/halo/halo.hpp"

namespace trellis::bench {

// What an exchange of ghosts sends (lattice/halo/halo.hpp).
struct HaloWork {
  double bytes = 0;      // a ghost site; 0: none
  double exchanges = 1;  // so often in a call
  Reach reach = Reach::near;
  bool one_way = false;     // the ghosts beyond forward faces, or beyond backward ones
  bool of_parity = false;   // half of the sites
  bool overlapped = false;  // the kernel computes on sites inside meanwhile
  bool operator==(const HaloWork&) const = default;
};

struct KernelWork {
  std::string name;
  bool single = false;
  double calls = 0;                  // in a trajectory
  double bytes = 0, flops = 0;       // of a call, a site of the lattice
  std::vector<HaloWork> halos = {};  // of a call
  double sums = 0;                   // over all ranks, that the host waits for where there are several
  double launches = 1;               // of a call
  double working_set = 0;            // bytes a site that come again and again meanwhile; 0: those of the call
};

class WorkList {
 public:
  void add(const KernelWork& work);
  const std::vector<KernelWork>& kernels() const { return kernels_; }

 private:
  std::vector<KernelWork> kernels_;  // calls of the same work are one entry
};

}  // namespace trellis::bench
