// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/group_memory.hpp"

#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/local_memory.hpp"

namespace trellis {

std::size_t LocalMemory::add(Index size, std::size_t element_bytes) {
  if (size < 0) fail("local memory: an array of {} elements", size);
  std::size_t bytes = 0, end = 0;
  const std::size_t begin = bytes_;
  if (__builtin_mul_overflow(static_cast<std::size_t>(size), element_bytes, &bytes) ||
      __builtin_add_overflow(begin, bytes, &end) || __builtin_add_overflow(end, alignment - 1, &end)) {
    fail("local memory: an array of {} elements of {} bytes", size, element_bytes);
  }
  bytes_ = end / alignment * alignment;
  return begin;
}

namespace backend {

GroupMemory::GroupMemory()
    : data_(static_cast<std::byte*>(::operator new(largest_host_local, std::align_val_t{4096}))) {}

void GroupMemory::Free::operator()(std::byte* data) const { ::operator delete(data, std::align_val_t{4096}); }

std::byte* GroupMemory::begin(std::size_t launch_bytes, bool many_threads) {
  pieces_.clear();
  used_ = launch_bytes;
  many_threads_ = many_threads;
  return data_.get();
}

void* GroupMemory::add(const void* key, std::size_t bytes, std::size_t alignment) {
  const std::size_t begin = (used_ + alignment - 1) / alignment * alignment;
  if (begin + bytes > largest_host_local) return nullptr;
  used_ = begin + bytes;
  pieces_.push_back({key, data_.get() + begin});
  return pieces_.back().at;
}

}  // namespace backend
}  // namespace trellis
