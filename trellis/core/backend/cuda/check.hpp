// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// CUDA errors as text: one line that says what happened and what to do. Only for the backend's own *.cu files, as it
// includes CUDA's header.

#include <cuda_runtime_api.h>

#include <string>

namespace trellis::backend {

// For an error of an allocation, a copy or a kernel.
std::string cuda_words(cudaError_t code);

// Why there is no usable device, from the result of cudaGetDeviceCount() and the CUDA versions (1000 major + 10 minor)
// of driver and runtime; the driver's is 0 if there is none.
std::string no_device_words(cudaError_t code, int driver, int runtime);

// Why this program cannot run on an existing device: `capability` is 90 for 9.0.
std::string wrong_architecture_words(const std::string& device, int capability);

// The architectures that the program was compiled for: "8.0, 9.0".
std::string cuda_architectures();

// "13.0" for 13000.
std::string cuda_version_text(int version);

// Throws Error("Cuda: <what>: <words>").
void cuda_check(cudaError_t code, const char* what);

}  // namespace trellis::backend
