// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered_observables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "reference/read_files.hpp"
#include "reference/staggered_matrix.hpp"

namespace trellis::reference {
namespace {

using std::numbers::pi;
const QuarkPhases periodic{.antiperiodic = false};
const QuarkPhases antiperiodic{};
const QuarkPhases observed_quark{.imaginary_potential = 0.4, .charge = 2.0, .flux = {.bx = 1, .bz = 1}};

double log_det(const GaugeConfiguration& u, const LinkPhases& theta, double mass) {
  return log_determinant_from_cholesky(cholesky(staggered_even_matrix(u, theta, mass)));
}

// First and second derivative at 0, by fourth-order central differences.
template <class F>
std::array<double, 2> derivatives(const F& f, double h) {
  const double a = f(-2 * h), b = f(-h), c = f(0.0), d = f(h), e = f(2 * h);
  return {(8 * (d - b) - (e - a)) / (12 * h), (16 * (d + b) - (e + a) - 30 * c) / (12 * h * h)};
}

TEST(ReferenceStaggeredObservables, ConstantSourceOnUnitLinks) {
  // Published for 4^4: 15 for periodic quarks, 0.294117647058825 if antiperiodicity is the phase exp(i pi / L_t) on
  // every t link.
  const auto half_a_site = [](const Site& size, const QuarkPhases& quark) {
    const GaugeConfiguration u(size);
    return constant_source(u, link_phases(size, quark), 0.1) / (2.0 * u.volume());
  };
  const Site small = {4, 4, 4, 4}, long_time = {2, 2, 2, 8};
  const QuarkPhases evenly{.antiperiodic = false, .imaginary_potential = 1.0};
  EXPECT_LT(std::abs(half_a_site(small, periodic) - 15.0), 1e-11);
  EXPECT_LT(std::abs(half_a_site(small, evenly) - 0.294117647058825), 1e-14);

  // With pi on the last link the source of ones is no longer a single momentum: in general the result differs, but it
  // is the same for L_t = 4, where every antiperiodic momentum has sin^2 p = 1/2.
  EXPECT_LT(std::abs(half_a_site(small, antiperiodic) - 0.294117647058825), 1e-14);
  const double one_momentum = 1.5 * 0.1 / (0.1 * 0.1 + std::pow(std::sin(pi / 8), 2));
  EXPECT_LT(std::abs(half_a_site(long_time, evenly) - one_momentum), 1e-14);
  EXPECT_GT(std::abs(half_a_site(long_time, antiperiodic) - one_momentum), 0.01);
}

TEST(ReferenceStaggeredObservables, FreeCondensates) {
  const Site small = {4, 4, 4, 4}, long_time = {4, 4, 4, 8}, large = {8, 8, 8, 8};
  // tr M^-1 / V: four tastes.
  EXPECT_NEAR(free_condensate(small, periodic, 0.1, 4), 2.034820328992, 1e-12);
  EXPECT_NEAR(free_condensate(small, antiperiodic, 0.1, 4), 0.203537200838, 1e-12);
  EXPECT_NEAR(free_condensate(long_time, antiperiodic, 0.05, 4), 0.141869242020, 1e-12);
  EXPECT_NEAR(free_condensate(large, antiperiodic, 0.025, 4), 0.047081663289, 1e-12);
}

TEST(ReferenceStaggeredObservables, FreeCondensatesFromTheOperator) {
  // With unit links M^-1(x, x) is the same for every site and colour.
  const auto from_a_point = [](const Site& size, const QuarkPhases& quark, double mass) {
    const ColourField source = point_field(size, {1, 2, 3, 2}, 1);
    return 3.0 * dot(source, solve_m(GaugeConfiguration(size), link_phases(size, quark), mass, source)).real();
  };
  EXPECT_NEAR(from_a_point({4, 4, 4, 4}, periodic, 0.1), 2.034820328992, 1e-12);
  EXPECT_NEAR(from_a_point({4, 4, 4, 4}, antiperiodic, 0.1), 0.203537200838, 1e-12);
  EXPECT_NEAR(from_a_point({4, 4, 4, 8}, antiperiodic, 0.05), 0.141869242020, 1e-12);
  EXPECT_NEAR(from_a_point({8, 8, 8, 8}, antiperiodic, 0.025), 0.047081663289, 1e-12);
  const QuarkPhases turned{.imaginary_potential = 0.3};
  EXPECT_NEAR(from_a_point({4, 4, 4, 4}, turned, 0.1), free_condensate({4, 4, 4, 4}, turned, 0.1, 4), 1e-12);
}

TEST(ReferenceStaggeredObservables, ExactTracesOfFreeQuarks) {
  const GaugeConfiguration u({4, 4, 2, 2});
  for (const QuarkPhases& quark : {periodic, antiperiodic}) {
    const double expected = free_condensate(u.size, quark, 0.1, 1);
    EXPECT_NEAR(exact_condensate(u, link_phases(u.size, quark), 0.1, 1), expected, 1e-12 * expected);
    const Complex trace = exact_traces(u, quark, 0.1).inverse;
    EXPECT_LT(std::abs(per_flavour(trace, 1, u.size) - expected), 1e-12 * expected);
  }
}

TEST(ReferenceStaggeredObservables, CondensateIsTheDerivativeByTheMass) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 1);
  const LinkPhases theta = link_phases(u.size, observed_quark);
  const auto d = derivatives([&](double h) { return log_det(u, theta, 0.2 + h) / (4.0 * u.volume()); }, 1e-3);
  const Complex exact = per_flavour(exact_traces(u, observed_quark, 0.2).inverse, 1.0, u.size);
  EXPECT_NEAR(exact.real(), d[0], 1e-10);
  EXPECT_NEAR(exact.imag(), 0.0, 1e-14);
  EXPECT_NEAR(exact_condensate(u, theta, 0.2, 1.0), exact.real(), 1e-13);
}

