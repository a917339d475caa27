// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of the device that was freed, kept to serve again: taking and giving back costs about a microsecond, where
// cudaMalloc and cudaFree cost a hundred and wait for the device. For the backend's own *.cu files.
//
// Blocks have sizes of few classes: powers of two up to 2 MiB, multiples of 2 MiB above; a block serves when it is at
// most an eighth too large. That, and not CUDA's own pools (cudaMallocAsync), because these know memory by one stream,
// and a View does not know in which its last kernel runs. Where the default stream is alone, a block may serve again
// at once, since its new users come after the old; where there are others (streams.hpp), when all had come to where
// they were when it was given back. Work that was given to the device otherwise than by a dispatch must be done before
// the Views that it uses go.
//
// TRELLIS_CUDA_POOL=0 in the environment keeps nothing and rounds nothing, for compute-sanitizer.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace trellis::backend {

// cudaErrorMemoryAllocation when there is no such memory, even without what is kept here for other sizes.
cudaError_t pool_take(void** data, std::size_t bytes);
void pool_give(void* data) noexcept;

// Gives what is kept here and not used back to the device, once all kernels are done.
void pool_trim();

// Bytes kept here and not used.
std::size_t pool_unused_bytes();

}  // namespace trellis::backend
