// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included by files of random kernels: registers them with check_kernels.cpp, with the buffers they are called with.

#include <cstdint>
#include <vector>

#include "spmd/random_kernels/operations.hpp"
#include "trellis/core/nd_range.hpp"

namespace trellis::random_kernels {

// On hosts, even where the default space is a GPU.
template <int D>
using nd_range = trellis::nd_range<D, DefaultHostExecutionSpace>;

struct Buffers {
  const u32* parameters;
  const u32* input;
  u32* out;
  u32* scratch[3];
};

struct Entry {
  std::uint64_t seed;
  std::vector<int> dropped;
  const char* way;
  int level;  // optimisation level
  void (*run)(const Buffers& buffers);
};

std::vector<Entry>& entries();

#if defined(TRELLIS_LEVEL)
static bool add_entry(std::uint64_t seed, const std::vector<int>& dropped, const char* way,
                      void (*run)(const Buffers&)) {
  entries().push_back({seed, dropped, way, TRELLIS_LEVEL, run});
  return true;
}
#endif

}  // namespace trellis::random_kernels
