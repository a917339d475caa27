// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/resident.hpp"

#include <algorithm>

#include "trellis/core/backend/cuda/check.hpp"

namespace trellis::backend {

namespace {

// One cluster of blocks.
cudaLaunchConfig_t cluster_launch(unsigned blocks, unsigned threads, std::size_t memory, CUstream_st* stream,
                                  cudaLaunchAttribute& attribute) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = memory;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

constexpr unsigned cluster_blocks = 16;

// Of a block, in bytes.
unsigned most_memory() {
  int device = 0, most = 0;
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "an attribute of the device");
  return static_cast<unsigned>(most);
}

}  // namespace

Index resident_threads() {
  const Index multiprocessors = multiprocessors_of_device();
  static const bool possible = [] {
    int device = 0, value = 0;
    cuda_check(cudaGetDevice(&device), "the current device");
    cuda_check(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, device), "an attribute of the device");
    return value != 0;
  }();
  return possible ? multiprocessors * resident_block_threads : 0;
}

// In a cluster, where each multiprocessor has the most threads.
unsigned resident_memory_each(Index threads) {
  static const unsigned most = most_memory();
  constexpr unsigned of_kernel = 16 << 10;  // more than any kernel has besides
  const ResidentLimits limits{cluster_blocks, most > of_kernel ? most - of_kernel : 0};
  return threads <= resident_threads() ? resident_launch("", limits, threads, most).bytes : 0;
}

ResidentLimits resident_limits(const void* kernel) {
  cudaFuncAttributes attributes{};
  cuda_check(cudaFuncGetAttributes(&attributes, kernel), "attributes of a kernel");
  const int memory = std::max(0, static_cast<int>(most_memory()) - static_cast<int>(attributes.sharedSizeBytes));
  cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, memory),
             "the memory of a kernel's blocks");
  ResidentLimits limits{0, unsigned(memory)};
  if (attributes.ptxVersion < 90 ||
      cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return limits;
  }
  cudaLaunchAttribute attribute{};
  const cudaLaunchConfig_t config =
      cluster_launch(cluster_blocks, resident_block_threads, limits.memory, nullptr, attribute);
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) != cudaSuccess) static_cast<void>(cudaGetLastError());
  if (clusters > 0) limits.blocks_of_cluster = cluster_blocks;
  return limits;
}

ResidentLaunch resident_launch(const char* name, const ResidentLimits& limits, Index threads, unsigned bytes) {
  if (threads > resident_threads())
    fail("kernel '{}': {} threads at once; at most {} on this GPU", name, threads, resident_threads());
  ResidentLaunch launch{};
  launch.in_cluster = threads <= Index(limits.blocks_of_cluster) * resident_block_threads;
  launch.blocks = launch.in_cluster ? limits.blocks_of_cluster : multiprocessors_of_device();
  const Index of_warps = 32 * Index(launch.blocks);
  const unsigned with_tiles = 32 * unsigned((threads + of_warps - 1) / of_warps);
  constexpr unsigned fewest = 128;
  launch.block_threads = launch.in_cluster ? resident_block_threads : std::max(with_tiles, fewest);
  // An odd multiple of 16: then eight threads that read 16 bytes each, at the same place of their own memory, use
  // different banks.
  constexpr unsigned line = 16;
  const unsigned lines = std::min(bytes / line + 1, limits.memory / with_tiles / line);
  launch.bytes = lines == 0 ? 0 : ((lines - 1) / 2 * 2 + 1) * line;
  launch.memory = with_tiles * launch.bytes;
  return launch;
}

void launch_resident(const char* name, const void* kernel, const ResidentLaunch& launch, CUstream_st* stream,
                     void** arguments) {
  if (launch.in_cluster) {
    cudaLaunchAttribute attribute{};
    const cudaLaunchConfig_t config =
        cluster_launch(launch.blocks, launch.block_threads, launch.memory, stream, attribute);
    static_cast<void>(cudaLaunchKernelExC(&config, kernel, arguments));
  } else {
    static_cast<void>(cudaLaunchCooperativeKernel(kernel, dim3(launch.blocks), dim3(launch.block_threads), arguments,
                                                  launch.memory, stream));
  }
  cuda_check_launch(name);
}

}  // namespace trellis::backend
