// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Error messages if the device fails, or there is none.
#include "tests/support/cuda.cuh"
#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/error.hpp"

namespace trellis {
namespace cuda_test {

using namespace backend;

void expect_says(const std::string& said, std::initializer_list<const char*> parts) {
  EXPECT_EQ(said.find('\n'), std::string::npos);
  for (const char* const part : parts) EXPECT_NE(said.find(part), std::string::npos) << said << "\nwithout: " << part;
}

TEST(CudaFailures, SayWhatToDo) {
  expect_says(
      no_device_words(cudaErrorInsufficientDriver, 0, 13000),
      {"this program was built for CUDA; no NVIDIA GPU was found (no driver is installed)", "TRELLIS_BACKEND=openmp"});
  expect_says(no_device_words(cudaErrorNoDevice, 13000, 13000), {"no NVIDIA GPU was found"});
  expect_says(no_device_words(cudaErrorInsufficientDriver, 12040, 13000),
              {"built for CUDA 13.0", "too old (it offers CUDA 12.4)", "update the driver"});
  expect_says(wrong_architecture_words("Tesla V100", 70),
              {"compiled for GPUs of compute capability", "Tesla V100 has 7.0", "CMAKE_CUDA_ARCHITECTURES=70"});
  expect_says(cuda_words(cudaErrorECCUncorrectable), {"ECC", "last checkpoint"});
  expect_says(cuda_words(cudaErrorIllegalAddress), {"illegal memory access", "CUDA_LAUNCH_BLOCKING=1"});
  EXPECT_THROW(cuda_check(cudaErrorIllegalAddress, "a kernel"), Error);
}

TEST(CudaFailures, NoDeviceIsAnErrorNotACrash) {
  if (cuda_available()) GTEST_SKIP() << "there is a CUDA device";
  for (int again = 0; again < 2; ++again) {
    try {
      const View<double*> a("a", 10);
      FAIL();
    } catch (const Error& e) {
      expect_says(e.what(), {"this program was built for CUDA"});
    }
  }
  EXPECT_THROW(Instances<Cuda>(2), Error);
  EXPECT_THROW(Cuda::concurrency(), Error);
  fence();  // make sure that nothing is running
}

void write_to_nowhere() {
  parallel_for("bad", RangePolicy<Cuda>(0, 100), TRELLIS_LAMBDA(Index i) { reinterpret_cast<double*>(16)[i] = 1; });
}

int code_of_bad_program() {
  try {
    write_to_nowhere();
    fence();
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return e.exit_code();
  }
  return 0;
}

TEST(CudaFailuresDeathTest, AKernelThatFailsEndsTheProgramWithWords) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // in a separate process: this one's device must stay usable
  if (!cuda_available()) GTEST_SKIP() << "no CUDA device";
  EXPECT_EXIT(std::exit(code_of_bad_program()), testing::ExitedWithCode(1),
              "an earlier kernel failed: .*CUDA_LAUNCH_BLOCKING=1");
}

}  // namespace cuda_test
}  // namespace trellis
