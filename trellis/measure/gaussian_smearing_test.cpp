// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Sources and their smearing against explicit formulas.
#include "trellis/measure/gaussian_smearing.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "reference/projected_smearing.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_propagators.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
// [(1 + alpha H) / (1 + 6 alpha)]^steps psi with exp(i pi angle) on the links that leave the lattice.
reference::SpinorField naive(const reference::GaugeConfiguration& u, const std::array<double, 4>& angle, double alpha,
                             int steps, reference::SpinorField psi) {
  using namespace reference;
  for (int step = 0; step < steps; ++step) {
    reference::SpinorField next(psi.size());
    for (int n = 0; n < u.volume(); ++n) {
      const Site x = u.site(n);
      reference::Spinor sum = psi[std::size_t(n)];
      for (int i = 0; i < 3; ++i) {
        const Site up = shift(x, i), down = shift(x, i, -1);
        const Complex out = x[i] == u.size[i] - 1 ? std::polar(1.0, std::numbers::pi * angle[i]) : 1.0;
        const Complex in = x[i] == 0 ? std::polar(1.0, -std::numbers::pi * angle[i]) : 1.0;
        sum = sum + Complex(alpha) * (out * (u.link(x, i) * psi[std::size_t(u.index(up))]) +
                                      in * (adjoint(u.link(down, i)) * psi[std::size_t(u.index(down))]));
      }
      next[std::size_t(n)] = Complex(1 / (1 + 6 * alpha)) * sum;
    }
    psi = next;
  }
  return psi;
}

TEST(GaussianSmearing, OnApeAndHypLinks) {
  const reference::Site size{4, 2, 4, 4};
  const auto u = reference::hot_configuration(size, 13);
  const auto psi = reference::random_spinors(size, 1);
  const auto links = test::from_reference<double, 1>(u);
  const auto expect = [&](const reference::GaugeConfiguration& smeared, const GaussianParameters& parameters) {
    const FullSpinors<double, 1> field(links.lattice(), 1);
    test::from_reference(psi, field);
    GaussianSmearing<1>(parameters, {0, 0, 0, 1}, links)(field);
    const auto wanted = naive(smeared, {0, 0, 0, 1}, 0.7, 3, psi);
    EXPECT_LT(test::largest(test::to_reference(field) - wanted), 1e-12);
    EXPECT_GT(test::largest(wanted - naive(u, {0, 0, 0, 1}, 0.7, 3, psi)), 0.01);
  };
  GaussianParameters p{.alpha = 0.7, .steps = 3, .levels = 2, .links = SourceLinks::ape, .links_alpha = {0.4, 0}};
  expect(reference::spatial_ape(u, 0.4, 2), p);
  p.links = SourceLinks::hyp;
  p.links_alpha = {0.55, 0.35};
  expect(reference::spatial_hyp(u, 0.55, 0.35, 2), p);
  p.links_alpha = {1.5, 0.3};
  EXPECT_THROW(GaussianSmearing<1>(p, {0, 0, 0, 1}, links), InputError);
}

TEST(GaussianSmearing, IsTheFormula) {
  const reference::Site size{4, 2, 4, 4};
  const auto u = reference::hot_configuration(size, 3);
  const std::array<double, 4> angle{0.3, 0, -1.25, 1};
  const reference::SpinorField psi[] = {reference::random_spinors(size, 1), reference::random_spinors(size, 2)};
  const auto stout = test::to_reference(gauge::spatial_stout(0.1, 2, test::from_reference<double, 1>(u)));
  test::for_each_lane_count(size, [&]<int W>() {
    const auto links = test::from_reference<double, W>(u);
    for (const int levels : {0, 2})
      for (const int steps : {0, 1, 3}) {
        const FullSpinors<double, W> field(links.lattice(), 2);
        for (const int n : {0, 1}) test::from_reference(psi[n], field, n);
        const GaussianSmearing<W> smear({.alpha = 0.7, .steps = steps, .rho = 0.1, .levels = levels}, angle, links);
        smear(field);
        for (const int n : {0, 1}) {
          const auto wanted = naive(levels == 0 ? u : stout, angle, 0.7, steps, psi[n]);
          EXPECT_LT(test::largest(test::to_reference(field, n) - wanted), 1e-13) << levels << steps;
        }
      }
    EXPECT_EQ(test::distance(test::to_reference(links), u), 0);
  });
}

