// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/check.hpp"

#include <array>
#include <cstdlib>
#include <vector>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis::backend {

namespace {

constexpr std::array architectures{__CUDA_ARCH_LIST__};  // 900 is 9.0

__global__ void any_kernel() {}

// Creates the device's context and checks that the program has code for it.
void find_device() {
  int devices = 0;
  const cudaError_t found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess || devices == 0) {
    static_cast<void>(cudaGetLastError());  // reported here
    int driver = 0, runtime = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    static_cast<void>(cudaRuntimeGetVersion(&runtime));
    fail("{}", no_device_words(found == cudaSuccess ? cudaErrorNoDevice : found, driver, runtime));
  }
  cuda_check(cudaFree(nullptr), "the GPU cannot be used");
  cudaFuncAttributes attributes;
  const cudaError_t code = cudaFuncGetAttributes(&attributes, any_kernel);
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction ||
      code == cudaErrorUnsupportedPtxVersion || code == cudaErrorInvalidPtx) {
    static_cast<void>(cudaGetLastError());
    int device = 0;
    cudaDeviceProp properties;
    cuda_check(cudaGetDevice(&device), "the current device");
    cuda_check(cudaGetDeviceProperties(&properties, device), "properties of the device");
    fail("{}", wrong_architecture_words(properties.name, 10 * properties.major + properties.minor));
  }
  cuda_check(code, "the GPU cannot be used");
}

}  // namespace

std::string cuda_version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string cuda_architectures() {
  std::vector<std::string> names;
  for (const int one : architectures) names.push_back(fmt::format("{}.{}", one / 100, one % 100 / 10));
  return joined(names, ", ");
}

std::string no_device_words(cudaError_t code, int driver, int runtime) {
  constexpr auto elsewhere = "run it where there is one, or build it with TRELLIS_BACKEND=openmp for this machine";
  if (driver == 0) {
    return fmt::format("this program was built for CUDA; no NVIDIA GPU was found (no driver is installed): {}",
                       elsewhere);
  }
  if (code == cudaErrorInsufficientDriver) {
    return fmt::format(
        "this program was built for CUDA {}; the NVIDIA driver is too old (it offers CUDA {}): update the driver, or "
        "build the program with an older CUDA toolkit",
        cuda_version_text(runtime), cuda_version_text(driver));
  }
  if (code == cudaErrorNoDevice) {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return fmt::format(
        "this program was built for CUDA; no NVIDIA GPU was found ({}): {}",
        visible == nullptr ? "the driver sees none" : fmt::format("CUDA_VISIBLE_DEVICES is '{}'", visible), elsewhere);
  }
  return fmt::format("this program was built for CUDA; the NVIDIA GPU cannot be used (driver for CUDA {}): {}",
                     cuda_version_text(driver), cuda_words(code));
}

std::string wrong_architecture_words(const std::string& device, int capability) {
  return fmt::format(
      "this program was compiled for GPUs of compute capability {}; {} has {}.{}: build it with "
      "CMAKE_CUDA_ARCHITECTURES={}",
      cuda_architectures(), device, capability / 10, capability % 10, capability);
}

std::string cuda_words(cudaError_t code) {
  const std::string words = cudaGetErrorString(code);
  switch (code) {
    case cudaErrorECCUncorrectable:
      return "the GPU's memory had an ECC error that cannot be corrected: its data is lost; reset the GPU or take "
             "another (nvidia-smi -q -d ECC tells which), and resume from the last checkpoint";
    case cudaErrorNvlinkUncorrectable:
      return "the link between GPUs had an error that cannot be corrected: resume from the last checkpoint, on other "
             "GPUs if it happens again";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorAssert:
      return fmt::format(
          "{}: this process cannot use the GPU any more; run it again with CUDA_LAUNCH_BLOCKING=1 to learn which "
          "kernel it was, or under compute-sanitizer for the line",
          words);
    case cudaErrorLaunchTimeout:
      return "a kernel ran longer than the system allows where a display hangs on the GPU: use another GPU";
    case cudaErrorDevicesUnavailable:
      return fmt::format(
          "{}: another process has exclusive use of the GPU, or its mode prohibits computing (see nvidia-smi)", words);
    case cudaErrorMemoryAllocation:
      return fmt::format("{} on the GPU", words);
    default:
      return fmt::format("{} ({})", words, cudaGetErrorName(code));
  }
}

void cuda_check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // reported here
  fail("Cuda: {}: {}", what, cuda_words(code));
}

void cuda_check_launch(const char* name) {
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess) fail("kernel '{}' could not be launched: {}", name, cuda_words(code));
}

bool cuda_available() {
  static const bool available = [] {
    int devices = 0;
    const bool any = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
    if (!any) static_cast<void>(cudaGetLastError());
    return any;
  }();
  return available;
}

void require_cuda() {
  static const bool found = (find_device(), true);  // if it throws, it is called again next time
  static_cast<void>(found);
}

}  // namespace trellis::backend
