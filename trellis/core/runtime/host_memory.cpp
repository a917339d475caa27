// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/host_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <new>

#include "trellis/core/runtime/allocation.hpp"

namespace trellis::host_memory {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t address_space = std::size_t{1} << 47;  // more than any process can have

struct Block {
  std::size_t bytes;
  void* data;
};

// Never destroyed: static Views are destroyed after main, in any order.
struct Blocks {
  std::mutex mutex;
  std::deque<Block> kept;  // the oldest first
  std::size_t used_bytes = 0, kept_bytes = 0;
  std::size_t most = 0;  // used_bytes at any time
};
Blocks& blocks() {
  static Blocks& only = *new Blocks;
  return only;
}

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= on_huge_pages ? huge_page : memory_alignment};
}

// Gives the oldest blocks back to the system until at most so many bytes are kept.
void keep_at_most(Blocks& all, std::size_t bytes) noexcept {
  while (all.kept_bytes > bytes) {
    const Block oldest = all.kept.front();
    all.kept.pop_front();
    all.kept_bytes -= oldest.bytes;
    give_untouched(oldest.data, oldest.bytes);
  }
}

void* take_kept_or_new(std::size_t bytes) {
  auto& all = blocks();
  const std::lock_guard lock(all.mutex);
  // The latest is the likeliest to be in a cache.
  const auto fits = std::find_if(all.kept.rbegin(), all.kept.rend(), [=](const Block& b) { return b.bytes == bytes; });
  void* data = nullptr;
  if (fits != all.kept.rend()) {
    data = fits->data;
    all.kept_bytes -= bytes;
    all.kept.erase(std::next(fits).base());
  } else {
    const std::size_t used = all.used_bytes + bytes;
    keep_at_most(all, used < all.most ? all.most - used : 0);
    data = take_untouched(bytes);
    if (data == nullptr) {
      keep_at_most(all, 0);
      data = take_untouched(bytes);
    }
    if (data == nullptr) return nullptr;
  }
  all.used_bytes += bytes;
  all.most = std::max(all.most, all.used_bytes);
  return data;
}

}  // namespace

void* take_untouched(std::size_t bytes) noexcept {
  void* const data = bytes < address_space ? ::operator new(bytes, alignment_of(bytes), std::nothrow) : nullptr;
  // Only advice: if the kernel has no huge pages available, nothing is lost.
  if (data != nullptr && bytes >= on_huge_pages) static_cast<void>(madvise(data, bytes, MADV_HUGEPAGE));
  return data;
}

void give_untouched(void* data, std::size_t bytes) noexcept { ::operator delete(data, alignment_of(bytes)); }

void* take(std::size_t bytes) noexcept {
  return keeps && bytes >= least_kept ? take_kept_or_new(bytes) : take_untouched(bytes);
}

void give(void* data, std::size_t bytes) noexcept {
  if (!keeps || bytes < least_kept) return give_untouched(data, bytes);
  auto& all = blocks();
  const std::lock_guard lock(all.mutex);
  all.used_bytes -= bytes;
  try {
    all.kept.push_back({bytes, data});
    all.kept_bytes += bytes;
  } catch (const std::bad_alloc&) {
    give_untouched(data, bytes);
  }
  keep_at_most(all, all.used_bytes);
}

std::size_t kept() {
  auto& all = blocks();
  const std::lock_guard lock(all.mutex);
  return all.kept_bytes;
}

}  // namespace trellis::host_memory
