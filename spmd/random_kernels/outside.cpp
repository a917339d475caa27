// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/operations.hpp"

namespace trellis::random_kernels {

u32 outside(u32 a, u32 b) noexcept {
  a ^= b * 0x9e3779b9U;
  a ^= a >> 15;
  return a * 0x85ebca6bU;
}

}  // namespace trellis::random_kernels
