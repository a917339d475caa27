// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/numerical_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trellis::reference {
namespace {

TEST(ReferenceNumericalDerivative, OfALinearFunctionOfOneLink) {
  // f = Re tr(U K): df/d omega_a = -Im tr(T_a U K).
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 1);
  const Matrix k = hot_configuration({2, 2, 2, 2}, 2).links[0];
  const Site x = {1, 0, 1, 0};
  const GaugeFunction f = [&](const GaugeConfiguration& v) { return trace(v.link(x, 2) * k).real(); };
  const auto d = numerical_derivative(f, u, x, 2);
  for (int a = 0; a < 8; ++a) EXPECT_NEAR(d[a], -trace(generator(a) * u.link(x, 2) * k).imag(), 2e-12);
  EXPECT_EQ(numerical_derivative(f, u, x, 1, 3), 0.0);
}

TEST(ReferenceNumericalDerivative, ErrorIsOfFourthOrder) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 1);
  const GaugeFunction f = [](const GaugeConfiguration& v) { return std::exp(2.0 * trace(v.links[0]).real()); };
  const Site x = {0, 0, 0, 0};
  const double exact = -2.0 * f(u) * trace(generator(4) * u.links[0]).imag();
  const double coarse = numerical_derivative(f, u, x, 0, 4, 0.08) - exact;
  const double fine = numerical_derivative(f, u, x, 0, 4, 0.04) - exact;
  EXPECT_NEAR(coarse / fine, 16.0, 1.0);
}

}  // namespace
}  // namespace trellis::reference
