// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that kernels reach, and copies from and to it. Included by allocation.hpp.

#include <string_view>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

struct Allocation;
Allocation* allocate(CudaSpace, std::string_view label, std::size_t bytes, bool zero);
Allocation* allocate(CudaHostPinnedSpace, std::string_view label, std::size_t bytes, bool zero);
Allocation* allocate(CudaManagedSpace, std::string_view label, std::size_t bytes, bool zero);

template <MemorySpace To, MemorySpace From>
  requires(To::cuda_reaches || From::cuda_reaches)
void copy_bytes(To, void* to, From, const void* from, std::size_t bytes) {
  backend::cuda_copy(to, from, bytes);
}

}  // namespace trellis
