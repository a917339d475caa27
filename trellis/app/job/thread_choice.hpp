// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The number of threads of a run when nobody sets it: on a small lattice, the smallest number that is as fast as all
// (tuning/thread_count.hpp). No bit of the results depends on it. If OMP_NUM_THREADS or [machine] threads is set, it is
// obeyed and nothing is tried; nor is anything tried where kernels run on a GPU.

#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::app {

class ThreadChoice {
 public:
  // Sets the number for all ranks together: each tries on its part of the lattice, and all get the largest number that
  // any rank wants, as far as they have that many. Call it before fields are made, so that each thread touches its part
  // of them first.
  ThreadChoice(const comm::ProcessGrid& grid, const Coordinate& size, int lanes, bool staggered,
               const MachineInput& machine);

  // Call between trajectories with the fraction of time that threads waited for a core (other_work.hpp): chooses again
  // when other work came, or may have gone, at most three times a minute. True if the number changed. Jobs of several
  // ranks keep their initial choice.
  bool again(double lost);

  bool is_fewer() const { return used_ < there_are_; }
  // What set the number of threads on a lattice for which this would otherwise try fewer: "machine.threads",
  // "OMP_NUM_THREADS" or both; empty if nothing did, or it would not try.
  std::string set_by() const;
  // "Using 2 of 16 threads, ...".
  std::string text() const;

 private:
  int tried(double seconds) const;

  Coordinate local_;
  int lanes_;
  bool staggered_, tries_, alone_;
  int there_are_, used_;
  std::string set_by_;
  Stopwatch since_;
};

}  // namespace trellis::app
