// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds by trial how many threads are best for a small lattice. A kernel on 4^4 takes microseconds, no longer than a
// barrier between threads, and if other work occupies the cores it waits for the last of them. Results do not depend on
// it.
//
// It tries all available threads, then half of them, and so on while that is not much slower, with the dominant work on
// a lattice of the same size: multi-shift conjugate gradients of staggered quarks together with a gauge force,
// otherwise the force alone. It compares means, because the run will feel other work too. Fewer than all threads are
// chosen only if two rounds agree.

#include <span>

#include "trellis/lattice/lattice.hpp"

namespace trellis::tuning {

struct ThreadTime {
  int threads = 0;
  double seconds = 0;  // per call
};

// The smallest number that is at most 3 % slower than the fastest.
int fewest_as_fast(std::span<const ThreadTime> times);

// Whether trying may be worthwhile: less than 2048 sites for each of several threads that run kernels.
bool is_small_for(const Coordinate& local_size, int threads);

// For a rank's part of a lattice, from 1 to concurrency(), which is restored on return. `seconds` for each number of
// threads and round: more than the system's time slice shows more of the effect of other work. Throws InputError if the
// lanes do not divide it.
int best_thread_count(const Coordinate& local_size, int lanes, bool staggered, double seconds = 20e-3);

}  // namespace trellis::tuning
