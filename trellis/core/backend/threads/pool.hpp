// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The threads of the space Threads: a pool of std::thread that grows to the number that a dispatch needs, and waits
// between dispatches: at first for some microseconds without giving up its cores, then asleep. The caller of a dispatch
// is its first thread. One dispatch runs at a time: another thread's waits for it. A dispatch within a kernel of
// Threads has one thread. Workers leave signals to the program's other threads, and the pool lives until the program
// ends; a forked process makes its own.

#include "trellis/core/backend/host_threads/over_threads.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::backend {

HostThreads host_threads(const Threads&);

// How many threads a dispatch uses from now on (set_thread_count()).
void set_pool_threads(int count);

}  // namespace trellis::backend
