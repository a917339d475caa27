// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/memory_pool.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/backend/work_group.hpp"
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

unsigned multiprocessors_of_device() {
  require_cuda();
  static const auto count = unsigned(attribute(cudaDevAttrMultiProcessorCount));
  return count;
}

unsigned resident_blocks(const void* kernel, int threads) {
  const unsigned blocks = blocks_a_multiprocessor(kernel, threads);
  return multiprocessors_of_device() * blocks;
}

BlockLaunch best_launch(const void* kernel) {
  constexpr int half = tile_threads / 2;
  const bool smaller = blocks_a_multiprocessor(kernel, half) > 2 * blocks_a_multiprocessor(kernel, tile_threads);
  // Code compiled for devices without this feature does not wait, whatever device it is translated for.
  cudaFuncAttributes attributes{};
  cuda_check(cudaFuncGetAttributes(&attributes, kernel), "attributes of a kernel");
  return {unsigned(smaller ? half : tile_threads), attributes.ptxVersion >= 90};
}

BlockLaunch launch_with_memory(const void* kernel, int threads, std::size_t memory) {
  if (memory > largest_cuda_local)
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(memory)),
               "memory of a kernel's blocks");
  return {unsigned(threads), best_launch(kernel).closely, memory};
}

void launch_closely(const void* kernel, const BlockLaunch& launch, unsigned blocks, CUstream_st* stream,
                    void** arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(launch.threads);
  config.dynamicSmemBytes = launch.memory;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = launch.closely ? 1 : 0;
  // Stacks of the kernel's threads need memory, too, which unused blocks of the pool may occupy.
  if (cudaLaunchKernelExC(&config, kernel, arguments) == cudaErrorMemoryAllocation && this_capture.memory == nullptr) {
    static_cast<void>(cudaGetLastError());
    pool_trim();
    static_cast<void>(cudaLaunchKernelExC(&config, kernel, arguments));
  }  // cuda_check_launch reports failures
}

namespace {

__global__ void __launch_bounds__(1024) end_of_sums_kernel(const SumBins of, const int count, const SumsEnd end) {
  wait_for_previous();
  finish_sums(of, count, end);
}

}  // namespace

void launch_sums(const char* name, const void* kernel, const BlockLaunch& launch, unsigned blocks, CUstream_st* stream,
                 const SumBins& bins, int count, SumsEnd& end, std::span<void*> arguments) {
  end.by_last_block = blocks <= 2 * multiprocessors_of_device() && !end.more;
  launch_closely(kernel, launch, blocks, stream, arguments.data());
  cuda_check_launch(name);
  if (end.by_last_block || end.more) return;
  void* last[] = {const_cast<SumBins*>(&bins), &count, &end};
  const unsigned warps = std::min(32u, unsigned(count));
  launch_closely(reinterpret_cast<const void*>(&end_of_sums_kernel), {32 * warps, launch.closely}, 1, stream, last);
  cuda_check_launch(name);
}

TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors) {
  const std::uint64_t threads = std::uint64_t(tiles) * std::uint64_t(lanes) * std::uint64_t(vectors == 0 ? 1 : vectors);
  if (threads == 0 || threads > 0xffffff00u) fail("kernel '{}': {} sites and vectors at once on a GPU", name, threads);
  return {static_cast<unsigned>(threads), static_cast<unsigned>(vectors), std::countr_zero(unsigned(lanes))};
}

}  // namespace trellis::backend
