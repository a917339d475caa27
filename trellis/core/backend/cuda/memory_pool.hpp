// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keeps freed memory of the device for reuse: allocating and freeing take about a microsecond, whereas cudaMalloc and
// cudaFree take a hundred and wait for the device. For the backend's own *.cu files.
//
// Blocks come in few size classes: powers of two up to 2 MiB, multiples of 2 MiB above; a block is reused for a request
// if it is at most an eighth too large. CUDA's own pools (cudaMallocAsync) do not serve here, because they tie memory
// to one stream, and a View does not know in which stream its last kernel runs. If only the default stream exists, a
// block may be reused at once, since its new users come after the old ones; if there are others (streams.hpp), when all
// streams have passed the point where they were when it was freed. Work that was launched other than by a dispatch must
// be complete before the Views that it uses are destroyed.
//
// TRELLIS_CUDA_POOL=0 in the environment turns reuse and rounding off, for compute-sanitizer.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace trellis::backend {

// cudaErrorMemoryAllocation if there is no such memory, even after releasing unused blocks of other sizes.
cudaError_t pool_take(void** data, std::size_t bytes);
void pool_give(void* data) noexcept;

// Returns unused blocks to the device, once all kernels are done.
void pool_trim();

// Bytes in unused blocks.
std::size_t pool_unused_bytes();

}  // namespace trellis::backend
