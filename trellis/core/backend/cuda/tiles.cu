// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

namespace {
unsigned blocks_a_multiprocessor(const void* kernel, int threads) {
  int blocks = 0;
  require_cuda();
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy of a kernel");
  return blocks < 1 ? 1 : unsigned(blocks);
}
}  // namespace

unsigned resident_blocks(const void* kernel, int threads) {
  int device = 0, multiprocessors = 0;
  const unsigned blocks = blocks_a_multiprocessor(kernel, threads);
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
             "an attribute of the device");
  return unsigned(multiprocessors) * blocks;
}

unsigned best_block(const void* kernel) {
  constexpr int half = tile_threads / 2;
  return blocks_a_multiprocessor(kernel, half) > 2 * blocks_a_multiprocessor(kernel, tile_threads) ? half
                                                                                                   : tile_threads;
}

TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors) {
  const std::uint64_t threads = std::uint64_t(tiles) * std::uint64_t(lanes) * std::uint64_t(vectors == 0 ? 1 : vectors);
  if (threads == 0 || threads > 0xffffff00u) fail("kernel '{}': {} sites and vectors at once on a GPU", name, threads);
  return {static_cast<unsigned>(threads), static_cast<unsigned>(vectors), std::countr_zero(unsigned(lanes))};
}

}  // namespace trellis::backend
