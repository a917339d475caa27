// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

unsigned resident_blocks(const void* kernel, int threads) {
  int device = 0, multiprocessors = 0, blocks = 0;
  require_cuda();
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
             "an attribute of the device");
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy of a kernel");
  return unsigned(multiprocessors) * unsigned(blocks < 1 ? 1 : blocks);
}

TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors) {
  const std::uint64_t threads = std::uint64_t(tiles) * std::uint64_t(lanes) * std::uint64_t(vectors == 0 ? 1 : vectors);
  if (threads == 0 || threads > 0xffffff00u) fail("kernel '{}': {} sites and vectors at once on a GPU", name, threads);
  return {static_cast<unsigned>(threads), static_cast<unsigned>(vectors), std::countr_zero(unsigned(lanes))};
}

}  // namespace trellis::backend
