// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reference/clover.hpp"
#include "reference/read_files.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceFlow, OfMilc) {
  // MILC's Wilson flow of this file with steps of 0.1, in single precision, printed with six digits.
  struct Printed {
    int steps;
    double electric, magnetic, charge;
  };
  GaugeConfiguration u = read_milc(std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l4448");
  int done = 0;
  for (const Printed& milc : {Printed{2, 0.506125, 0.481396, 0.0166373}, Printed{5, 0.152452, 0.125636, 0.00570391},
                              Printed{9, 0.0585831, 0.0404036, 0.000886915}}) {
    u = flow(u, 0.1, milc.steps - done);
    done = milc.steps;
    const EnergyDensity e = clover_energy(u);
    EXPECT_NEAR(e.electric, milc.electric, 2e-6 * milc.electric + 5e-8);
    EXPECT_NEAR(e.magnetic, milc.magnetic, 2e-6 * milc.magnetic + 5e-8);
    EXPECT_NEAR(topological_charge(u), milc.charge, 6e-8);
  }
}

TEST(ReferenceFlow, IsOfThirdOrder) {
  const GaugeConfiguration u = warm_configuration({2, 2, 2, 4}, 1, 0.4);
  for (double c1 : {wilson_c1, symanzik_c1}) {
    const auto value = [&](int steps) { return plaquette(flow(u, 0.2 / steps, steps, c1)).total; };
    const double exact = value(100);
    EXPECT_NEAR((value(16) - exact) / (value(32) - exact), 8.0, 1.5) << c1;
  }
}

TEST(ReferenceFlow, DescendsAlongTheGradient) {
  // d/dt sum_plaquettes Re tr(1 - P) = -sum_links |Z|^2.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 2);
  const auto action = [](const GaugeConfiguration& v) { return gauge_action(v, 3.0, wilson_c1); };
  double square = 0.0;
  for (const Matrix& z : flow_direction(u)) square += norm(z) * norm(z);
  const double h = 1e-4;
  EXPECT_NEAR((action(flow_step(u, h)) - action(flow_step(u, -h))) / (2.0 * h), -square, 1e-5 * square);
}

TEST(ReferenceFlow, DirectionIsTheForceOfTheActionAtBetaSix) {
  // i (sum_a T_a dS/d omega_a) = (beta/6) A and Z = -A.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 3);
  const auto z = flow_direction(u, symanzik_c1), d = gauge_derivative(u, 6.0, symanzik_c1);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_LT(distance(z[i], Complex(0.0, -1.0) * d[i]), 1e-13);
}

TEST(ReferenceFlow, StaysInSu3AndCommutesWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 4);
  const GaugeTransformation g = random_transformation(u.size, 5);
  const GaugeConfiguration a = gauge_transform(flow(u, 0.05, 4), g), b = flow(gauge_transform(u, g), 0.05, 4);
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_LT(distance(a.links[i], b.links[i]), 1e-12);
    EXPECT_LT(distance_from_su3(a.links[i]), 1e-12);
  }
}

}  // namespace
}  // namespace trellis::reference
