// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// An error of the machine: flips one bit of the memory of a field, on the host or a GPU.

#include "trellis/core/parallel.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::test {

inline void flip_bit(void* memory, Index word, int bit) {
  auto* const words = static_cast<std::uint64_t*>(memory);
  const std::uint64_t mask = std::uint64_t(1) << bit;
  parallel_for("flip", RangePolicy<FieldSpace>(0, 1), TRELLIS_KERNEL(Index) { words[word] ^= mask; });
  fence();
}

}  // namespace trellis::test
