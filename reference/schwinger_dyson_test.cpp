// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/schwinger_dyson.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/numerical_derivative.hpp"
#include "reference/one_link.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceSchwingerDyson, TermsAreTheFirstDerivativesSquaredAndTheSecondDerivative) {
  // At beta = 3: -tr A^2 = 2 sum_a (dS/d omega_a)^2 and sum_a d^2 S / d omega_a^2 = (4/3) Re tr W.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 1);
  double square = 0.0, second = 0.0;
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < 4; ++mu)
      for (int a = 0; a < 8; ++a) {
        const Site x = u.site(i);
        const auto d = [&](const GaugeConfiguration& v) { return gauge_derivative(v, x, mu, 3.0, wilson_c1)[a]; };
        square += 2.0 * d(u) * d(u) / double(u.links.size());
        if (i < 4) second += numerical_derivative(d, u, x, mu, a) / 16.0;
      }
  const SchwingerDyson terms = schwinger_dyson(u, wilson_c1);
  EXPECT_NEAR(terms.square, square, 1e-12);
  double re_trace = 0.0;
  for (int i = 0; i < 4; ++i)
    for (int mu = 0; mu < 4; ++mu)
      re_trace += trace(u.link(u.site(i), mu) * staple(u, u.site(i), mu, {1.0, 0.0, 0.0})).real() / 16.0;
  EXPECT_NEAR(second, 4.0 / 3.0 * re_trace, 1e-8);
}

TEST(ReferenceSchwingerDyson, HoldsExactlyForOneLink) {
  // One link with weight exp((beta/3) Re tr U): V = 1, W = U, and the integrals are known.
  for (double beta : {0.5, 3.0, 9.0}) {
    const auto square = [](const Matrix& u) {
      const Matrix a = traceless_antihermitian(u);
      return -trace(a * a).real();
    };
    const double re_trace = su3_average([](const Matrix& u) { return trace(u).real(); }, beta / 3.0);
    EXPECT_NEAR(8.0 * re_trace / su3_average(square, beta / 3.0), beta, 1e-11);
  }
}

TEST(ReferenceSchwingerDyson, ConfigurationsAddUp) {
  const SchwingerDyson sum = SchwingerDyson{1.0, 2.0} + SchwingerDyson{2.0, 4.0};
  EXPECT_EQ(sum.beta(), 4.0);
}

}  // namespace
}  // namespace trellis::reference
