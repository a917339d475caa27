// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How kernels scale with the number of ranks: strong scaling, one lattice in more and more parts, and weak scaling, a
// part of the same size for each rank. Measurements are compared with a model,
//   T = max(T_comm, T_compute) + T_sums:
//   T_compute  time of each rank for the same number of sites, on its own lattice, while all others do the same
//   T_comm     messages latency + bytes / bandwidth of what a rank sends, by the links (wire.hpp)
//   T_sums     time of the kernel's sums over all ranks
// all from the same run. These do not say how much of the messages' time overlaps with computing; the part that does
// not is measured, as `waiting`.
//
// A time is the median of samples; a sample is the time of the slowest rank. If kernels run on hosts, all numbers of
// ranks of a series are timed alternately, and efficiencies are medians of ratios of corresponding samples; all their
// fields are in memory at the same time. On GPUs one number of ranks is timed after the other. If a host has enough
// processors, there is also a yardstick: one rank with all the threads of several.

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
  Coordinate size{};                    // of the lattice, or in weak scaling of a rank's part
  std::vector<int> ranks{1};            // ascending
  std::optional<Coordinate> grid = {};  // used for its number of ranks
  int threads = 1;                      // per rank, on hosts
  bool yardstick = true;
  int longest_hop = 1;  // in steps: blocks are at least as wide where they are cut

  // By comm::best_grid; for weak scaling the extents of the grid are as equal as possible, those of t and z the
  // largest.
  Coordinate grid_of(int count) const;
  Coordinate lattice_of(int count) const;
  // Throws InputError if a lattice does not divide, or a rank's part is too thin.
  void require_valid() const;
};

struct ScalingFigure {
  int ranks = 1, threads = 1, lanes = 1;
  bool yardstick = false;
  Coordinate grid{1, 1, 1, 1};
  Coordinate lattice{}, local{};
  double flops = 0, bytes = 0;  // per application, all ranks together
  double seconds = 0;           // per application
  double efficiency = 0;        // per rank, relative to the series' first number of ranks
  double of_yardstick = 0;      // ratio of the yardstick's time to this one; 0 if there is none
  // Per application and rank.
  Sent sent;
  double waiting = 0;                          // for messages, from the profile of the rank that waits longest (hosts)
  double packing = 0;                          // including unpacking, and ghosts that the rank fills itself
  double compute = 0, messages = 0, sums = 0;  // T_compute, T_comm, T_sums

  double model() const;
};

// Times the series on the first ranks; all ranks must call it, and the first one's result counts. wires: one for each
// of its numbers of ranks.
std::vector<ScalingFigure> measure_scaling(const comm::Communicator& ranks, const ScalingSeries& series,
                                           const std::vector<Wire>& wires, const tuning::TimingParameters& timing);
// Measures the wires for these numbers of ranks.
std::vector<Wire> measure_wires(const comm::Communicator& ranks, const std::vector<int>& counts);

}  // namespace trellis::bench
