// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/largest_eigenvalue.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::solver {
namespace {

using test::DiagonalOperator;
using test::LaplaceOperator;

constexpr Coordinate size{4, 4, 4, 8};
constexpr RandomStream stream{11, 3, RandomPurpose::test};

// The second difference: eigenvalues 2 - 2 cos(pi k / (n + 1)), eigenvectors sin(pi j k / (n + 1)).
TEST(Tridiagonal, FindsTheLargestEigenvalue) {
  const double pi = std::acos(-1.0);
  for (const int n : {1, 2, 3, 10, 60}) {
    const std::vector<double> diagonal(n, 2.0), off_diagonal(n - 1, -1.0);
    const Eigenpair top = largest_tridiagonal_eigenvalue(diagonal, off_diagonal);
    EXPECT_NEAR(top.value, 2 - 2 * std::cos(pi * n / (n + 1)), 1e-14);
    EXPECT_NEAR(top.last, std::sqrt(2.0 / (n + 1)) * std::sin(pi * n / (n + 1)), 1e-12) << n;
  }
  const std::vector<double> two{-3, 1}, beside{2};  // eigenvalues -1 +- sqrt 8
  EXPECT_NEAR(largest_tridiagonal_eigenvalue(two, beside).value, -1 + std::sqrt(8.0), 1e-15);
  EXPECT_THROW(largest_tridiagonal_eigenvalue(two, {}), Error);
  const std::vector<double> bad{std::nan(""), 1};
  EXPECT_THROW(largest_tridiagonal_eigenvalue(bad, beside), Error);
}

TEST(LargestEigenvalue, IsWithinItsError) {
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    const DiagonalOperator<double, W> a(lattice, 1, 0.01, 5.0);
    double before = 10;
    for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
      const EigenvalueEstimate top =
          largest_eigenvalue(a, ParityField<double, 6, W>(lattice, 1), stream, {100, tolerance});
      EXPECT_LE(top.error, tolerance * top.value);
      EXPECT_LT(std::abs(top.value - 5.0), before);
      EXPECT_LE(top.value, 5.0 + 1e-12);
      before = std::abs(top.value - 5.0) + 1e-13;
    }
    EXPECT_NEAR(before, 0, 0.05);
  });
  const Lattice lattice(size, 1);
  const LaplaceOperator<double, 1> laplace(lattice, 0.5);
  const ParityField<double, 6, 1> like(lattice, 0);
  const EigenvalueEstimate rough = largest_eigenvalue(laplace, like, stream, {20, 1e-2});
  const EigenvalueEstimate fine = largest_eigenvalue(laplace, like, stream, {200, 1e-8});
  EXPECT_LT(rough.steps, fine.steps);
  EXPECT_LE(std::abs(rough.value - fine.value), rough.error);
  EXPECT_LE(fine.error, 1e-8 * fine.value);
  EXPECT_LT(fine.value, 4.25);
}

template <class T, int W>
std::vector<double> bits(int threads) {
  const int before = concurrency();
  set_thread_count(threads);
  const Lattice lattice(size, W);
  const EigenvalueEstimate top = largest_eigenvalue(DiagonalOperator<T, W>(lattice, 0, 0.1, 3.0),
                                                    ParityField<T, 6, W>(lattice, 0), stream, {30, 1e-6});
  set_thread_count(before);
  return {top.value, top.error, double(top.steps)};
}

TEST(LargestEigenvalue, BitsDependNeitherOnLanesNorOnThreads) {
  const auto expected = bits<double, 1>(1), expected_single = bits<float, 1>(1);
  EXPECT_NEAR(expected_single[0], 3.0, 0.01);
  test::for_each_lane_count(size, [&]<int W>() {
    EXPECT_EQ((bits<double, W>(2)), expected);
    EXPECT_EQ((bits<float, W>(2)), expected_single);
  });
}

}  // namespace
}  // namespace trellis::solver
