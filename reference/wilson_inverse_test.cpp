// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

const WilsonQuark inverted_quark{.kappa = 0.12,
                                 .clover = 1.1,
                                 .clover_temporal = 0.8,
                                 .spatial_hopping = 0.9,
                                 .boundary_angle_over_pi = {0.3, -0.5, 0.0, 1.0}};

TEST(ReferenceWilsonInverse, SolutionSolves) {
  const WilsonMatrix m(hot_configuration({2, 4, 2, 4}, 1), inverted_quark);
  const SpinorField b = random_spinors(m.links.size, 2), x = solve_m(m, b);
  EXPECT_LT(norm(apply_m(m, x) - b), 1e-12 * norm(b));
  EXPECT_GT(norm(x - b), 0.1 * norm(b));
  EXPECT_EQ(norm(solve_m(m, zero_spinors(m.links.size))), 0.0);
}

TEST(ReferenceWilsonInverse, EvenSystemHasTheSameSolution) {
  const WilsonMatrix m(hot_configuration({2, 4, 2, 4}, 3), inverted_quark);
  const SpinorField b = random_spinors(m.links.size, 4), x = solve_m(m, b);
  EXPECT_LT(norm(apply_mhat(m, x) - even_right_hand_side(m, b)), 1e-11);
  EXPECT_LT(norm(reconstruct(m, x, b) - x), 1e-11);
}

TEST(ReferenceWilsonInverse, AgreesWithTheInverseOfTheDenseMatrix) {
  const WilsonMatrix m(hot_configuration({2, 2, 2, 2}, 5), inverted_quark);
  const DenseMatrix matrix = dense_wilson(m);
  const SpinorField a = random_spinors(m.links.size, 6), image = apply_m(m, a);
  DenseVector flat;
  for (const Spinor& v : a) flat.insert(flat.end(), v.begin(), v.end());
  const DenseVector product = matrix * flat, solution = solve(lu_decomposition(matrix), flat);
  const SpinorField x = solve_m(m, a);
  for (int k = 0; k < matrix.n; ++k) {
    EXPECT_LT(std::abs(product[k] - image[k / 12][k % 12]), 1e-13);
    EXPECT_LT(std::abs(solution[k] - x[k / 12][k % 12]), 1e-11);
  }
}

TEST(ReferenceWilsonInverse, PropagatorsHaveGamma5Hermiticity) {
  // S(x, y) = gamma_5 S(y, x)^+ gamma_5
  const WilsonMatrix m(hot_configuration({2, 2, 2, 2}, 7), inverted_quark);
  const Site x = {0, 1, 1, 0}, y = {1, 1, 0, 1};
  const Propagator from_y = point_propagator(m, y), from_x = point_propagator(m, x);
  DenseMatrix g(12);
  for (int k = 0; k < 12; ++k) g(k, k) = gamma5()(k / 3, k / 3);
  const DenseMatrix& s = from_y[m.links.index(x)];
  EXPECT_LT(distance(s, g * adjoint(from_x[m.links.index(y)]) * g), 1e-11);
  EXPECT_GT(distance(s, DenseMatrix(12)), 1e-3);
  const SpinorField third = column(from_y, 3);
  EXPECT_LT(norm(apply_m(m, third) - point_spinors(m.links.size, y, 3)), 1e-12);
}

TEST(ReferenceWilsonInverse, CloverTermTakesTheWilsonTermOffZeroModes) {
  // One unit of abelian flux f = 2 pi / L^2 through the planes (x, y) and (z, t): the Dirac operator has one zero mode
  // for each colour (all have the charge), on which the Wilson term is -D^2 / 2 = f. The clover term is -f there, up to
  // O(f^2): this tests its sign. By inverse iteration on M^+ M.
  const int l = 4;
  const double f = 2.0 * M_PI / (l * l);
  GaugeConfiguration u({l, l, l, l});
  for (int n = 0; n < u.volume(); ++n)
    for (const int mu : {0, 2}) {
      const Site x = u.site(n);
      u.links[4 * n + mu] = std::polar(1.0, -f * x[mu + 1]) * identity();
      if (x[mu + 1] == l - 1) u.links[4 * n + mu + 1] = std::polar(1.0, f * l * x[mu]) * identity();
    }
  const auto smallest = [&](double clover) {
    const WilsonMatrix m(u, {.kappa = 0.125, .clover = clover, .boundary_angle_over_pi = {}});
    SpinorField x = random_spinors(u.size, 10);
    for (int iteration = 0; iteration < 2; ++iteration) {
      const SpinorField y = gamma5() * solve_m(m, gamma5() * x, 1e-2);
      x = solve_m(m, Complex(1.0 / norm(y)) * y, 1e-2);
      x = Complex(1.0 / norm(x)) * x;
    }
    return norm(apply_m(m, x)) / (2.0 * m.quark.kappa);
  };
  EXPECT_NEAR(smallest(0.0), f, 0.02);
  EXPECT_NEAR(smallest(0.5), 0.5 * f, 0.02);
}

TEST(ReferenceWilsonInverse, NotReachingTheToleranceIsAnError) {
  const WilsonMatrix m(hot_configuration({2, 2, 2, 2}, 8), inverted_quark);
  EXPECT_THROW(solve_m(m, random_spinors(m.links.size, 9), 1e-18), Error);
}

}  // namespace
}  // namespace trellis::reference
