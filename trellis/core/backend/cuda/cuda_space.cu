// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Cuda's memory spaces.
#include <cstring>
#include <memory>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/memory_pool.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/runtime/allocation.hpp"

namespace trellis {

using namespace backend;

namespace {

constexpr double gibibyte = 1 << 30;

void deallocate_pooled(void* data, std::size_t) { pool_give(data); }
void deallocate_managed(void* data, std::size_t) { static_cast<void>(cudaFree(data)); }
void deallocate_pinned(void* data, std::size_t) { static_cast<void>(cudaFreeHost(data)); }

// How full the device is, and with what.
std::string what_is_there() {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return "";
  const auto largest = detail::largest_on_device(5);
  return fmt::format("; of the device's {:.2f} GiB {:.2f} are free{}{}", double(total) / gibibyte,
                     double(free) / gibibyte, largest.empty() ? "" : "; the largest Views there are ",
                     joined(largest, ", "));
}

// Memory allocated by `take(&data, bytes)` and set to zero by `zero_it(data, bytes)`.
template <class Take, class Zero>
Allocation* allocate_by(const char* space, std::string_view label, std::size_t bytes, bool zero, const Take& take,
                        const Zero& zero_it, void (*deallocate)(void*, std::size_t)) {
  auto owned = std::make_unique<Allocation>();
  owned->bytes = bytes;
  owned->label = label;
  owned->deallocate = deallocate;
  owned->made_in_kernel = backend::kernel_depth > 0;
  if (bytes > 0) {
    require_cuda();
    const cudaError_t code = take(&owned->data, bytes);
    if (code != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // reported here
      fail("View '{}': cannot allocate {} bytes in {} ({:.2f} GiB): {}{}", label, bytes, space,
           double(bytes) / gibibyte, cuda_words(code), code == cudaErrorMemoryAllocation ? what_is_there() : "");
    }
    try {
      if (zero) zero_it(owned->data, bytes);
    } catch (...) {
      deallocate(owned->data, bytes);
      throw;
    }
  }
  return owned.release();
}

void zero_on_device(void* data, std::size_t bytes) {
  cuda_check(cudaMemsetAsync(data, 0, bytes, cuda_stream({})), "setting memory to zero");
  if (this_capture.stream == nullptr) others_wait_for_default();
}

int attribute(cudaDeviceAttr which) {
  require_cuda();
  int device = 0;
  int value = 0;
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetAttribute(&value, which, device), "an attribute of the device");
  return value;
}

}  // namespace

int Cuda::concurrency() {
  static const int threads =
      attribute(cudaDevAttrMultiProcessorCount) * attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  return threads;
}

Allocation* allocate(CudaSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate_by(CudaSpace::name, label, bytes, zero, pool_take, zero_on_device, deallocate_pooled);
}

Allocation* allocate(CudaHostPinnedSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate_by(
      CudaHostPinnedSpace::name, label, bytes, zero, [](void** data, std::size_t n) { return cudaMallocHost(data, n); },
      [](void* data, std::size_t n) { std::memset(data, 0, n); }, deallocate_pinned);
}

// The host may access it at once, so this waits until it is zero.
Allocation* allocate(CudaManagedSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate_by(
      CudaManagedSpace::name, label, bytes, zero, [](void** data, std::size_t n) { return cudaMallocManaged(data, n); },
      [](void* data, std::size_t n) {
        zero_on_device(data, n);
        Cuda{}.fence();
      },
      deallocate_managed);
}

}  // namespace trellis
