// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/one_link.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/random.hpp"

namespace trellis::reference {
namespace {

double re_trace(const Matrix& u) { return trace(u).real(); }

TEST(ReferenceOneLink, HaarMomentsOfSu3) {
  // The number of singlets: <1> = 1, <|tr U|^2> = 1, <|tr U|^4> = 2, <|tr U|^6> = 6, <Re (tr U)^3> = 1.
  EXPECT_NEAR(su3_average(re_trace, 0.0), 0.0, 1e-14);
  EXPECT_NEAR(su3_average([](const Matrix& u) { return std::norm(trace(u)); }, 0.0), 1.0, 1e-13);
  EXPECT_NEAR(su3_average([](const Matrix& u) { return std::pow(std::norm(trace(u)), 2); }, 0.0), 2.0, 1e-13);
  EXPECT_NEAR(su3_average([](const Matrix& u) { return std::pow(std::norm(trace(u)), 3); }, 0.0), 6.0, 1e-12);
  EXPECT_NEAR(su3_average([](const Matrix& u) { return std::pow(trace(u), 3).real(); }, 0.0), 1.0, 1e-13);
}

TEST(ReferenceOneLink, IsTheDeterminantSeriesOfSu3) {
  // Z(c) = sum over n of det I_{j-k+n}(c), j, k = 0..2 (Bars and Green), and <Re tr U> = Z'/Z.
  const auto z = [](double c) {
    double sum = 0.0;
    for (int n = -12; n <= 12; ++n) {
      Matrix m;
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) m(j, k) = std::cyl_bessel_i(std::abs(j - k + n), c);
      sum += determinant(m).real();
    }
    return sum;
  };
  for (double c : {0.3, 1.0, 2.5, 5.0}) {
    const double h = 1e-3;
    const double derivative = (8.0 * (z(c + h) - z(c - h)) - (z(c + 2 * h) - z(c - 2 * h))) / (12.0 * h);
    EXPECT_NEAR(su3_average(re_trace, c), derivative / z(c), 1e-10) << c;
  }
}

TEST(ReferenceOneLink, AgreesWithAWeightedAverageOverRandomMatrices) {
  Random random(1);
  double sum = 0.0, weight = 0.0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double t = trace(random_su3(random)).real();
    sum += t * std::exp(0.6 * t);
    weight += std::exp(0.6 * t);
  }
  EXPECT_NEAR(sum / weight, su3_average(re_trace, 0.6), 0.03);
}

TEST(ReferenceOneLink, StrongCouplingPlaquettes) {
  EXPECT_NEAR(strong_coupling_plaquette(0.5), 0.02893175, 5e-9);
  EXPECT_NEAR(strong_coupling_plaquette(1.0), 0.0601297, 5e-8);
  EXPECT_NEAR(strong_coupling_plaquette(2.0), 0.128769, 5e-7);
  EXPECT_NEAR(strong_coupling_plaquette(3.0), 0.20446, 5e-6);
  EXPECT_NEAR(one_link_plaquette(1e-4), 1e-4 / 18.0, 1e-9);
}

TEST(ReferenceOneLink, Su2MomentsAreRatiosOfBesselFunctions) {
  // <a0> = I_2(c) / I_1(c), <1 - a0^2> = 3 I_2(c) / (c I_1(c)).
  for (double c : {0.5, 4.0, 30.0}) {
    const double ratio = std::cyl_bessel_i(2, c) / std::cyl_bessel_i(1, c);
    EXPECT_NEAR(su2_average([](double a0) { return a0; }, c), ratio, 1e-13);
    EXPECT_NEAR(su2_average([](double a0) { return 1.0 - a0 * a0; }, c), 3.0 * ratio / c, 1e-13);
  }
}

TEST(ReferenceOneLink, Su2Cumulative) {
  EXPECT_EQ(su2_cumulative(-1.0, 2.0), 0.0);
  EXPECT_EQ(su2_cumulative(1.0, 2.0), 1.0);
  // Without a weight: 1/2 + (a sqrt(1 - a^2) + asin a) / pi.
  EXPECT_NEAR(su2_cumulative(0.3, 0.0), 0.5 + (0.3 * std::sqrt(1 - 0.09) + std::asin(0.3)) / M_PI, 1e-12);
  // <a0> = 1 - integral of the cumulative distribution.
  double integral = 0.0;
  const int n = 400;
  for (int i = 0; i < n; ++i) integral += su2_cumulative(-1.0 + (i + 0.5) * 2.0 / n, 4.0) * 2.0 / n;
  EXPECT_NEAR(1.0 - integral, su2_average([](double a0) { return a0; }, 4.0), 1e-5);
}

}  // namespace
}  // namespace trellis::reference
