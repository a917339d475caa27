// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/devices.hpp"

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/memory_pool.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/error.hpp"

namespace trellis {

using namespace backend;

namespace {

std::size_t attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cuda_check(cudaDeviceGetAttribute(&value, which, device), "an attribute of a device");
  return static_cast<std::size_t>(value);
}

Device describe(int number) {
  constexpr double kilohertz = 1e3;
  cudaDeviceProp properties;
  cuda_check(cudaGetDeviceProperties(&properties, number), "properties of a device");
  Device device;
  device.name = properties.name;
  device.capability = fmt::format("{}.{}", properties.major, properties.minor);
  device.multiprocessors = properties.multiProcessorCount;
  device.clock = kilohertz * double(attribute(cudaDevAttrClockRate, number));
  device.memory_clock = kilohertz * double(attribute(cudaDevAttrMemoryClockRate, number));
  device.bytes = properties.totalGlobalMem;
  device.l2_bytes = attribute(cudaDevAttrL2CacheSize, number);
  device.ecc = attribute(cudaDevAttrEccEnabled, number) != 0;
  return device;
}

// For the current device.
std::optional<std::size_t> free_bytes() {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess) return free;
  static_cast<void>(cudaGetLastError());
  return {};
}

}  // namespace

Devices find_devices() {
  Devices all;
  int driver = 0, runtime = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  all.driver = driver == 0 ? "none" : cuda_version_text(driver);
  all.runtime = cuda_version_text(runtime);
  all.architectures = cuda_architectures();
  int count = 0, current = 0;
  try {
    require_cuda();
    cuda_check(cudaGetDeviceCount(&count), "counting devices");
    cuda_check(cudaGetDevice(&current), "the current device");
  } catch (const Error& error) {
    all.why_none = error.what();
  }
  if (!cuda_available()) return all;
  for (int number = 0; number < count; ++number) {
    all.found.push_back(describe(number));
    if (cudaSetDevice(number) == cudaSuccess) all.found.back().free_bytes = free_bytes();
  }
  static_cast<void>(cudaGetLastError());  // a device in exclusive use by another process
  cuda_check(cudaSetDevice(current), "the current device");
  return all;
}

Device current_device() {
  require_cuda();
  int number = 0;
  cuda_check(cudaGetDevice(&number), "the current device");
  Device device = describe(number);
  if (const auto free = free_bytes()) device.free_bytes = *free + pool_unused_bytes();
  return device;
}

void require_device() { require_cuda(); }

std::vector<std::string> device_identities() {
  std::vector<std::string> all;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties;
    cuda_check(cudaGetDeviceProperties(&properties, number), "properties of a device");
    // Parts of one GPU (MIG) that act as devices have different identities.
    std::string identity;
    for (const char byte : properties.uuid.bytes) identity += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    all.push_back(std::move(identity));
  }
  static_cast<void>(cudaGetLastError());
  return all;
}

void select_device(int number) {
  int current = number;
  cuda_check(cudaGetDevice(&current), "the current device");
  if (current != number) {
    pool_trim();
    drop_unused_events();
  }
  cuda_check(cudaSetDevice(number), "choosing a device");
}

}  // namespace trellis
