// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// An error of the machine: flips one bit of the memory of a field, on the host or a GPU. It takes no kernel, so that
// tests need not be compiled for a GPU.

#include <cstdint>

#include "trellis/core/mirror.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::test {

inline void flip_bit(void* memory, Index word, int bit) {
  const FieldView<std::uint64_t*> one(static_cast<std::uint64_t*>(memory) + word, 1);
  const auto host = create_mirror_view_and_copy(HostSpace{}, one);
  host.data()[0] ^= std::uint64_t(1) << bit;
  if constexpr (!fields_on_host) deep_copy(one, host);
}

}  // namespace trellis::test
