// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For tests of the CUDA backend: a fixture that skips if there is no GPU, and a kernel that runs until it is told to
// end (or for about two seconds, so that a wrong test fails instead of hanging).

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis::cuda_test {

class WithCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!backend::cuda_available()) GTEST_SKIP() << "no CUDA device";
  }
};

// Waits for the word to become 1, then sets a to `value`.
template <class V>
struct WaitAndSet {
  View<int, CudaHostPinnedSpace> word;
  V a;
  double value;
  __device__ void operator()(Index i) const {
    const long long begin = clock64();
    while (*static_cast<volatile int*>(word.data()) == 0 && clock64() - begin < 4000000000LL) __nanosleep(1000);
    a(i) = value;
  }
};

// Keeps a stream busy until end().
class LongKernel {
 public:
  template <class V>
  LongKernel(const Cuda& space, const V& a, double value) {
    parallel_for("waits", RangePolicy<Cuda>(space, 0, a.extent(0)), WaitAndSet<V>{word_, a, value});
  }
  ~LongKernel() {
    end();
    fence();
  }
  void end() { *static_cast<volatile int*>(word_.data()) = 1; }

 private:
  View<int, CudaHostPinnedSpace> word_{"word"};
};

}  // namespace trellis::cuda_test
