// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How threads follow bind_threads() (core/runtime/binding.hpp): they look at the start of each kernel.

#include <atomic>

namespace trellis::backend {

// How often bind_threads() was called.
inline constinit std::atomic<unsigned> binding_number = 0;

// Moves the calling thread to the place of thread `thread` of `threads`, unless it is there. Errors are ignored: the
// thread that called bind_threads has had them.
void move_to_place(int thread, int threads);

inline void follow_binding(int thread, int threads) {
  if (binding_number.load(std::memory_order_relaxed) != 0) [[unlikely]]
    move_to_place(thread, threads);
}

}  // namespace trellis::backend
