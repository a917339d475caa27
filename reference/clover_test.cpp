// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/clover.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reference/read_files.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceClover, TopologicalChargeOfQcdMeasurements) {
  // QCDMeasurements.jl prints -0.0271645859715460 for this file.
  EXPECT_NEAR(topological_charge(read_text(TRELLIS_TEST_DATA "/qcdm/testconf.txt", {4, 4, 4, 4})), -0.0271645859715460,
              1e-15);
}

TEST(ReferenceClover, EnergyAndChargeOfMilc) {
  // MILC's flow program at t = 0, in single precision, printed with six digits.
  const GaugeConfiguration u = read_milc(TRELLIS_TEST_DATA "/milc/lat.sample.l4448");
  const EnergyDensity e = clover_energy(u);
  EXPECT_NEAR(e.electric, 1.05787, 6e-6);
  EXPECT_NEAR(e.magnetic, 1.03094, 6e-6);
  EXPECT_EQ(e.total, e.electric + e.magnetic);
  EXPECT_NEAR(topological_charge(u), 0.0955429, 6e-8);
}

TEST(ReferenceClover, PlaquetteEnergyIsTheSumOverPlanes) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 2}, 1);
  double sum = 0.0;
  for (int nu = 0; nu < 4; ++nu)
    for (int mu = 0; mu < nu; ++mu)
      sum += 2.0 * 3.0 * (1.0 - average_loop(u, forward(mu) + forward(nu) + backward(mu) + backward(nu)).real());
  const EnergyDensity e = plaquette_energy(u);
  EXPECT_NEAR(e.total, sum, 1e-12);
  EXPECT_NEAR(e.total, e.electric + e.magnetic, 1e-12);
}

TEST(ReferenceClover, FieldStrengthIsHermitianTracelessAntisymmetricAndCovariant) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 4}, 2);
  const GaugeTransformation g = random_transformation(u.size, 3);
  const GaugeConfiguration v = gauge_transform(u, g);
  const Site x = {1, 2, 0, 3};
  const Matrix& h = g[u.index(x)];
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu) {
      if (mu == nu) continue;
      const Matrix f = field_strength(u, x, mu, nu);
      EXPECT_LT(distance(f, traceless_hermitian(f)), 1e-15);
      EXPECT_LT(distance(f, -1.0 * field_strength(u, x, nu, mu)), 1e-14);
      EXPECT_LT(distance(field_strength(v, x, mu, nu), h * f * adjoint(h)), 1e-14);
    }
}

// An abelian field in the direction of T_3 on a torus of extent l with one unit of flux through every xy and zt plane:
// each of these plaquettes is exp(i f T_3), f l^2 / 2 = 2 pi. In the continuum Q = 2, E = f^2.
GaugeConfiguration two_fluxes(int l) {
  GaugeConfiguration u({l, l, l, l});
  const double f = 4.0 * M_PI / (l * l);
  for (int i = 0; i < u.volume(); ++i) {
    const Site x = u.site(i);
    for (int mu : {0, 2}) {
      u.links[4 * i + mu] = exponential(Complex(0.0, -f * x[mu + 1]) * generator(2));
      if (x[mu + 1] == l - 1) u.links[4 * i + mu + 1] = exponential(Complex(0.0, f * l * x[mu]) * generator(2));
    }
  }
  return u;
}

TEST(ReferenceClover, AConstantFieldHasTheChargeOfItsFluxes) {
  const int l = 4;
  const double s = std::sin(2.0 * M_PI / (l * l));
  const GaugeConfiguration u = two_fluxes(l);
  EXPECT_NEAR(field_strength(u, {1, 3, 2, 3}, 0, 1)(0, 0).real(), s, 1e-14);
  EXPECT_NEAR(topological_charge(u), std::pow(l, 4) * 2.0 * s * s / (4.0 * M_PI * M_PI), 1e-12);
  EXPECT_NEAR(topological_charge(u), 2.0, 0.11);
  EXPECT_NEAR(clover_energy(u).magnetic, 2.0 * s * s, 1e-13);
  EXPECT_NEAR(clover_energy(u).electric, 2.0 * s * s, 1e-13);
}

TEST(ReferenceClover, AReflectionChangesTheSignOfTheCharge) {
  const GaugeConfiguration u = hot_configuration({4, 2, 4, 2}, 4);
  GaugeConfiguration v(u.size);
  for (int i = 0; i < u.volume(); ++i) {
    Site x = u.site(i);
    x[2] = -x[2];
    for (int mu = 0; mu < 4; ++mu) v.links[4 * i + mu] = u.link(x, mu);
    v.links[4 * i + 2] = adjoint(u.link(shift(x, 2, -1), 2));
  }
  EXPECT_NEAR(clover_energy(v).total, clover_energy(u).total, 1e-12);
  EXPECT_NEAR(topological_charge(v), -topological_charge(u), 1e-12);
  EXPECT_GT(std::abs(topological_charge(u)), 1e-3);
}

}  // namespace
}  // namespace trellis::reference
