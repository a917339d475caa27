// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/mutation.hpp"

namespace trellis::random_kernels {
namespace {

// Counts down to the barrier to remove.
void drop_barrier(Block& block, int& left) {
  for (std::size_t k = 0; k < block.size(); ++k) {
    if (block[k].kind == Statement::Kind::barrier && left-- == 0) {
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(k));
      return;
    }
    for (auto& b : block[k].blocks) drop_barrier(b, left);
  }
}

}  // namespace

int count_barriers(const Kernel& kernel) {
  constexpr int many = 1 << 30;
  Kernel copy = kernel;
  int left = many;
  for (auto& f : copy.functions) drop_barrier(f.body, left);
  return many - left;
}

Kernel without_barrier(Kernel kernel, int n) {
  for (auto& f : kernel.functions) drop_barrier(f.body, n);
  return kernel;
}

}  // namespace trellis::random_kernels
