// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/spmd_arena.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

void* trellis_spmd_arena(std::size_t bytes) noexcept {
  constexpr std::size_t alignment = 64;
  thread_local std::unique_ptr<void, Free> memory;
  thread_local std::size_t size = 0;
  if (bytes > size) {
    memory.reset();
    size = (bytes + bytes / 2 + alignment - 1) / alignment * alignment;
    memory.reset(std::aligned_alloc(alignment, size));
    if (memory == nullptr) {
      std::fprintf(stderr, "trellis: error: out of memory: the work-items of a group keep %zu bytes across barriers\n",
                   bytes);
      std::abort();
    }
  }
  return memory.get();  // NOLINT(clang-analyzer-unix.Malloc): freed when the thread ends
}
