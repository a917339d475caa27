// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that the work-items of a group share, sized at launch (nd_range.hpp):
//   LocalMemory memory;
//   const auto tile = memory.array<float>(n);     // n floats, aligned to 64 bytes
//   ... nd_range<1>{global, local}.with(memory), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
//     float* const t = item.local(tile);
// A LocalArray is a handle, which kernels capture. The memory is uninitialised when a group begins. Throws Error if a
// length is negative or the total size overflows; whether a space has that much is checked by with().

#include <cstddef>
#include <type_traits>

#include "trellis/core/config.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

template <class T>
class LocalArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "local memory holds numbers and plain structs: nothing is constructed there");

 public:
  LocalArray() = default;
  TRELLIS_FUNCTION Index size() const { return size_; }
  TRELLIS_FUNCTION std::size_t offset() const { return offset_; }  // in bytes

 private:
  friend class LocalMemory;
  LocalArray(std::size_t offset, Index size) : offset_(offset), size_(size) {}

  std::size_t offset_ = 0;
  Index size_ = 0;
};

class LocalMemory {
 public:
  static constexpr std::size_t alignment = 64;

  template <class T>
  LocalArray<T> array(Index size) {
    static_assert(alignof(T) <= alignment, "local memory begins at multiples of 64 bytes");
    return LocalArray<T>(add(size, sizeof(T)), size);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  // Makes room for this many elements and returns the offset where it begins.
  std::size_t add(Index size, std::size_t element_bytes);

  std::size_t bytes_ = 0;
};

}  // namespace trellis
