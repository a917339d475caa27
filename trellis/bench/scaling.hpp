// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How kernels scale with ranks: strongly, one lattice in more and more parts, and weakly, the same part for each rank.
// Beside what is measured there is a model,
//   T = max(T_comm, T_compute) + T_sums:
//   T_compute  what each rank takes for as many sites, on a lattice of its own, while all others do the same
//   T_comm     messages latency + bytes / bandwidth of what a rank sends, by the links (wire.hpp)
//   T_sums     of the kernel's sums over all ranks
// all in the same run. Of T_comm a part is hidden behind computing, from 0 to 1:
//   (T_comm + T_compute + T_sums - T) / min(T_comm, T_compute)
//
// A time is the median of samples; a sample is that of the slowest rank. Where kernels run on hosts all numbers of
// ranks of a series are timed in turn, and efficiencies are medians of ratios of samples that belong together; all
// their fields are in memory at the same time. GPUs are timed one number after the other. On hosts with processors to
// spare there is also the yardstick: one rank with all the threads of several.

#include <optional>
#include <vector>

#include "trellis/bench/machine/wire.hpp"
#include "trellis/bench/scaling_kernel.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct ScalingSeries {
  ScaledKernel kernel = ScaledKernel::wilson_hops;
  Precision precision = Precision::double_;
  bool strong = true;
  Coordinate size{};                    // of the lattice, or weakly of a rank's part
  std::vector<int> ranks{1};            // ascending
  std::optional<Coordinate> grid = {};  // for the number of ranks that it has
  int threads = 1;                      // of a rank, on hosts
  bool yardstick = true;

  // By comm::best_grid; weakly the extents of the grid are as equal as can be, those of t and z the largest.
  Coordinate grid_of(int count) const;
  Coordinate lattice_of(int count) const;
  // Throws InputError where a lattice does not divide.
  void require_valid() const;
};

struct ScalingFigure {
  int ranks = 1, threads = 1, lanes = 1;
  bool yardstick = false;
  Coordinate grid{1, 1, 1, 1};
  Coordinate lattice{}, local{};
  double flops = 0, bytes = 0;  // of an application, all ranks together
  double seconds = 0;           // an application
  double efficiency = 0;        // against the series' first number of ranks, a rank
  double of_yardstick = 0;      // its time over this one; 0: there is none
  // Of an application, of a rank.
  Sent sent;
  double waiting = 0;                          // for messages, by the profile of the rank that waits longest (hosts)
  double packing = 0;                          // and unpacking, and ghosts that the rank fills itself
  double compute = 0, messages = 0, sums = 0;  // T_compute, T_comm, T_sums

  double model() const;
  // Empty on one rank.
  std::optional<double> hidden() const;
};

// Times the series on the first of the ranks, which all call it; what the first one gets counts. wires: of each of its
// numbers of ranks.
std::vector<ScalingFigure> measure_scaling(const comm::Communicator& ranks, const ScalingSeries& series,
                                           const std::vector<Wire>& wires, const tuning::TimingParameters& timing);
// The same for what is no series' own.
std::vector<Wire> measure_wires(const comm::Communicator& ranks, const std::vector<int>& counts);

}  // namespace trellis::bench
