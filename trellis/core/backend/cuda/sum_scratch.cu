// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/sum_scratch.hpp"

#include <cuda_runtime_api.h>

#include <bit>
#include <map>
#include <mutex>

#include "trellis/core/error.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

namespace {

void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) fail("Cuda: {}: {}", what, cudaGetErrorString(code));
}

struct Room {
  unsigned partials = 0;
  SumScratch scratch{};
};

}  // namespace

// Never given back: streams are few, and static Views may still be summed over when a program ends.
SumScratch sum_scratch(CUstream_st* stream, unsigned partials, unsigned totals) {
  static std::mutex mutex;
  static auto& rooms = *new std::map<CUstream_st*, Room>;
  constexpr unsigned most_totals = 64;
  if (totals > most_totals) fail("{} sums at once; at most {}", totals, most_totals);
  const std::scoped_lock lock(mutex);
  Room& room = rooms[stream];
  if (room.scratch.totals == nullptr) {
    check(cudaMallocHost(&room.scratch.totals, most_totals * sizeof(ExactSum)), "memory for sums");
    check(cudaMalloc(&room.scratch.finished, sizeof(unsigned)), "memory for sums");
    check(cudaMemsetAsync(room.scratch.finished, 0, sizeof(unsigned), stream), "memory for sums");
  }
  if (room.partials < partials) {
    check(cudaStreamSynchronize(stream), "a kernel given earlier failed");
    if (room.scratch.partial != nullptr) check(cudaFree(room.scratch.partial), "memory for sums");
    check(cudaMalloc(&room.scratch.partial, std::size_t(partials) * sizeof(ExactSum)), "memory for sums");
    room.partials = partials;
  }
  return room.scratch;
}

void wait_for_sums(CUstream_st* stream, const SumScratch& scratch, std::span<double> totals) {
  check(cudaStreamSynchronize(stream), "a sum, or a kernel before it, failed");
  for (std::size_t k = 0; k < totals.size(); ++k) totals[k] = scratch.totals[k].value();
}

unsigned resident_blocks(const void* kernel, int threads) {
  int device = 0, multiprocessors = 0, blocks = 0;
  check(cudaGetDevice(&device), "no device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "a device attribute");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy of a kernel");
  return unsigned(multiprocessors) * unsigned(blocks < 1 ? 1 : blocks);
}

TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors) {
  const std::uint64_t threads = std::uint64_t(tiles) * std::uint64_t(lanes) * std::uint64_t(vectors == 0 ? 1 : vectors);
  if (threads == 0 || threads > 0xffffff00u) fail("kernel '{}': {} sites and vectors at once on a GPU", name, threads);
  return {static_cast<unsigned>(threads), static_cast<unsigned>(vectors), std::countr_zero(unsigned(lanes))};
}

}  // namespace trellis::backend
