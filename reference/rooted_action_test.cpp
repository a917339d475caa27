// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/rooted_action.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/numerical_derivative.hpp"
#include "reference/stout.hpp"

namespace trellis::reference {
namespace {

const QuarkPhases any_phases{.imaginary_potential = 0.2, .charge = 2.0, .flux = {.bz = 1}};
const RootedQuark rooted_quark{any_phases, 0.2, 0.25, {0.15, 2}};

TEST(ReferenceRootedAction, WithoutARootItIsASolution) {
  // phi^+ (M^+ M)^-1 phi = |M^-1 phi|^2, since phi is zero on odd sites.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 1);
  const ColourField phi = from_even(u.size, even_part(u.size, random_field(u.size, 2)));
  const ColourField x = solve_m(stout(u, 0.15, 2), link_phases(u.size, any_phases), 0.2, phi);
  EXPECT_NEAR(rooted_action(u, {any_phases, 0.2, 1.0, {0.15, 2}}, even_part(u.size, phi)), dot(x, x).real(), 1e-10);
}

TEST(ReferenceRootedAction, OnAnEigenvector) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 3);
  const Eigensystem a = hermitian_eigensystem(staggered_even_matrix(u, link_phases(u.size, any_phases), 0.2));
  DenseVector phi;
  for (int i = 0; i < a.vectors.n; ++i) phi.push_back(2.0 * a.vectors(5, i));
  EXPECT_NEAR(rooted_action(u, {any_phases, 0.2, 0.25}, phi), 4.0 * std::pow(a.values[5], -0.25), 1e-12);
}

TEST(ReferenceRootedAction, DoesNotTurnWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 4);
  const GaugeTransformation g = random_transformation(u.size, 5);
  const ColourField phi = random_field(u.size, 6);
  EXPECT_NEAR(rooted_action(gauge_transform(u, g), rooted_quark, even_part(u.size, gauge_transform(phi, g))),
              rooted_action(u, rooted_quark, even_part(u.size, phi)), 1e-10);
}

TEST(ReferenceRootedAction, GradientGivesTheDerivativeThroughStout) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 7);
  const DenseVector phi = even_part(u.size, random_field(u.size, 8));
  const LinkPhases theta = link_phases(u.size, any_phases);
  const auto a_of = [&](const GaugeConfiguration& v) {
    return staggered_even_matrix(stout(v, rooted_quark.smearing.rho, rooted_quark.smearing.levels), theta,
                                 rooted_quark.mass);
  };
  const DenseMatrix gradient = rooted_gradient(hermitian_eigensystem(a_of(u)), rooted_quark.power, phi);
  EXPECT_LT(distance(gradient, adjoint(gradient)), 1e-10);
  const Site x = {1, 0, 1, 0};
  const auto expected = rooted_derivative(u, rooted_quark, phi, x, 3);
  for (int a = 0; a < 8; ++a) {
    const auto f = [&](const GaugeConfiguration& v) { return trace(gradient * a_of(v)).real(); };
    EXPECT_NEAR(numerical_derivative(f, u, x, 3, a), expected[a], 1e-6) << a;
    EXPECT_GT(std::abs(expected[a]), 1e-4) << a;
  }
}

TEST(ReferenceRootedAction, DerivativesOfAGaugeRotationVanish) {
  // omega at one odd site, where phi is zero, rotates only its links: sum_mu D_mu(x) omega - U^+ omega U at x - mu = 0.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 9);
  const DenseVector phi = even_part(u.size, random_field(u.size, 10));
  const Site x = {0, 1, 0, 0};
  Matrix sum{};
  for (int mu = 0; mu < 4; ++mu) {
    const Site behind = shift(x, mu, -1);
    const Matrix& link = u.link(behind, mu);
    sum = sum + from_coefficients(rooted_derivative(u, rooted_quark, phi, x, mu));
    sum = sum - adjoint(link) * from_coefficients(rooted_derivative(u, rooted_quark, phi, behind, mu)) * link;
  }
  EXPECT_LT(norm(sum), 1e-6);
}

}  // namespace
}  // namespace trellis::reference
