// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/topology/charge_derivative.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/clover.hpp"
#include "reference/numerical_derivative.hpp"
#include "reference/stout.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/gauge/clover.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::gauge {
namespace {

TEST(ChargeDerivative, TheChargeIsThatOfTheClover) {
  const reference::Site size{4, 2, 4, 6};
  const auto c = reference::hot_configuration(size, 31);
  test::for_each_lane_count(size, [&]<int W>() {
    const auto u = test::from_reference<double, W>(c);
    const double charge = ChargeDerivative<double, W>(u.lattice()).charge(u);
    EXPECT_EQ(charge, clover_observables(u).topological_charge);
    EXPECT_NEAR(charge, reference::topological_charge(c), 1e-13);
  });
}

// The force of scale Q through no and two levels of smearing, on an oblong lattice and on one that is its own
// neighbour both ways.
TEST(ChargeDerivative, IsTheNumericalDerivative) {
  const double rho = 0.12, scale = -1.7;
  for (const reference::Site& size : {reference::Site{2, 4, 4, 4}, {2, 2, 2, 2}}) {
    const auto c = reference::warm_configuration(size, 32, 0.6);
    for (const int levels : {0, 2}) {
      const auto f = [&](const reference::GaugeConfiguration& v) {
        return scale * reference::topological_charge(reference::stout(v, rho, levels));
      };
      std::vector<std::array<double, 8>> expected;
      for (int mu = 0; mu < 4; ++mu) {
        const reference::Site x{1, mu % 2, 1, mu / 2};
        auto& of_link = expected.emplace_back();
        for (int a = mu % 2; a < 8; a += 2)
          of_link[std::size_t(a)] = (16 * reference::numerical_derivative(f, c, x, mu, a, 4e-3) -
                                     reference::numerical_derivative(f, c, x, mu, a, 8e-3)) /
                                    15;
      }
      test::for_each_lane_count(size, [&]<int W>() {
        const auto u = test::from_reference<double, W>(c);
        const StoutLinks<double, W> stout({rho, levels}, u.lattice());
        const ChargeDerivative<double, W> charge(u.lattice());
        const auto& smeared = stout.smear(u);
        charge.charge(smeared);
        const AlgebraField<double, W> p(u.lattice());
        stout.add_force(charge.derivative(scale, smeared), 1, p);
        double largest = 0;
        for (int mu = 0; mu < 4; ++mu) {
          const auto found = p.at({1, mu % 2, 1, mu / 2}, mu);
          for (std::size_t a = std::size_t(mu % 2); a < 8; a += 2) {
            EXPECT_NEAR(found[a], -expected[std::size_t(mu)][a], 1e-10) << levels << " " << mu << " " << a;
            largest = std::max(largest, std::abs(found[a]));
          }
        }
        EXPECT_GT(largest, 1e-3);
      });
    }
  }
}

}  // namespace
}  // namespace trellis::gauge
