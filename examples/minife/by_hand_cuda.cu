// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick on a GPU. One thread per row of Ell, one warp per row of Csr; sums go through shuffles, shared memory
// and one value per block, which the last block to finish adds in order, so that the host reads a single number.
#include <cuda_runtime.h>

#include "examples/minife/by_hand.hpp"
#include "trellis/core/error.hpp"

namespace examples::minife::by_hand {
namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1024;
constexpr unsigned all_lanes = 0xffffffffu;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) trellis::fail("by hand: {}: {}", what, cudaGetErrorString(status));
}

unsigned blocks_for(long n) { return static_cast<unsigned>((n + threads - 1) / threads); }

// Partial sums on the device, and the total in memory that the host reads.
struct Scratch {
  Scratch() {
    check(cudaMalloc(&partial, most_blocks * sizeof(double)), "partial sums");
    check(cudaMalloc(&done, sizeof(unsigned)), "counter");
    check(cudaMemset(done, 0, sizeof(unsigned)), "counter");
    check(cudaMallocHost(&total, sizeof(double)), "total");
  }
  double* partial = nullptr;
  unsigned* done = nullptr;
  double* total = nullptr;
};

__device__ double sum_of_block(double value) {
  __shared__ double of_warp[threads / 32];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(all_lanes, value, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < threads / 32 ? of_warp[threadIdx.x] : 0.0;
    for (int distance = 4; distance > 0; distance /= 2) value += __shfl_down_sync(all_lanes, value, distance);
  }
  __syncthreads();
  return value;
}

// y == nullptr: the sum of x.
__global__ void __launch_bounds__(threads)
    dot_kernel(long n, const double* __restrict__ x, const double* __restrict__ y, double* partial, unsigned* done,
               double* total) {
  double sum = 0;
  const long stride = static_cast<long>(gridDim.x) * threads;
  for (long i = static_cast<long>(blockIdx.x) * threads + threadIdx.x; i < n; i += stride) {
    sum += y == nullptr ? x[i] : x[i] * y[i];
  }
  sum = sum_of_block(sum);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(done, 1u) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  double of_blocks = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) of_blocks += __ldcg(partial + b);
  of_blocks = sum_of_block(of_blocks);
  if (threadIdx.x == 0) {
    *total = of_blocks;
    *done = 0;
  }
}

__global__ void __launch_bounds__(threads)
    waxpby_kernel(long n, double alpha, const double* x, double beta, const double* y, double* w) {
  const long i = static_cast<long>(blockIdx.x) * threads + threadIdx.x;
  if (i < n) w[i] = alpha * x[i] + beta * y[i];
}

__global__ void __launch_bounds__(threads) ell_kernel(const Ell a, const double* __restrict__ x, double* y) {
  const long i = static_cast<long>(blockIdx.x) * threads + threadIdx.x;
  if (i >= a.rows) return;
  double sum = 0;
#pragma unroll
  for (int k = 0; k < 27; ++k) sum += __ldcs(a.values + k * a.rows + i) * x[__ldcs(a.columns + k * a.rows + i)];
  y[i] = sum;
}

__global__ void __launch_bounds__(threads) csr_kernel(const Csr a, const double* __restrict__ x, double* y) {
  const long i = (static_cast<long>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (i >= a.rows) return;
  double sum = 0;
  for (std::int64_t k = a.start[i] + threadIdx.x % 32; k < a.start[i + 1]; k += 32) {
    sum += a.values[k] * x[a.columns[k]];
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(all_lanes, sum, distance);
  if (threadIdx.x % 32 == 0) y[i] = sum;
}

}  // namespace

double dot(long n, const double* x, const double* y) {
  static const Scratch scratch;
  const unsigned needed = blocks_for(n);
  const unsigned blocks = needed < most_blocks ? needed : most_blocks;
  dot_kernel<<<blocks, threads>>>(n, x, y, scratch.partial, scratch.done, scratch.total);
  check(cudaGetLastError(), "dot");
  check(cudaStreamSynchronize(nullptr), "dot");
  return *scratch.total;
}

double sum(long n, const double* x) { return dot(n, x, nullptr); }

void waxpby(long n, double alpha, const double* x, double beta, const double* y, double* w) {
  waxpby_kernel<<<blocks_for(n), threads>>>(n, alpha, x, beta, y, w);
  check(cudaGetLastError(), "waxpby");
}

void multiply(const Ell& a, const double* x, double* y) {
  ell_kernel<<<blocks_for(a.rows), threads>>>(a, x, y);
  check(cudaGetLastError(), "multiply");
}

void multiply(const Csr& a, const double* x, double* y) {
  csr_kernel<<<blocks_for(32 * a.rows), threads>>>(a, x, y);
  check(cudaGetLastError(), "multiply");
}

}  // namespace examples::minife::by_hand
