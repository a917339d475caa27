// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For core's own sources: stacks of fibers. Below each lie as many bytes of inaccessible pages as the stack has, so
// that a frame larger than a page cannot reach beyond them. Stacks begin at different offsets in a page: at the same
// offset, the few lines that each fiber uses would share a few sets of the first-level cache.

#include <cstddef>
#include <vector>

#include "trellis/core/spaces.hpp"

namespace trellis::backend {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRELLIS_FIBER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRELLIS_FIBER_SANITIZER 1
#endif
#endif

#if defined(TRELLIS_FIBER_SANITIZER)
inline constexpr std::size_t fiber_stack_bytes = 256 * 1024;
#else
inline constexpr std::size_t fiber_stack_bytes = 64 * 1024;
#endif

struct FiberStack {
  std::byte* low;  // the stack is low to low + bytes, and grows downwards
  std::size_t bytes;
};

class FiberStacks {
 public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;
  ~FiberStacks();

  // Adds `count` stacks; throws Error if the system has no memory or mappings left.
  std::vector<FiberStack> add(Index count);

 private:
  struct Mapping {
    void* data;
    std::size_t bytes;
  };
  std::vector<Mapping> mappings_;
  std::size_t given_ = 0;
};

}  // namespace trellis::backend
