// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels on which an input spends its time, as `trellis tune` tunes them (tuning/tuning.hpp), and how they run: as
// was tuned on this machine, or by default. No bit of the results depends on it.

#include <map>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/tuning/tuning.hpp"

namespace trellis::app {

// What a kernel is used for. Those of a chain determine the order of sites of its lattice.
enum class KernelUse {
  chain,          // in double precision: forces, with solves of staggered quarks if those are in double precision
  single,         // the same in single precision, or only solves
  hadrons,        // Wilson propagators in double precision
  hadrons_inner,  // their iterations in single precision or 16 bits
  quarks,         // staggered quarks on noise vectors
  staggered_hadrons,
  eigenvalues,
  flow  // the force that drives the gradient flow
};

// Usually one case. Of several, with different numbers of right-hand sides at once, the one that takes the least time
// for each of them runs; untuned, the first.
using InputKernels = std::map<KernelUse, std::vector<tuning::TuningCase>>;

// On a rank's part of the lattice, with `lanes` lanes of double precision (lanes_for in job.hpp) and this many threads.
InputKernels kernels_of(const RunInput& input, const comm::ProcessGrid& grid, int lanes, int threads);
InputKernels kernels_of(const MeasureInput& input, const Coordinate& size, const comm::ProcessGrid& grid, int lanes,
                        int threads);

// Of `trellis solve`: staggered quarks in double precision.
InputKernels kernels_of_solve(dirac::LinkKind quark_links, int vectors, const Coordinate& size,
                              const comm::ProcessGrid& grid, int lanes, int threads);

// Each once, in the order of their uses.
std::vector<tuning::TuningCase> different_cases(const InputKernels& kernels);

class KernelSettings {
 public:
  // Defaults for everything.
  KernelSettings() = default;
  // What the first rank's cache has. longest_hop: in steps, of any of the kernels. Collective; throws nothing: what
  // cannot be used is not used.
  KernelSettings(const InputKernels& kernels, const MachineInput& machine, const comm::Communicator& ranks,
                 int longest_hop = 1);

  // Of the lattice of the chain, or of a configuration that is measured, with machine.site_order.
  LatticeShape lattice_shape() const;
  // Of another lattice: chosen if it was not tuned.
  LatticeShape shape(KernelUse use) const;
  dirac::HopSettings settings(KernelUse use) const;
  void give_to(ObservableColumns& columns) const;

  // "2 of 3 kernels run as `trellis tune` found best"; and a line for each kernel, for the log. Empty without kernels.
  const std::string& summary() const { return summary_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  bool is_tuned(KernelUse use) const { return tunings_.contains(use); }

  Coordinate site_order_{0, 1, 2, 3};
  int longest_hop_ = 1;
  struct Found {
    int vectors;
    tuning::KernelTuning how;
    bool has_hops;  // otherwise only the shape was tuned
  };
  std::map<KernelUse, Found> tunings_;
  std::string summary_;
  std::vector<std::string> lines_;
};

}  // namespace trellis::app
