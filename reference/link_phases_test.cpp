// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/link_phases.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <string>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

using std::numbers::pi;

Complex plaquette_phase(const GaugeConfiguration& lattice, const LinkPhases& theta, const Site& x, int i, int j) {
  const auto at = [&](const Site& y, int mu) { return theta[4 * lattice.index(y) + mu]; };
  return std::polar(1.0, at(x, i) + at(shift(x, i), j) - at(shift(x, j), i) - at(x, j));
}

void expect_planes(const Site& size, const QuarkPhases& quark, const std::array<double, 6>& flux) {
  const std::array<std::array<int, 2>, 6> planes = {{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
  const GaugeConfiguration lattice(size);
  const LinkPhases theta = link_phases(size, quark);
  for (int n = 0; n < lattice.volume(); ++n)
    for (std::size_t p = 0; p < planes.size(); ++p) {
      const auto [i, j] = planes[p];
      const Complex expected = std::polar(1.0, 2.0 * pi * quark.charge * flux[p] / (size[i] * size[j]));
      EXPECT_LT(std::abs(plaquette_phase(lattice, theta, lattice.site(n), i, j) - expected), 1e-13) << n << " " << p;
    }
}

TEST(ReferenceLinkPhases, EveryPlaquetteOfAPlaneHasTheSamePhase) {
  const Site size = {2, 4, 6, 8};
  for (int p = 0; p < 6; ++p) {
    std::array<double, 6> b{};
    b[p] = 3.0;
    expect_planes(size, {true, 0.0, -1.0, {.ex = b[3], .ey = b[4], .ez = b[5], .bx = b[1], .by = b[2], .bz = b[0]}}, b);
  }
}

TEST(ReferenceLinkPhases, FieldsAdd) {
  const Flux flux{.ex = 1, .ey = -2, .ez = 3, .bx = -4, .by = 5, .bz = 6};
  expect_planes({6, 4, 2, 4}, {true, 0.37, 2.0, flux}, {6, -4, 5, 1, -2, 3});
}

TEST(ReferenceLinkPhases, PotentialAndBoundaryTurnTheLoopInTime) {
  const Site size = {2, 2, 4, 6};
  const GaugeConfiguration lattice(size);
  for (const bool antiperiodic : {false, true}) {
    const LinkPhases theta = link_phases(size, {.antiperiodic = antiperiodic, .imaginary_potential = 0.3});
    double sum = 0.0;
    for (int t = 0; t < size[3]; ++t) sum += theta[4 * lattice.index({1, 0, 2, t}) + 3];
    EXPECT_NEAR(sum, 0.3 * pi + (antiperiodic ? pi : 0.0), 1e-14);
    EXPECT_NEAR(theta[4 * lattice.index({1, 0, 2, 2}) + 3], 0.05 * pi, 1e-15);
    EXPECT_EQ(theta[4 * lattice.index({1, 0, 2, 5}) + 2], 0.0);
  }
}

TEST(ReferenceLinkPhases, ChargeTimesFluxMustBeAnInteger) {
  EXPECT_NO_THROW(link_phases({4, 4, 4, 4}, {.charge = 2.0, .flux = {.by = 0.5}}));
  try {
    link_phases({4, 4, 4, 4}, {.charge = -1.0, .flux = {.by = 0.5}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("by = 0.5"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("integer"), std::string::npos) << error.what();
  }
}

TEST(ReferenceLinkPhases, ExternalFieldIsLinearInTheFlux) {
  const LinkPhases one = external_field({4, 4, 2, 4}, -1.0, {.bz = 1.0});
  const LinkPhases part = external_field({4, 4, 2, 4}, 2.0, {.bz = 0.3});
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(part[i], -0.6 * one[i], 1e-15);
}

}  // namespace
}  // namespace trellis::reference
