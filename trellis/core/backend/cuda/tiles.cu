// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetAttribute(&value, which, device), "an attribute of the device");
  return value;
}

unsigned blocks_a_multiprocessor(const void* kernel, int threads) {
  int blocks = 0;
  require_cuda();
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy of a kernel");
  return blocks < 1 ? 1 : unsigned(blocks);
}

}  // namespace

unsigned resident_blocks(const void* kernel, int threads) {
  const unsigned blocks = blocks_a_multiprocessor(kernel, threads);
  return unsigned(attribute(cudaDevAttrMultiProcessorCount)) * blocks;
}

unsigned best_block(const void* kernel) {
  constexpr int half = tile_threads / 2;
  return blocks_a_multiprocessor(kernel, half) > 2 * blocks_a_multiprocessor(kernel, tile_threads) ? half
                                                                                                   : tile_threads;
}

namespace {
__global__ void __launch_bounds__(join_threads)
    join_sums_kernel(const ExactSum* partial, const unsigned blocks, double* values) {
  __shared__ alignas(ExactSum) unsigned char room[join_threads / 32][sizeof(ExactSum)];
  auto* const of_warps = reinterpret_cast<ExactSum*>(room);
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  const ExactSum* const own = partial + std::size_t{blockIdx.x} * blocks;
  ExactSum sum;
  for (unsigned b = threadIdx.x; b < blocks; b += join_threads) sum.add(own[b]);
  join_in_warp(sum);
  if (lane == 0) of_warps[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = lane < join_threads / 32 ? of_warps[lane] : ExactSum();
  join_in_warp(sum);
  if (lane == 0) values[blockIdx.x] = sum.value();
}
}  // namespace

void join_partial_sums(const ExactSum* partial, unsigned blocks, unsigned vectors, double* values,
                       CUstream_st* stream) {
  join_sums_kernel<<<vectors, join_threads, 0, stream>>>(partial, blocks, values);
}

TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors) {
  const std::uint64_t threads = std::uint64_t(tiles) * std::uint64_t(lanes) * std::uint64_t(vectors == 0 ? 1 : vectors);
  if (threads == 0 || threads > 0xffffff00u) fail("kernel '{}': {} sites and vectors at once on a GPU", name, threads);
  return {static_cast<unsigned>(threads), static_cast<unsigned>(vectors), std::countr_zero(unsigned(lanes))};
}

}  // namespace trellis::backend
