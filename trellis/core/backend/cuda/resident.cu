// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/resident.hpp"

#include <algorithm>

#include "trellis/core/backend/cuda/check.hpp"

namespace trellis::backend {

namespace {

// One cluster of blocks.
cudaLaunchConfig_t cluster_launch(unsigned blocks, unsigned threads, CUstream_st* stream,
                                  cudaLaunchAttribute& attribute) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
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

unsigned blocks_of_cluster(const void* kernel) {
  constexpr unsigned blocks = 16;
  cudaFuncAttributes attributes{};
  cuda_check(cudaFuncGetAttributes(&attributes, kernel), "attributes of a kernel");
  if (attributes.ptxVersion < 90 ||
      cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  cudaLaunchAttribute attribute{};
  const cudaLaunchConfig_t config = cluster_launch(blocks, resident_block_threads, nullptr, attribute);
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) != cudaSuccess) static_cast<void>(cudaGetLastError());
  return clusters > 0 ? blocks : 0;
}

void launch_resident(const char* name, const void* kernel, Index threads, unsigned of_cluster, CUstream_st* stream,
                     void** arguments) {
  if (threads > resident_threads())
    fail("kernel '{}': {} threads at once; at most {} on this GPU", name, threads, resident_threads());
  if (of_cluster != 0) {
    cudaLaunchAttribute attribute{};
    const cudaLaunchConfig_t config = cluster_launch(of_cluster, resident_block_threads, stream, attribute);
    static_cast<void>(cudaLaunchKernelExC(&config, kernel, arguments));
  } else {
    const unsigned blocks = multiprocessors_of_device();
    const auto warps = unsigned((threads + 32 * Index(blocks) - 1) / (32 * Index(blocks)));
    constexpr unsigned fewest = 4, most = resident_block_threads / 32;
    const dim3 block(32 * std::clamp(warps, fewest, most));
    static_cast<void>(cudaLaunchCooperativeKernel(kernel, dim3(blocks), block, arguments, 0, stream));
  }
  cuda_check_launch(name);
}

}  // namespace trellis::backend