// [1 + width^2 Laplacian / (4 n)]^n with w^2 / (4 n) = alpha / (1 + 6 alpha), below and above 1/6.
TEST(GaussianSmearing, ByItsWidth) {
  constexpr int W = 1;
  const reference::Site size{4, 2, 4, 4};
  const auto u = reference::hot_configuration(size, 3);
  const auto psi = reference::random_spinors(size, 1);
  const auto links = test::from_reference<double, W>(u);
  const std::array<double, 4> angle{0.3, 0, -1.25, 1};
  for (const double hop : {0.05, 0.2}) {
    const FullSpinors<double, W> field(links.lattice(), 1);
    test::from_reference(psi, field, 0);
    const GaussianParameters p{.steps = 3, .levels = 0, .width = std::sqrt(4 * 3 * hop)};
    EXPECT_EQ(p.modes_grow(), hop > 1.0 / 6);
    GaussianSmearing<W>(p, angle, links)(field);
    const auto wanted = naive(u, angle, hop / (1 - 6 * hop), 3, psi);
    EXPECT_LT(test::largest(test::to_reference(field, 0) - wanted), 1e-13) << hop;
  }
}

TEST(GaussianSmearing, WidthOnUnitLinks) {
  constexpr int W = 1;
  const Lattice lattice({12, 12, 12, 2}, W);
  const FullSpinors<double, W> psi(lattice, columns);
  point_source<W>({6, 6, 6, 1}, psi);
  const GaussianParameters p{.alpha = 0.25, .steps = 3, .rho = 0.1, .levels = 1};
  GaussianSmearing<W>(p, {0, 0, 0, 1}, GaugeField<double, W>::unit(lattice))(psi);
  double sum = 0, squares = 0;
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    const double value = psi.at(x, 7)[14];
    EXPECT_TRUE(x[3] == 1 || value == 0);
    sum += value;
    for (int i = 0; i < 3; ++i) squares += value * (x[i] - 6) * (x[i] - 6);
  }
  EXPECT_NEAR(sum, 1, 1e-14);
  EXPECT_NEAR(squares / sum, 6 * 0.25 * 3 / (1 + 6 * 0.25), 1e-14);
}

TEST(GaussianSmearing, BadParametersAreRefused) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  const auto make = [&](const GaussianParameters& p) { GaussianSmearing<1>(p, {0, 0, 0, 1}, u); };
  EXPECT_THROW(make({.alpha = -1}), InputError);
  EXPECT_THROW(make({.width = -1}), InputError);
  EXPECT_THROW(make({.steps = -1}), InputError);
  EXPECT_THROW(make({.rho = 1}), InputError);
  EXPECT_THROW(make({.levels = -1}), InputError);
}

TEST(QuarkSource, PointAndWall) {
  const Coordinate size{4, 2, 4, 4};
  test::for_each_lane_count(size, []<int W>() {
    const Lattice lattice({4, 2, 4, 4}, W);
    const FullSpinors<double, W> b(lattice, columns);
    const Coordinate place{3, 1, 2, 1};
    for (const bool wall : {false, true, false}) {
      if (wall)
        wall_source<W>(1, b);
      else
        point_source<W>(place, b);
      for (std::int64_t site = 0; site < lattice.volume(); ++site)
        for (int column = 0; column < columns; ++column) {
          const Coordinate x = lattice.coordinate(site);
          std::array<double, 24> wanted{};
          if (wall ? x[3] == 1 : x == place) wanted[2 * std::size_t(column)] = 1;
          ASSERT_EQ(b.at(x, column), wanted);
        }
    }
    EXPECT_THROW(point_source<W>({4, 0, 0, 0}, b), InputError);
    EXPECT_THROW(point_source<W>({0, 0, -1, 0}, b), InputError);
    EXPECT_THROW(wall_source<W>(4, b), InputError);
    EXPECT_THROW(wall_source<W>(0, FullSpinors<double, W>(lattice, 3)), Error);
  });
}

}  // namespace
}  // namespace trellis::measure
