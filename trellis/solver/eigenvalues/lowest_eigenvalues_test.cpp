// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/eigenvalues/lowest_eigenvalues.hpp"

#include <gtest/gtest.h>

#include "reference/dense.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::solver {
namespace {

using reference::Complex;
using test::DiagonalOperator;
using test::LaplaceOperator;
using Vectors = ParityField<double, 6, 1>;

constexpr RandomStream stream{11, 3, RandomPurpose::test};

reference::DenseMatrix random_matrix(int n, std::uint64_t seed) {
  reference::DenseMatrix a(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const auto u = RandomStream{seed, 0, RandomPurpose::test}.uniform(std::uint64_t(i * n + j), 0);
      a(i, j) = {2 * u[0] - 1, 2 * u[1] - 1};
    }
  return a;
}

TEST(SmallEigensystems, AgreeWithTheOracle) {
  for (const int n : {1, 2, 3, 10, 40}) {
    const auto b = random_matrix(n, 1), c = random_matrix(n, 2);
    const auto h = b + adjoint(b), g = c * adjoint(c) + reference::dense_identity(n);
    const auto found = generalised_eigensystem(n, h.elements, g.elements);
    // The same with g = 1: those of the oracle.
    const auto plain = generalised_eigensystem(n, h.elements, reference::dense_identity(n).elements);
    const auto expected = reference::hermitian_eigensystem(h);
    for (int k = 0; k < n; ++k) EXPECT_NEAR(plain.values[k], expected.values[k], 1e-13 * n) << n << " " << k;
    for (int k = 0; k < n; ++k) {
      reference::DenseVector v(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) v[i] = found.vectors[i * n + k];
      const auto hv = h * v, gv = g * v;
      for (int i = 0; i < n; ++i) EXPECT_LT(std::abs(hv[i] - found.values[k] * gv[i]), 1e-12 * n) << n << " " << k;
      for (int j = 0; j < n; ++j) {
        Complex overlap = 0;
        for (int i = 0; i < n; ++i) overlap += std::conj(found.vectors[i * n + j]) * gv[i];
        EXPECT_LT(std::abs(overlap - (j == k ? 1.0 : 0.0)), 1e-12 * n);
      }
    }
  }
}

TEST(SmallEigensystems, RefuseDependentVectors) {
  EXPECT_THROW(generalised_eigensystem(2, {1, 0, 0, 1}, {1, 1, 1, 1}), Error);
  EXPECT_THROW(generalised_eigensystem(2, {1, std::nan(""), 0, 1}, {1, 0, 0, 1}), Error);
  EXPECT_THROW(generalised_eigensystem(2, {1}, {1, 0, 0, 1}), Error);
}

TEST(BlockAlgebra, AgreesWithSingleVectors) {
  const Coordinate size{4, 4, 4, 4};
  test::for_each_lane_count(size, [&]<int W>() {
    using V = ParityField<double, 6, W>;
    const Lattice lattice(size, W);
    const int count = 5;
    const auto x = test::random_vectors<V>(lattice, 0, count, 3), y = test::random_vectors<V>(lattice, 0, count, 4);
    const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
      Complex sum = 0;
      for (std::size_t k = 0; k < a.size(); k += 2) sum += std::conj(Complex(a[k], a[k + 1])) * Complex(b[k], b[k + 1]);
      return sum;
    };
    const auto products = inner_products(x, y);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        const Complex expected = j < i ? 0 : dot(test::numbers(x, i), test::numbers(y, j));
        EXPECT_LT(std::abs(products[i * count + j] - expected), 1e-11) << i << " " << j;
      }
    std::vector<Complex> c;
    for (int k = 0; k < count * count; ++k) c.push_back({0.1 * k - 1, 0.3 - 0.02 * k});
    const V sums = x.like();
    combine(c, x, sums);
    three_term_step(2.0, x, -3.0, y, sums);
    for (int n = 0; n < count; ++n) {
      const auto found = test::numbers(sums, n), image = test::numbers(x, n), here = test::numbers(y, n);
      std::vector<Complex> expected(found.size() / 2);
      for (int i = 0; i < count; ++i) {
        const auto v = test::numbers(x, i);
        for (std::size_t k = 0; k < expected.size(); ++k)
          expected[k] += c[i * count + n] * Complex(v[2 * k], v[2 * k + 1]);
      }
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(found[2 * k], 2 * image[2 * k] - 3 * here[2 * k] - expected[k].real(), 1e-14);
        EXPECT_NEAR(found[2 * k + 1], 2 * image[2 * k + 1] - 3 * here[2 * k + 1] - expected[k].imag(), 1e-14);
      }
    }
  });
}

