// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// One thread per point, blocks of 32 x 8: neighbours in a block share their reads through the first-level cache.
#include <cuda_runtime.h>

#include "examples/heat/by_hand.hpp"
#include "trellis/core/error.hpp"

namespace examples::heat::by_hand {
namespace {

__global__ void step_kernel(const double* __restrict__ u, double* __restrict__ next, long rows, long columns,
                            double r) {
  const long j = 1 + long(blockIdx.x) * blockDim.x + threadIdx.x;
  const long i = 1 + long(blockIdx.y) * blockDim.y + threadIdx.y;
  if (i >= rows - 1 || j >= columns - 1) return;
  const long at = i * columns + j;
  next[at] = u[at] + r * (u[at - columns] + u[at + columns] + u[at - 1] + u[at + 1] - 4 * u[at]);
}

unsigned blocks(long points, unsigned threads) { return static_cast<unsigned>((points + threads - 1) / threads); }

}  // namespace

void step(const double* u, double* next, long rows, long columns, double r) {
  const dim3 threads(32, 8);
  step_kernel<<<dim3(blocks(columns - 2, threads.x), blocks(rows - 2, threads.y)), threads>>>(u, next, rows, columns,
                                                                                              r);
  if (const cudaError_t code = cudaGetLastError(); code != cudaSuccess) {
    trellis::fail("by hand: {}", cudaGetErrorString(code));
  }
}

}  // namespace examples::heat::by_hand
