// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <cstring>
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
void deallocate_pinned(void* data, std::size_t) { static_cast<void>(cudaFreeHost(data)); }

// Memory that `take(&data, bytes)` gives and `zero_it(data, bytes)` sets to zero.
template <class Take, class Zero>
Allocation* allocate_by(const char* space, std::string_view label, std::size_t bytes, bool zero, const Take& take,
                        const Zero& zero_it, void (*deallocate)(void*, std::size_t)) {
  auto owned = std::make_unique<Allocation>();
  owned->bytes = bytes;
  owned->label = label;
  owned->deallocate = deallocate;
  owned->made_in_kernel = backend::kernel_depth > 0;
  if (bytes > 0) {
    const cudaError_t code = take(&owned->data, bytes);
    if (code != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // it has been reported
      fail("View '{}': cannot allocate {} bytes in {}: {}", label, bytes, space, cudaGetErrorString(code));
    }
    if (zero) zero_it(owned->data, bytes);
  }
  return owned.release();
}

void zero_on_device(void* data, std::size_t bytes) {
  check(cudaMemset(data, 0, bytes), "setting memory to zero");
  // Kernels of other streams do not wait for it by themselves.
  check(cudaStreamSynchronize(nullptr), "setting memory to zero");
}

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
  if (available) check(cudaStreamSynchronize(stream), "a kernel given earlier failed");
}

void fence() {
  static const bool available = backend::cuda_available();
  if (available) check(cudaDeviceSynchronize(), "a kernel given earlier failed");
}

Instances<Cuda>::Instances(int count) {
  for (int i = 0; i < count; ++i) {
    CUstream_st* stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    streams_.push_back(stream);
  }
}

Instances<Cuda>::~Instances() {
  for (CUstream_st* stream : streams_) {
    static_cast<void>(cudaStreamSynchronize(stream));
    static_cast<void>(cudaStreamDestroy(stream));
  }
}

Allocation* allocate(CudaSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate_by(
      CudaSpace::name, label, bytes, zero, [](void** data, std::size_t n) { return cudaMalloc(data, n); },
      zero_on_device, deallocate_cuda);
}

Allocation* allocate(CudaHostPinnedSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate_by(
      CudaHostPinnedSpace::name, label, bytes, zero, [](void** data, std::size_t n) { return cudaMallocHost(data, n); },
      [](void* data, std::size_t n) { std::memset(data, 0, n); }, deallocate_pinned);
}

Allocation* allocate(CudaManagedSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate_by(
      CudaManagedSpace::name, label, bytes, zero, [](void** data, std::size_t n) { return cudaMallocManaged(data, n); },
      zero_on_device, deallocate_cuda);
}

namespace backend {

void* cuda_scratch(std::size_t bytes, CUstream_st* stream) {
  static const bool kept = keep_scratch_in_pool();
  static_cast<void>(kept);
  void* scratch = nullptr;
  check(cudaMallocAsync(&scratch, bytes, stream), "scratch memory of a kernel");
  return scratch;
}

void cuda_scratch_free(void* scratch, CUstream_st* stream) noexcept {
  static_cast<void>(cudaFreeAsync(scratch, stream));
}

void cuda_copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "a copy");
  // A copy within the device, or from pageable memory, may return before it is done.
  check(cudaStreamSynchronize(nullptr), "a copy, or a kernel before it");
}

void cuda_copy(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "a copy");
  check(cudaStreamSynchronize(stream), "a copy, or a kernel before it");
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
