// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the CUDA backend asks of the driver, in plain C++: only its *.cu files include CUDA's own header for it. Each
// throws Error, in words that a user can act on (check.hpp), when the driver refuses.

#include <cstddef>

#include "trellis/core/spaces.hpp"

namespace trellis::backend {

// True when there is a device to run on.
bool cuda_available();

// Throws Error that says why there is none (no GPU, driver too old, program compiled for other GPUs). What touches the
// device comes through here; after the first time it costs a load.
void require_cuda();

// Where a kernel given to this space is to be launched: its stream, or the one that captures it (graph.hpp).
CUstream_st* cuda_stream(const Cuda& space);

// Throws when the kernel `name`, just given to the device, could not be launched.
void cuda_check_launch(const char* name);

// In order with the kernels of the default stream; complete on return. Between the device and memory of the host that
// is not locked in place it goes through pieces that are, by all threads, from 4 MiB on.
void cuda_copy(void* to, const void* from, std::size_t bytes);

}  // namespace trellis::backend
