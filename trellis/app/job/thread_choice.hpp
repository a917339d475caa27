// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The threads of a run when nobody says how many: the fewest that are as fast as all, where the lattice is small
// (tuning/thread_count.hpp). No bit depends on them. OMP_NUM_THREADS and [machine] threads are obeyed, and nothing
// tried; neither where kernels run on a GPU.

#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::app {

class ThreadChoice {
 public:
  // Sets their number, for all ranks together: each tries on its part of the lattice, and all have as many as the one
  // that wants most, as far as they have them. Before fields are made, of which each thread then touches its part
  // first.
  ThreadChoice(const comm::ProcessGrid& grid, const Coordinate& size, int lanes, bool staggered,
               const MachineInput& machine);

  // Between trajectories, with the share of the time that threads waited for a core (other_work.hpp): chooses anew when
  // other work came, or may have gone, at most three times a minute. True when the number changed. In jobs of several
  // ranks the choice of the start remains.
  bool again(double lost);

  bool is_fewer() const { return used_ < there_are_; }
  // "Using 2 of 16 threads, ...".
  std::string text() const;

 private:
  int tried(double seconds) const;

  Coordinate local_;
  int lanes_;
  bool staggered_, tries_, alone_;
  int there_are_, used_;
  Stopwatch since_;
};

}  // namespace trellis::app