TEST(ReferenceStaggeredObservables, NumberDensityIsTheDerivativeByAnImaginaryPotential) {
  // a mu = i h: d/dh = i d/d(a mu), and theta_t = h = pi imaginary_potential / L_t.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 2);
  const QuarkTraces exact = exact_traces(u, observed_quark, 0.2);
  const auto at = [&](double h) {
    QuarkPhases quark = observed_quark;
    quark.imaginary_potential += u.size[3] * h / pi;
    return log_det(u, link_phases(u.size, quark), 0.2);
  };
  const auto d = derivatives(at, 2e-3);
  EXPECT_GT(std::abs(exact.first), 0.01);
  EXPECT_LT(std::abs(Complex(0.0, 1.0) * exact.first - d[0]), 1e-8);
  EXPECT_LT(std::abs(-(exact.second - exact.first_squared) - d[1]), 1e-5);
}

TEST(ReferenceStaggeredObservables, NumberDensityIsTheDerivativeByARealPotential) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 3);
  const LinkPhases theta = link_phases(u.size, observed_quark);
  const QuarkTraces exact = exact_traces(u, observed_quark, 0.2);
  const auto log_det_at = [&](double potential) {
    const DenseMatrix m =
        0.2 * dense_identity(3 * u.volume()) + hop_matrix(u, theta, weights_at_potential(u.size, potential));
    return log_determinant(lu_decomposition(m));
  };
  const Complex zero = log_det_at(0.0);
  // det M(mu) = det M(-mu)^*: the modulus is even and the phase odd in mu.
  const auto modulus = derivatives([&](double h) { return log_det_at(h).real(); }, 2e-3);
  const auto phase =
      derivatives([&](double h) { return std::arg(std::exp(Complex(0.0, (log_det_at(h) - zero).imag()))); }, 2e-3);
  EXPECT_LT(std::abs(exact.first - Complex(modulus[0], phase[0])), 1e-8);
  EXPECT_LT(std::abs(exact.second - exact.first_squared - Complex(modulus[1], phase[1])), 1e-5);
  EXPECT_NEAR(exact.first.real(), 0.0, 1e-12);
}

TEST(ReferenceStaggeredObservables, MagnetisationIsTheDerivativeByTheFlux) {
  const GaugeConfiguration u = hot_configuration({4, 2, 2, 2}, 4);
  const Complex exact = exact_traces(u, observed_quark, 0.2).magnetic;
  const LinkPhases theta = link_phases(u.size, observed_quark);
  const auto at = [&](double b) {
    LinkPhases moved = external_field(u.size, observed_quark.charge, {.bz = b});
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += theta[i];
    return log_det(u, moved, 0.2);
  };
  const auto d = derivatives(at, 1e-3);
  EXPECT_GT(std::abs(exact), 0.01);
  EXPECT_LT(std::abs(exact - d[0]), 1e-7);
}

TEST(ReferenceStaggeredObservables, NothingMagneticWithoutCharge) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 5);
  EXPECT_EQ(exact_traces(u, {.charge = 0.0, .flux = {.bz = 1}}, 0.2).magnetic, 0.0);
}

void expect_ward_identity(const GaugeConfiguration& u, const QuarkPhases& quark, double mass) {
  const PointSource point = point_source(u, link_phases(u.size, quark), mass);
  const double sum = std::accumulate(point.pion.begin(), point.pion.end(), 0.0);
  EXPECT_LT(std::abs(mass * sum - point.propagator), 1e-12 * sum);
}

TEST(ReferenceStaggeredObservables, WardIdentityOnSampleConfigurations) {
  expect_ward_identity(read_milc(TRELLIS_TEST_DATA "/milc/lat.sample.l4444"), antiperiodic, 0.1);
  expect_ward_identity(read_text(TRELLIS_TEST_DATA "/qcdm/testconf.txt", {4, 4, 4, 4}), periodic, 0.1);
}

TEST(ReferenceStaggeredObservables, WardIdentityWithAllPhases) {
  expect_ward_identity(hot_configuration({4, 2, 2, 4}, 6), observed_quark, 0.15);
}

TEST(ReferenceStaggeredObservables, TracesDoNotTurnWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 7);
  const GaugeConfiguration v = gauge_transform(u, random_transformation(u.size, 8));
  const QuarkTraces a = exact_traces(u, observed_quark, 0.2), b = exact_traces(v, observed_quark, 0.2);
  EXPECT_LT(std::abs(a.inverse - b.inverse), 1e-11);
  EXPECT_LT(std::abs(a.first - b.first), 1e-11);
  EXPECT_LT(std::abs(a.second - b.second), 1e-11);
  EXPECT_LT(std::abs(a.first_squared - b.first_squared), 1e-11);
  EXPECT_LT(std::abs(a.magnetic - b.magnetic), 1e-11);
}

}  // namespace
}  // namespace trellis::reference
