// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The CUDA backend's calls to the driver, in plain C++: only its *.cu files include CUDA's own header for them. If the
// driver fails, each throws Error with a message that tells the user what to do (check.hpp).

#include <cstddef>

#include "trellis/core/spaces.hpp"

namespace trellis::backend {

// True if there is a device to run on.
bool cuda_available();

// Throws Error that says why there is no device (no GPU, driver too old, program compiled for other GPUs). All code
// that uses the device calls this first; after the first time it costs a load.
void require_cuda();

// The stream in which a kernel given to this space must be launched: its own, or the one that captures it (graph.hpp).
CUstream_st* cuda_stream(const Cuda& space);

// Throws if the kernel `name`, just launched, could not be launched.
void cuda_check_launch(const char* name);

// In order with the kernels of the default stream; complete on return. Copies of 4 MiB and more between the device and
// pageable host memory go through pinned buffers, filled by all threads.
void cuda_copy(void* to, const void* from, std::size_t bytes);

}  // namespace trellis::backend
