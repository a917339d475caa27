// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which processors the threads of host spaces run on. By default the operating system decides, and may move them.
//   bind_threads(Binding::core);      each thread stays on one core, or on its share of the cores that there are
//   bind_threads(Binding::socket);    each thread stays on the cores of one socket
//   bind_threads(Binding::none);      again wherever the process may run
// Threads are spread over the cores evenly and in their order, so neighbours share caches, and memory that a thread
// touched first stays near it. Only processors that the process could use before are used. Processes that share
// processors each say which of how many they are, and get different cores.
//
// Threads of OpenMP and Threads follow at their next kernel, also after set_thread_count(). Other threads inherit the
// place of the thread that starts them; run_anywhere() frees the calling thread from it. No bit of any result changes.
// Throws InputError if this build has no hwloc or the machine does not allow binding; nothing is bound then.

#include <vector>

namespace trellis {

enum class Binding { none, core, socket };

// This process is number `rank` of `ranks` that have the same processors.
struct SharedProcessors {
  int rank = 0, ranks = 1;
};

void bind_threads(Binding how, SharedProcessors shared = {});
Binding thread_binding();
void run_anywhere();

// The processors on which the calling thread may run, by the operating system's numbers; empty without hwloc.
std::vector<int> processors_of_this_thread();

// A core of a machine, and where bind_threads would have `threads` threads run.
struct Core {
  int socket = 0;
  std::vector<int> processors;
};
std::vector<std::vector<int>> places_of_threads(const std::vector<Core>& cores, Binding how, int threads,
                                                SharedProcessors shared = {});

}  // namespace trellis
