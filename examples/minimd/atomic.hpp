// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Integer counters that threads share. trellis/core/atomic.hpp takes its place.

#include <atomic>

#include "trellis/core/config.hpp"

namespace examples::minimd {

// Adds to *counter and returns what it was.
TRELLIS_FUNCTION inline int atomic_fetch_add(int* counter, int value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(counter, value);
#else
  return std::atomic_ref(*counter).fetch_add(value, std::memory_order_relaxed);
#endif
}

}  // namespace examples::minimd
