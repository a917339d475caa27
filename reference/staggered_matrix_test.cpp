// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trellis::reference {
namespace {

const QuarkPhases matrix_quark{.imaginary_potential = 0.4, .charge = -1.0, .flux = {.ey = 1, .bz = 2}};

TEST(ReferenceStaggeredMatrix, ActsAsTheOperator) {
  const GaugeConfiguration u = hot_configuration({2, 2, 4, 2}, 1);
  const LinkPhases theta = link_phases(u.size, matrix_quark);
  const ColourField psi = random_field(u.size, 2);
  const DenseVector dense = staggered_matrix(u, theta, 0.3) * to_dense(psi);
  const DenseVector expected = to_dense(apply_m(u, theta, 0.3, psi));
  for (std::size_t i = 0; i < dense.size(); ++i) EXPECT_LT(std::abs(dense[i] - expected[i]), 1e-14);
}

TEST(ReferenceStaggeredMatrix, EvenSites) {
  const GaugeConfiguration u = hot_configuration({2, 2, 4, 2}, 3);
  const LinkPhases theta = link_phases(u.size, matrix_quark);
  EXPECT_EQ(even_sites({2, 2, 2, 2}), (std::vector<int>{0, 3, 5, 6, 9, 10, 12, 15}));
  const ColourField psi = from_even(u.size, even_part(u.size, random_field(u.size, 4)));
  const DenseMatrix a = staggered_even_matrix(u, theta, 0.3);
  EXPECT_LT(distance(a, adjoint(a)), 1e-13);
  const ColourField result = from_even(u.size, a * even_part(u.size, psi));
  EXPECT_LT(norm(result - apply_m_adjoint_m(u, theta, 0.3, psi)), 1e-13);
}

TEST(ReferenceStaggeredMatrix, SpectrumAndDeterminantOnEvenSitesAreThoseOnAllSites) {
  const double mass = 0.3;
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 5);
  const LinkPhases theta = link_phases(u.size, matrix_quark);
  const DenseMatrix m = staggered_matrix(u, theta, mass), even = staggered_even_matrix(u, theta, mass);
  const Eigensystem all = hermitian_eigensystem(adjoint(m) * m), half = hermitian_eigensystem(even);
  EXPECT_GE(half.values.front(), mass * mass);
  for (std::size_t k = 0; k < half.values.size(); ++k) {
    EXPECT_NEAR(all.values[2 * k], half.values[k], 1e-13);
    EXPECT_NEAR(all.values[2 * k + 1], half.values[k], 1e-13);
  }
  const Complex log_determinant_m = log_determinant(lu_decomposition(m));
  EXPECT_NEAR(log_determinant_m.real(), log_determinant_from_cholesky(cholesky(even)), 1e-11);
  EXPECT_LT(std::abs(std::sin(0.5 * log_determinant_m.imag())), 1e-12);  // det M > 0
  EXPECT_LT(std::abs(trace(inverse(m)) - 2.0 * mass * trace(inverse(even))), 1e-11);
}

}  // namespace
}  // namespace trellis::reference
