// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick on a GPU: one thread per number, and for the dot product a few blocks per multiprocessor that each sum
// in shared memory; the host adds their results from memory that both can access.
#include <cuda_runtime.h>

#include "examples/stream/by_hand.hpp"
#include "trellis/core/error.hpp"

namespace examples::stream::by_hand {
namespace {

constexpr int threads = 256;

unsigned blocks(long n) { return static_cast<unsigned>((n + threads - 1) / threads); }

void check(cudaError_t code) {
  if (code != cudaSuccess) trellis::fail("by hand: {}", cudaGetErrorString(code));
}

template <class T>
__global__ void copy_kernel(const T* __restrict__ a, T* __restrict__ c, long n) {
  const long i = long(blockIdx.x) * threads + threadIdx.x;
  if (i < n) c[i] = a[i];
}

template <class T>
__global__ void mul_kernel(T* __restrict__ b, const T* __restrict__ c, T scalar, long n) {
  const long i = long(blockIdx.x) * threads + threadIdx.x;
  if (i < n) b[i] = scalar * c[i];
}

template <class T>
__global__ void add_kernel(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, long n) {
  const long i = long(blockIdx.x) * threads + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

template <class T>
__global__ void triad_kernel(T* __restrict__ a, const T* __restrict__ b, const T* __restrict__ c, T scalar, long n) {
  const long i = long(blockIdx.x) * threads + threadIdx.x;
  if (i < n) a[i] = b[i] + scalar * c[i];
}

template <class T>
__global__ void dot_kernel(const T* __restrict__ a, const T* __restrict__ b, T* block_sums, long n) {
  __shared__ T sums[threads];
  T sum = 0;
  const long stride = long(gridDim.x) * threads;
  for (long i = long(blockIdx.x) * threads + threadIdx.x; i < n; i += stride) sum += a[i] * b[i];
  sums[threadIdx.x] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sums[0];
}

// Space for the blocks' sums, on the host and visible to the device; kept until the program ends.
struct BlockSums {
  int count = 0;
  void* memory = nullptr;
  BlockSums() {
    int device = 0, processors = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    count = 8 * processors;
    check(cudaMallocHost(&memory, std::size_t(count) * sizeof(double)));
  }
};

}  // namespace

template <class T>
void copy(const T* a, T* c, long n) {
  copy_kernel<<<blocks(n), threads>>>(a, c, n);
  check(cudaGetLastError());
}

template <class T>
void mul(T* b, const T* c, T scalar, long n) {
  mul_kernel<<<blocks(n), threads>>>(b, c, scalar, n);
  check(cudaGetLastError());
}

template <class T>
void add(const T* a, const T* b, T* c, long n) {
  add_kernel<<<blocks(n), threads>>>(a, b, c, n);
  check(cudaGetLastError());
}

template <class T>
void triad(T* a, const T* b, const T* c, T scalar, long n) {
  triad_kernel<<<blocks(n), threads>>>(a, b, c, scalar, n);
  check(cudaGetLastError());
}

template <class T>
T dot(const T* a, const T* b, long n) {
  static const BlockSums sums;
  T* const partial = static_cast<T*>(sums.memory);
  dot_kernel<<<static_cast<unsigned>(sums.count), threads>>>(a, b, partial, n);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  T sum = 0;
  for (int block = 0; block < sums.count; ++block) sum += partial[block];
  return sum;
}

template void copy(const float*, float*, long);
template void copy(const double*, double*, long);
template void mul(float*, const float*, float, long);
template void mul(double*, const double*, double, long);
template void add(const float*, const float*, float*, long);
template void add(const double*, const double*, double*, long);
template void triad(float*, const float*, const float*, float, long);
template void triad(double*, const double*, const double*, double, long);
template float dot(const float*, const float*, long);
template double dot(const double*, const double*, long);

}  // namespace examples::stream::by_hand
