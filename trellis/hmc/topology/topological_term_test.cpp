// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/topology/topological_term.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/boundary.hpp"
#include "reference/clover.hpp"
#include "reference/numerical_derivative.hpp"
#include "reference/stout.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"

namespace trellis::hmc {
namespace {

const ChargePotential quadratic{.strength = 1.3}, periodic{ChargePotentialForm::periodic, -2.5, 0.8},
    table{ChargePotentialForm::table, 0, 1, 0.4, {0, 0.7, -1.1, 0.3, 0.5}};

TEST(ChargePotential, AreTheirFormulas) {
  EXPECT_DOUBLE_EQ(value(quadratic, -1.5), 1.3 * 2.25);
  EXPECT_NEAR(value(periodic, 0.4), -2.5, 1e-15);
  EXPECT_NEAR(value(periodic, -0.8), 0, 1e-15);
  for (std::size_t k = 0; k < table.values.size(); ++k)
    for (const double sign : {1.0, -1.0}) EXPECT_NEAR(value(table, sign * 0.4 * double(k)), table.values[k], 1e-15);
  EXPECT_EQ(value(table, 7.0), 0.5);
  EXPECT_EQ(slope(table, -7.0), 0);
  for (const auto* potential : {&quadratic, &periodic, &table})
    for (double q = -2.03; q < 2.1; q += 0.0997) {
      const double h = 1e-3;
      const double wide = (value(*potential, q + 2 * h) - value(*potential, q - 2 * h)) / (4 * h),
                   narrow = (value(*potential, q + h) - value(*potential, q - h)) / (2 * h);
      EXPECT_NEAR(slope(*potential, q), (4 * narrow - wide) / 3, 1e-8) << q;
    }
  // Slopes of a table are continuous.
  for (const double q : {0.4, 0.8, 1.2, 1.6}) EXPECT_NEAR(slope(table, q - 1e-9), slope(table, q + 1e-9), 1e-6);
}

TEST(ChargePotential, WhatIsOutOfRangeIsAnError) {
  for (const ChargePotential& bad :
       {ChargePotential{.period = 0},
        ChargePotential{.form = ChargePotentialForm::table, .spacing = 0, .values = {1, 2}},
        ChargePotential{.form = ChargePotentialForm::table, .values = {1}}})
    EXPECT_THROW(require_valid(bad), InputError);
}

TEST(TopologicalTerm, ForceAndEnergyAreThoseOfTheOracle) {
  const reference::Site size{4, 2, 4, 4};
  const auto c = reference::warm_configuration(size, 7, 0.5), other = reference::warm_configuration(size, 8, 0.5);
  for (const auto* potential : {&quadratic, &periodic, &table}) {
    const auto energy = [&](const reference::GaugeConfiguration& v) {
      return value(*potential, reference::topological_charge(reference::stout(v, 0.1, 2)));
    };
    const auto u = test::from_reference<double, test::wide>(c), v = test::from_reference<double, test::wide>(other);
    const TopologicalPotential parameters{*potential, {0.1, 2}};
    const auto term = make_topological_term<test::wide>(parameters, u.lattice());
    EXPECT_EQ(term->name(), topological_term_name);
    EXPECT_NEAR(term->difference(v, u), energy(other) - energy(c), 1e-13);
    EXPECT_NEAR(charge_and_potential(parameters, u).potential, energy(c), 1e-13);
    EXPECT_NEAR(charge_and_potential(parameters, u).charge, reference::topological_charge(reference::stout(c, 0.1, 2)),
                1e-13);
    const AlgebraField<double, test::wide> p(u.lattice());
    term->add_force(u, 0.5, p);
    for (const int mu : {0, 3})
      for (const int a : {mu, 7 - mu}) {
        const reference::Site x{mu, 1, 2, 3 - mu};
        const double wide = reference::numerical_derivative(energy, c, x, mu, a, 8e-3),
                     narrow = reference::numerical_derivative(energy, c, x, mu, a, 4e-3);
        EXPECT_NEAR(p.at(x, mu)[std::size_t(a)], -0.5 * (16 * narrow - wide) / 15, 1e-9);
      }
  }
}

// With boundaries in time the charge of the slices between them, on links smeared as the boundary wants; no force for
// links that are not variables. The links of the boundary's own slices count, on which no charge is.
TEST(TopologicalTerm, WithBoundariesInTimeIsThatOfTheOracle) {
  const reference::Site size{2, 2, 4, 6};
  const ChargePotential strong{.strength = 200};
  for (const auto& boundary : {test::open_boundary, test::schroedinger_functional(5), test::schroedinger_functional(4)})
    for (const int levels : {0, 2}) {
      const int last = boundary.last_slice(size);
      const auto c = test::with_boundary(reference::warm_configuration(size, 7, 0.5), boundary),
                 other = test::with_boundary(reference::warm_configuration(size, 8, 0.5), boundary);
      const auto energy = [&](const reference::GaugeConfiguration& v) {
        const auto smeared = test::stout_with_boundary(v, 0.1, levels, boundary);
        double charge = 0;
        for (int n = 0; n < v.volume(); ++n)
          if (const auto x = v.site(n); x[3] > 0 && x[3] < last)
            charge += reference::topological_charge_density(smeared, x);
        return value(strong, charge);
      };
      const auto u = test::from_reference<double, 1>(c), v = test::from_reference<double, 1>(other);
      const TopologicalPotential parameters{strong, {0.1, levels, boundary}};
      const auto term = make_topological_term<1>(parameters, u.lattice());
      EXPECT_NEAR(term->difference(v, u), energy(other) - energy(c), 1e-11);
      EXPECT_NEAR(charge_and_potential(parameters, u).potential, energy(c), 1e-11);
      const AlgebraField<double, 1> p(u.lattice());
      term->add_force(u, 0.5, p);
      const reference::TimeBoundary of{boundary.kind == gauge::BoundaryKind::schroedinger_functional, last, 1};
      double largest = 0;
      for (const int mu : {0, 3})
        for (int t = 0; t < 6; ++t) {
          const reference::Site x{mu / 3, 1, 2, t};
          const auto found = p.at(x, mu);
          if (!reference::is_variable(x, mu, of)) {
            EXPECT_EQ(found, (std::array<double, 8>{})) << t << " " << mu;
            continue;
          }
          const int a = (t + mu) % 8;
          const double wide = reference::numerical_derivative(energy, c, x, mu, a, 8e-3),
                       narrow = reference::numerical_derivative(energy, c, x, mu, a, 4e-3);
          EXPECT_NEAR(found[std::size_t(a)], -0.5 * (16 * narrow - wide) / 15, 1e-8)
              << gauge::name_of(boundary) << ", " << levels << " levels, t = " << t << ", mu = " << mu;
          largest = std::max(largest, std::abs(found[std::size_t(a)]));
        }
      EXPECT_GT(largest, 1e-4);
    }
}

template <int W>
HybridMonteCarlo<double, W> with_potential(const Lattice& lattice, const Scheme& scheme, int steps) {
  auto terms = make_gauge_terms<double, W>({{"gauge", gauge::Action{5.0, 0}}});
  terms.push_back(make_topological_term<W>({{.strength = 8}, {0.1, 2}}, lattice));
  return {{0.5, {{scheme, steps, {"gauge", std::string(topological_term_name)}}}}, std::move(terms), lattice};
}

template <int W>
GaugeField<double, W> warm(const Lattice& lattice) {
  const auto u = GaugeField<double, W>::unit(lattice);
  const AlgebraField<double, W> p(lattice);
  gauge::draw_momenta({3, 0, RandomPurpose::test}, p);
  gauge::update_links(0.4, p, u);
  return u;
}

TEST(TopologicalTerm, TrajectoriesHaveTheOrderOfTheirIntegratorAndAreReversible) {
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  for (const auto& [scheme, order, steps] :
       {std::tuple{leapfrog(), 2, 16}, {minimum_norm_2(), 2, 8}, {minimum_norm_4(), 4, 6}}) {
    double squares[2] = {};
    for (const int k : {0, 1})
      for (std::uint32_t trajectory = 0; trajectory < 6; ++trajectory) {
        const auto record = with_potential<test::wide>(lattice, scheme, steps << k)(
            {.seed = 4, .trajectory = trajectory, .check_reversibility = true}, warm<test::wide>(lattice));
        squares[k] += record.dH * record.dH;
        ASSERT_TRUE(record.reversibility);
        EXPECT_LT(record.reversibility->links, 1e-12);
        EXPECT_LT(record.reversibility->energy, 1e-9);
        EXPECT_NE(record.terms[1].difference, 0);
        EXPECT_GT(record.terms[1].force_maximum, 0);
      }
    EXPECT_NEAR(0.5 * std::log2(squares[0] / squares[1]), order, 0.2) << scheme.name << " " << squares[0];
  }
}

// Without strength, the links of a trajectory without the term, to rounding.
TEST(TopologicalTerm, WithoutStrengthChangesNothing) {
  const Lattice lattice({4, 4, 2, 4});
  const auto u = warm<1>(lattice), v = warm<1>(lattice);
  auto terms = make_gauge_terms<double, 1>({{"gauge", gauge::Action{5.0, 0}}});
  const HybridMonteCarlo<double, 1> plain({0.5, {{leapfrog(), 4, {"gauge"}}}}, terms, lattice);
  terms.push_back(make_topological_term<1>({{.strength = 0}, {0.1, 1}}, lattice));
  const HybridMonteCarlo<double, 1> with({0.5, {{leapfrog(), 4, {"gauge", std::string(topological_term_name)}}}}, terms,
                                         lattice);
  const TrajectoryRequest request{.seed = 4, .trajectory = 1, .accept_always = true};
  EXPECT_EQ(plain(request, u).dH, with(request, v).dH);
  EXPECT_EQ(test::distance(test::to_reference(u), test::to_reference(v)), 0);
}

}  // namespace
}  // namespace trellis::hmc
