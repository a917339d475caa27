// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/su3/spinor.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace trellis {
namespace {

using C = complex<double>;

struct Psi {
  C e[4][3];
  C load(int spin, int colour) const { return e[spin][colour]; }
};
struct SignedPsi : Psi {
  double sign;
  double lower_sign() const { return sign; }
};

Psi some_spinor() {
  Psi psi;
  double next = 0.3;
  for (auto& row : psi.e)
    for (C& x : row) {
      x = {next, 1 - 3 * next};
      next = 3.7 * next * (1 - next);
    }
  return psi;
}

bool same_bits(const HalfSpinor<C>& a, const HalfSpinor<C>& b) {
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c)
      if (a.e[r][c].re != b.e[r][c].re || a.e[r][c].im != b.e[r][c].im) return false;
  return true;
}

// A sign on the lower spins turns the projection of D into that of its adjoint; without one it is unchanged.
template <int Step>
void expect_sign_is_adjoint() {
  const Psi psi = some_spinor();
  const auto plain = spin::project<Step, false, C>(psi), adjoint = spin::project<Step, true, C>(psi);
  EXPECT_TRUE(same_bits((spin::project<Step, false, C>(SignedPsi{psi, 1})), plain)) << Step;
  EXPECT_TRUE(same_bits((spin::project<Step, false, C>(SignedPsi{psi, -1})), adjoint)) << Step;
  EXPECT_FALSE(same_bits(plain, adjoint)) << Step;
}

TEST(Projection, ASignOfTheLowerSpinsIsTheAdjoint) {
  [&]<int... Step>(std::integer_sequence<int, Step...>) {
    (expect_sign_is_adjoint<Step>(), ...);
  }(std::make_integer_sequence<int, 8>());
}

}  // namespace
}  // namespace trellis
