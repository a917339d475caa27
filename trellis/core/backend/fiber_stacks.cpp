// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/fiber_stacks.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "trellis/core/error.hpp"

namespace trellis::backend {

namespace {
constexpr std::size_t page = 4096;
// One page more than twice the stack: stacks at multiples of a power of two would share sets of the outer caches, too.
constexpr std::size_t stride = 2 * fiber_stack_bytes + page;
}  // namespace

std::vector<FiberStack> FiberStacks::add(Index count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * stride;
  void* const data = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) fail("stacks of {} fibers, {} bytes of addresses: {}", count, bytes, std::strerror(errno));
  mappings_.push_back({data, bytes});
  std::vector<FiberStack> stacks;
  for (Index i = 0; i < count; ++i) {
    std::byte* const low = static_cast<std::byte*>(data) + static_cast<std::size_t>(i) * stride + fiber_stack_bytes;
    if (mprotect(low, fiber_stack_bytes + page, PROT_READ | PROT_WRITE) != 0) {
      fail(
          "stacks of {} fibers in a thread: {} (vm.max_map_count limits the mappings of a process, and a stack "
          "takes two)",
          count, std::strerror(errno));
    }
    constexpr std::size_t line = 64, lines = page / line;
    const std::size_t shift = (given_ * 13 + given_ / lines) % lines * line;
    stacks.push_back({low, fiber_stack_bytes + shift});
    ++given_;
  }
  return stacks;
}

FiberStacks::~FiberStacks() {
  for (const Mapping& mapping : mappings_) munmap(mapping.data, mapping.bytes);
}

}  // namespace trellis::backend
