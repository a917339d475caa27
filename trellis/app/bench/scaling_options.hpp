// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The options of `trellis bench scaling`, checked before anything runs.

#include <optional>
#include <string>
#include <vector>

#include "trellis/bench/scaling.hpp"

namespace trellis::app {

struct ScalingOptions {
  // Empty: as many as possible, whatever suits the machine.
  std::vector<std::string> kernels{"wilson", "staggered", "gauge-force", "cg"}, precisions{"double", "single"};
  std::vector<std::string> strong = {}, weak = {};
  std::vector<int> ranks = {};
  std::string grid = {}, json = {}, svg = {};
  int threads = 0;  // per rank; 0: unchanged
  double seconds = 0.2;
  bool no_yardstick = false;
};

// One series after the other, those of a lattice and precision together, for a job of `job_size` ranks. Throws
// InputError for unknown words, values out of range, lattices that do not divide, a grid with another number of ranks.
std::vector<bench::ScalingSeries> scaling_series(const ScalingOptions& options, int job_size);

// For benchmarks of several ranks, `command` in messages: --ranks, by default powers of two and all of the job, in
// ascending order; and --grid, empty for none, which has one of these numbers of ranks. Throw InputError.
std::vector<int> ranks_to_time(const std::string& command, std::vector<int> ranks, int job_size);
std::optional<Coordinate> grid_to_time(const std::string& command, const std::string& text,
                                       const std::vector<int>& ranks);

}  // namespace trellis::app
