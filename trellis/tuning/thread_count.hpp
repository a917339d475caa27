// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many threads a small lattice wants, found by trying. A kernel on 4^4 takes microseconds, no longer than threads
// take to meet, and where other work has the cores it waits for the last of them. No bit of a result depends on it.
//
// Tried are all the threads that there are, then half of them, and so on while that is not much slower, with what the
// work spends its time in, on a lattice of the same size: multi-shift conjugate gradients of staggered quarks beside a
// gauge force, else the force alone. What counts is the mean, because what other work takes is what the run will feel.
// Fewer than all are chosen only when two rounds say so.

#include <span>

#include "trellis/lattice/lattice.hpp"

namespace trellis::tuning {

struct ThreadTime {
  int threads = 0;
  double seconds = 0;  // of one call
};

// The fewest that are at most 3 % slower than the fastest.
int fewest_as_fast(std::span<const ThreadTime> times);

// Whether trying can pay: less than 2048 sites for each of several threads that run kernels.
bool is_small_for(const Coordinate& local_size, int threads);

// For a rank's part of a lattice, from 1 to concurrency(), which is as before when it returns. `seconds` for each
// number of threads and round: more than the system's slice of time tell more of other work. Throws InputError for
// lanes that do not divide it.
int best_thread_count(const Coordinate& local_size, int lanes, bool staggered, double seconds = 20e-3);

}  // namespace trellis::tuning
