// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <memory>

#include "trellis/core/allocation.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"

namespace trellis {

namespace {

void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) fail("Cuda: {}: {}", what, cudaGetErrorString(code));
}

void deallocate_cuda(void* data, std::size_t) { static_cast<void>(cudaFree(data)); }

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "no device");
  check(cudaDeviceGetAttribute(&value, which, device), "a device attribute");
  return value;
}

// Scratch is taken and given back often: let its pool keep the memory.
bool keep_scratch_in_pool() {
  int device = 0;
  check(cudaGetDevice(&device), "no device");
  cudaMemPool_t pool{};
  check(cudaDeviceGetDefaultMemPool(&pool, device), "the memory pool");
  std::uint64_t threshold = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), "the memory pool");
  return true;
}

}  // namespace

int Cuda::concurrency() {
  return attribute(cudaDevAttrMultiProcessorCount) * attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

void Cuda::fence() const {
  static const bool available = backend::cuda_available();
  if (available) check(cudaDeviceSynchronize(), "a kernel given earlier failed");
}

template <>
Allocation* allocate<CudaSpace>(std::string_view label, std::size_t bytes, bool zero) {
  auto owned = std::make_unique<Allocation>();
  owned->bytes = bytes;
  owned->label = label;
  owned->deallocate = deallocate_cuda;
  if (bytes > 0) {
    const cudaError_t code = cudaMalloc(&owned->data, bytes);
    if (code != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // it has been reported
      fail("View '{}': cannot allocate {} bytes in CudaSpace: {}", label, bytes, cudaGetErrorString(code));
    }
    if (zero) check(cudaMemset(owned->data, 0, bytes), "setting memory to zero");
  }
  return owned.release();
}

namespace detail {

void copy_bytes(CudaSpace, void* to, CudaSpace, const void* from, std::size_t bytes) {
  backend::cuda_copy(to, from, bytes);
}
void copy_bytes(CudaSpace, void* to, HostSpace, const void* from, std::size_t bytes) {
  backend::cuda_copy(to, from, bytes);
}
void copy_bytes(HostSpace, void* to, CudaSpace, const void* from, std::size_t bytes) {
  backend::cuda_copy(to, from, bytes);
}

}  // namespace detail

namespace backend {

void* cuda_scratch(std::size_t bytes) {
  static const bool kept = keep_scratch_in_pool();
  static_cast<void>(kept);
  void* scratch = nullptr;
  check(cudaMallocAsync(&scratch, bytes, nullptr), "scratch memory of a kernel");
  return scratch;
}

void cuda_scratch_free(void* scratch) noexcept { static_cast<void>(cudaFreeAsync(scratch, nullptr)); }

void cuda_copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "a copy");
  // A copy within the device, or from pageable memory, may return before it is done.
  check(cudaStreamSynchronize(nullptr), "a copy, or a kernel before it");
}

void cuda_check_launch(const char* name) {
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess) fail("kernel '{}' could not be launched: {}", name, cudaGetErrorString(code));
}

bool cuda_available() {
  int devices = 0;
  const bool available = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  if (!available) static_cast<void>(cudaGetLastError());
  return available;
}

}  // namespace backend
}  // namespace trellis
