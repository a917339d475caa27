// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/projected_smearing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "reference/loops.hpp"

namespace trellis::reference {
namespace {

struct ProjectedSmearing {
  const char* name;
  std::function<GaugeConfiguration(const GaugeConfiguration&)> smear;
  int dimensions;
};

std::vector<ProjectedSmearing> projected_smearings() {
  return {{"APE", [](const GaugeConfiguration& u) { return ape(u, 0.55); }, 4},
          {"spatial APE", [](const GaugeConfiguration& u) { return spatial_ape(u, 0.55); }, 3},
          {"HYP", [](const GaugeConfiguration& u) { return hyp(u); }, 4},
          {"spatial HYP", [](const GaugeConfiguration& u) { return spatial_hyp(u); }, 3}};
}

TEST(ReferenceProjectedSmearing, StaysInSu3CommutesWithTheGaugeAndSmooths) {
  const GaugeConfiguration u = warm_configuration({2, 4, 2, 2}, 3, 0.3);
  const GaugeTransformation g = random_transformation(u.size, 4);
  for (const auto& [name, smear, dimensions] : projected_smearings()) {
    const GaugeConfiguration v = smear(u), a = gauge_transform(v, g), b = smear(gauge_transform(u, g));
    for (std::size_t i = 0; i < a.links.size(); ++i) {
      EXPECT_LT(distance(a.links[i], b.links[i]), 1e-12) << name;
      EXPECT_LT(distance_from_su3(v.links[i]), 1e-12) << name;
      if (dimensions == 3 && i % 4 == 3) {
        EXPECT_EQ(v.links[i], u.links[i]) << name;
      }
    }
    EXPECT_GT(plaquette(v).spatial, plaquette(u).spatial + 0.1) << name;
  }
}

TEST(ReferenceProjectedSmearing, LevelsRepeat) {
  const GaugeConfiguration u = warm_configuration({2, 2, 2, 2}, 2, 0.3);
  EXPECT_EQ(ape(ape(u, 0.5), 0.5).links, ape(u, 0.5, 2).links);
  EXPECT_EQ(hyp(hyp(u)).links, hyp(u, 0.75, 0.6, 0.3, 2).links);
  EXPECT_EQ(spatial_hyp(u, 0.6, 0.3, 0).links, u.links);
}

// To first order in a weak Abelian field A_mu(x) = a cos(q x) along mu alone, both staples along nu together have twice
// the link's field times cos q_nu, so a projected sum multiplies it by 1 - alpha + alpha (average of cos q_nu); HYP
// nests three of these.
TEST(ReferenceProjectedSmearing, FormFactors) {
  using std::numbers::pi;
  for (const auto& [name, smear, dimensions] : projected_smearings())
    for (const std::array<double, 4> q :
         {std::array<double, 4>{0, 0, 0, 0}, {pi / 2, 0, pi, pi / 2}, {pi, 0, pi / 2, 0}, {pi, 0, pi, pi}}) {
      const double a = 1e-5;
      GaugeConfiguration u({4, 2, 4, 4});
      for (int n = 0; n < u.volume(); ++n) {
        const Site x = u.site(n);
        u.links[4 * n + 1] =
            exponential(Complex(0.0, a * std::cos(q[0] * x[0] + q[2] * x[2] + q[3] * x[3])) * generator(2));
      }
      const double found = smear(u).link({0, 0, 0, 0}, 1)(0, 0).imag() / (0.5 * a);
      const auto c = [&](int nu) { return std::cos(q[nu]); };
      const auto of_one = [&](double alpha, int nu) { return 1 - alpha + alpha * c(nu); };
      const auto of_two = [&](double alpha, double inner, int nu, int rho) {
        return 1 - alpha + alpha / 2 * (c(nu) * of_one(inner, rho) + c(rho) * of_one(inner, nu));
      };
      double expected = 0;
      const std::string kind = name;
      if (kind == "APE") expected = 0.45 + 0.55 / 3 * (c(0) + c(2) + c(3));
      if (kind == "spatial APE") expected = 0.45 + 0.55 / 2 * (c(0) + c(2));
      if (kind == "spatial HYP") expected = of_two(0.6, 0.3, 0, 2);
      if (kind == "HYP")
        expected =
            0.25 +
            0.75 / 3 * (c(0) * of_two(0.6, 0.3, 2, 3) + c(2) * of_two(0.6, 0.3, 0, 3) + c(3) * of_two(0.6, 0.3, 0, 2));
      EXPECT_NEAR(found, expected, 1e-8) << name;
    }
}

}  // namespace
}  // namespace trellis::reference
