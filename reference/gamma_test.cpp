// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gamma.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

const SpinMatrix one = spin_identity();
const SpinMatrix zero{};

SpinMatrix diagonal(Complex a, Complex b, Complex c, Complex d) {
  SpinMatrix m{};
  m(0, 0) = a;
  m(1, 1) = b;
  m(2, 2) = c;
  m(3, 3) = d;
  return m;
}

TEST(ReferenceGamma, CliffordAlgebra) {
  for (int mu = 0; mu < 4; ++mu) {
    EXPECT_EQ(gamma_matrix(mu), adjoint(gamma_matrix(mu)));
    for (int nu = 0; nu < 4; ++nu) {
      const SpinMatrix anticommutator = gamma_matrix(mu) * gamma_matrix(nu) + gamma_matrix(nu) * gamma_matrix(mu);
      EXPECT_EQ(distance(anticommutator, mu == nu ? Complex(2.0) * one : zero), 0.0) << mu << nu;
    }
    EXPECT_EQ(distance(gamma5() * gamma_matrix(mu) + gamma_matrix(mu) * gamma5(), zero), 0.0);
  }
  EXPECT_THROW(gamma_matrix(4), Error);
}

TEST(ReferenceGamma, IsTheBasisOfDeGrandAndRossi) {
  // The upper right blocks are i s_1, -i s_2, i s_3, 1.
  const Complex i(0.0, 1.0);
  const Complex blocks[4][4] = {{0, i, i, 0}, {0, -1, 1, 0}, {i, 0, 0, -i}, {1, 0, 0, 1}};
  for (int mu = 0; mu < 4; ++mu)
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) {
        EXPECT_EQ(gamma_matrix(mu)(r, c + 2), blocks[mu][2 * r + c]);
        EXPECT_EQ(gamma_matrix(mu)(c + 2, r), std::conj(blocks[mu][2 * r + c]));
        EXPECT_EQ(gamma_matrix(mu)(r, c), 0.0);
        EXPECT_EQ(gamma_matrix(mu)(r + 2, c + 2), 0.0);
      }
  EXPECT_EQ(distance(gamma5(), diagonal(1, 1, -1, -1)), 0.0);
}

TEST(ReferenceGamma, SigmaIsHermitianAndKeepsChirality) {
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu) {
      const SpinMatrix s = sigma(mu, nu);
      EXPECT_EQ(distance(s, adjoint(s)), 0.0);
      EXPECT_EQ(distance(s, Complex(-1.0) * sigma(nu, mu)), 0.0);
      EXPECT_EQ(distance(s * gamma5(), gamma5() * s), 0.0);
      if (mu == nu) continue;
      EXPECT_EQ(distance(s * s, one), 0.0);
      EXPECT_EQ(distance(s, Complex(0.0, 1.0) * gamma_matrix(mu) * gamma_matrix(nu)), 0.0);
    }
  EXPECT_EQ(distance(sigma(0, 1), diagonal(1, -1, 1, -1)), 0.0);
}

TEST(ReferenceGamma, ChargeConjugation) {
  const SpinMatrix c = charge_conjugation();
  EXPECT_EQ(distance(c * adjoint(c), one), 0.0);
  EXPECT_EQ(distance(transpose(c), Complex(-1.0) * c), 0.0);
  for (int mu = 0; mu < 4; ++mu)
    EXPECT_EQ(distance(c * gamma_matrix(mu) * adjoint(c), Complex(-1.0) * transpose(gamma_matrix(mu))), 0.0) << mu;
}

TEST(ReferenceGamma, SixteenAreAnOrthogonalBasis) {
  const std::vector<NamedSpinMatrix> all = sixteen_gammas();
  ASSERT_EQ(all.size(), 16u);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j)
      EXPECT_EQ(trace(adjoint(all[i].matrix) * all[j].matrix), i == j ? 4.0 : 0.0) << all[i].name << " " << all[j].name;
  EXPECT_EQ(all[5].name, "gamma_5");
  EXPECT_EQ(all[9].name, "gamma_t gamma_5");
  EXPECT_EQ(all[15].name, "sigma_zt");
  EXPECT_EQ(distance(all[15].matrix, sigma(2, 3)), 0.0);
}

}  // namespace
}  // namespace trellis::reference
