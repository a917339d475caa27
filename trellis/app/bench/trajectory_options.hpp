// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The options of `trellis bench trajectory`, checked before anything runs.

#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/coordinate.hpp"

namespace trellis::app {

struct TrajectoryOptions {
  std::string input = {};
  std::vector<std::string> scaling = {};  // empty: both, or strong only if the start is a file
  std::vector<int> ranks = {};
  std::string grid = {}, json = {}, svg = {};
  int trajectories = 3, warm_up = 1;
  int threads = 0;  // per rank; 0: as `trellis run` would choose
};

// A number of ranks to be timed, on its own lattice.
struct TrajectoryCase {
  bool strong = true;
  int ranks = 1;
  Coordinate grid{1, 1, 1, 1};
  RunInput input;  // with the lattice of this case
};

struct TrajectoryCases {
  std::vector<TrajectoryCase> cases;  // strong scaling first, each in ascending order of ranks
  std::vector<std::string> notes;     // about what is left out
};

// input: as read from the file. Strong scaling has the input's lattice as a whole, weak scaling as each rank's part. On
// one rank they are the same, so that with one number of ranks there is only one case. Throws InputError for options
// out of range, unknown words, lattices that do not divide or whose parts are thinner than quarks hop, runs that do not
// fit into the memory, and an algorithm that has not been chosen yet; for weak scaling on several ranks also if links
// start from a file, which has a lattice of another size.
TrajectoryCases trajectory_cases(const TrajectoryOptions& options, const RunInput& input, int job_size);

}  // namespace trellis::app