// Every eigenvalue of a diagonal operator is three times there, once for each colour.
TEST(LowestEigenvalues, OfADiagonalOperator) {
  const Lattice lattice({4, 4, 4, 8}, 1);
  const DiagonalOperator<double, 1> a(lattice, 0, 0.01, 5.0);
  std::vector<double> expected;
  test::for_each_site(lattice, 0, [&](const Coordinate& x) { expected.insert(expected.end(), 3, a.at(x)); });
  std::ranges::sort(expected);
  const auto found = lowest_eigenvalues(a, Vectors(lattice, 0), stream, {.count = 20, .tolerance = 1e-9, .upper = 5.0});
  ASSERT_EQ(found.values.size(), 20U);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_LE(found.residuals[k], 1e-9);
    EXPECT_NEAR(found.values[k], expected[k], 1e-9) << k;
  }
  for (std::size_t k = 1; k < 20; ++k) EXPECT_GE(found.values[k], found.values[k - 1] - 1e-15);
  const auto overlaps = inner_products(found.vectors, found.vectors);
  const auto block = std::size_t(found.vectors.count());
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = i; j < 20; ++j) EXPECT_LT(std::abs(overlaps[i * block + j] - (i == j ? 1.0 : 0.0)), 1e-12);
}

TEST(LowestEigenvalues, BitsDependNeitherOnLanesNorOnThreads) {
  const Coordinate size{4, 4, 4, 8};
  const int before = concurrency();
  const auto values = [&]<int W>(int threads) {
    set_thread_count(threads);
    const Lattice lattice(size, W);
    return lowest_eigenvalues(DiagonalOperator<double, W>(lattice, 1, 0.1, 3.0), ParityField<double, 6, W>(lattice, 1),
                              stream, {.count = 6, .tolerance = 1e-8, .upper = 3.0});
  };
  const auto expected = values.operator()<1>(1);
  test::for_each_lane_count(size, [&]<int W>() {
    const auto found = values.template operator()<W>(2);
    EXPECT_EQ(found.values, expected.values);
    EXPECT_EQ(found.residuals, expected.residuals);
    EXPECT_EQ(found.applications, expected.applications);
    EXPECT_EQ(test::numbers(found.vectors, 2), test::numbers(expected.vectors, 2));
  });
  set_thread_count(before);
}

TEST(LowestEigenvalues, SayWhatIsWrong) {
  const Lattice lattice({4, 4, 4, 4}, 1);
  const DiagonalOperator<double, 1> a(lattice, 0, 0.01, 5.0);
  const Vectors like(lattice, 0);
  for (const LowestEigenvalueParameters& bad : {LowestEigenvalueParameters{.count = 0, .upper = 5},
                                                {.count = 49, .upper = 5},
                                                {.tolerance = 0, .upper = 5},
                                                {.upper = 0}})
    EXPECT_THROW(lowest_eigenvalues(a, like, stream, bad), InputError);
  EXPECT_THROW(lowest_eigenvalues(a, like, stream, {.count = 5, .tolerance = 1e-12, .upper = 5, .max_applications = 4}),
               Error);
  EXPECT_THROW(lowest_eigenvalues(a, like, stream, {.count = 5, .tolerance = 1e-12, .upper = 0.1}), Error);
  EXPECT_THROW(lowest_eigenvalues(a, like, stream, {.count = 5, .tolerance = 1e-25, .upper = 5}), Error);
}

}  // namespace
}  // namespace trellis::solver
