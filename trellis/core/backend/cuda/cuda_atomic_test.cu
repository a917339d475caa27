// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Atomic instructions of a GPU: what they leave is what the same operations leave one after another on a host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "trellis/core/atomic.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace cuda_atomic_test {  // named, and kernels in free functions: CUDA's lambdas cannot be inside a test's body

constexpr Index n = 30000;

// Of both signs, in no order, and each magnitude once.
template <class T>
TRELLIS_FUNCTION T term(Index i) {
  const auto magnitude = static_cast<T>((i * 7919) % n + 1);
  return i % 2 == 0 ? magnitude : static_cast<T>(T(0) - magnitude);
}

// 0, 1: extremes of all terms. 2, 3: of terms with one sign, from the other end. 4: what add and sub leave.
template <class T>
void find_extremes(const View<T*, Atomic>& found) {
  parallel_for(
      "extremes", RangePolicy<Cuda>(0, n), TRELLIS_LAMBDA(Index i) {
        found(0).fetch_min(term<T>(i));
        found(1).fetch_max(term<T>(i));
        if (i % 2 == 1) found(2).fetch_max(term<T>(i));
        if (i % 2 == 0) found(3).fetch_min(term<T>(i));
        found(4) += static_cast<T>(i % 5);
        found(4) -= static_cast<T>(i % 3);
      });
}

template <class T>
class CudaAtomicTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!backend::cuda_available()) GTEST_SKIP() << "no CUDA device";
  }
};
using Numbers = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(CudaAtomicTest, Numbers);

TYPED_TEST(CudaAtomicTest, LeaveWhatPlainCodeLeaves) {
  using T = TypeParam;
  T expected[5] = {T(0), T(0), term<T>(1), term<T>(0), T(1000)};
  const View<T*> found("found", 5);
  const auto host = create_mirror_view(found);
  for (Index k = 0; k < 5; ++k) host(k) = expected[k];
  deep_copy(found, host);
  for (Index i = 0; i < n; ++i) {
    expected[0] = std::min(expected[0], term<T>(i));
    expected[1] = std::max(expected[1], term<T>(i));
    if (i % 2 == 1) expected[2] = std::max(expected[2], term<T>(i));
    if (i % 2 == 0) expected[3] = std::min(expected[3], term<T>(i));
    expected[4] += static_cast<T>(i % 5);
    expected[4] -= static_cast<T>(i % 3);
  }
  find_extremes<T>(found);
  deep_copy(host, found);
  for (Index k = 0; k < 5; ++k) EXPECT_EQ(host(k), expected[k]) << k;
}

template <class T>
void combine_bits(const View<T*, Atomic>& words) {
  parallel_for(
      "bits", RangePolicy<Cuda>(0, n), TRELLIS_LAMBDA(Index i) {
        words(0) |= T(1) << (i % 30);
        words(1) &= ~(T(1) << (i % 20));
        words(2) ^= static_cast<T>(i * 12345);
      });
}

template <class T>
void expect_combined_bits() {
  const View<T*> words("words", 3);
  deep_copy(words, T(~T(0)));
  const auto host = create_mirror_view_and_copy(HostSpace{}, words);
  host(0) = 0;
  deep_copy(words, host);
  T mixed = T(~T(0));
  for (Index i = 0; i < n; ++i) mixed ^= static_cast<T>(i * 12345);
  combine_bits<T>(words);
  deep_copy(host, words);
  EXPECT_EQ(host(0), (T(1) << 30) - 1);
  EXPECT_EQ(host(1), T(~((T(1) << 20) - 1)));
  EXPECT_EQ(host(2), mixed);
}

using CudaAtomicBitsTest = CudaAtomicTest<std::uint64_t>;

TEST_F(CudaAtomicBitsTest, Combine) {
  expect_combined_bits<std::uint32_t>();
  expect_combined_bits<std::uint64_t>();
  expect_combined_bits<std::int64_t>();
}

void meet_zeros(const View<double*, Atomic>& zeros) {
  parallel_for(
      "zeros", RangePolicy<Cuda>(0, 1000), TRELLIS_LAMBDA(Index i) {
        zeros(0).fetch_min(i % 2 == 0 ? 0.0 : -0.0);
        zeros(1).fetch_max(i % 2 == 0 ? 0.0 : -0.0);
        zeros(2).fetch_max(i % 2 == 0 ? 0.0 / zeros(0) : -1.0);  // NaN is never chosen
      });
}

TEST_F(CudaAtomicBitsTest, ExtremesOfZerosAndNaN) {
  const View<double*> zeros("zeros", 3);
  meet_zeros(zeros);
  const auto host = create_mirror_view_and_copy(HostSpace{}, zeros);
  EXPECT_TRUE(std::signbit(host(0)));
  EXPECT_FALSE(std::signbit(host(1)));
  EXPECT_EQ(host(2), 0);
}

}  // namespace cuda_atomic_test
}  // namespace trellis
