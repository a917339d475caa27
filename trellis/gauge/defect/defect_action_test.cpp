// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/defect/defect_action.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/defect.hpp"
#include "reference/numerical_derivative.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/gauge/defect/translation.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::to_reference;

const LoopWeights loops_of_actions[]{Action{5.5, 0}, Action{5.5, -0.331}, one_loop_symanzik(6.0, 0.86, 4)};
const std::pair<Coordinate, Defect> places[]{{{4, 4, 4, 4}, {0, 2}}, {{6, 4, 2, 4}, {0, 2}}, {{2, 2, 2, 2}, {1, 1}},
                                             {{4, 6, 8, 4}, {2, 3}}, {{4, 4, 4, 8}, {3, 4}}, {{16, 4, 4, 4}, {0, 1}}};
reference::LoopWeights plain(const LoopWeights& w) { return {w.plaquette, w.rectangle, w.parallelogram}; }
reference::Defect plain(const Defect& d) { return {d.direction, d.length}; }

template <int W>
GaugeField<double, W> random_links(const Coordinate& size) {
  GaugeField<double, W> u{Lattice(size, W)};
  hot_start({2027, 0, hot_start_purpose}, u);
  return u;
}

TEST(Defect, EnergyAgreesWithReference) {
  for (const auto& [size, defect] : places)
    for (const LoopWeights& weights : loops_of_actions)
      for (const double coupling : {0.0, 0.3, 1.0}) {
        const auto c = to_reference(random_links<1>(size));
        const auto value = [&](double k) { return reference::defect_action(c, plain(weights), plain(defect), k); };
        const double expected = value(coupling) - value(1);
        for_each_lane_count(size, [&]<int W>() {
          const auto u = random_links<W>(size);
          const double found = DefectAction<W>(u.lattice(), defect).energy(weights, coupling, u);
          EXPECT_NEAR(found, expected, 1e-12 * std::abs(value(1)) + 1e-12)
              << W << " " << weights.rectangle << " " << coupling << " " << defect.direction;
          if (coupling == 1) {
            EXPECT_EQ(found, 0);
          }
        });
      }
}

// Two numbers give the action at every coupling.
TEST(Defect, LoopsGiveTheEnergyAtEveryCoupling) {
  for (const auto& [size, defect] : places)
    for (const LoopWeights& weights : loops_of_actions) {
      const auto c = to_reference(random_links<1>(size));
      const auto value = [&](double k) { return reference::defect_action(c, plain(weights), plain(defect), k); };
      for_each_lane_count(size, [&]<int W>() {
        const auto u = random_links<W>(size);
        const DefectLoops loops = DefectAction<W>(u.lattice(), defect).loops(weights, u);
        for (const double coupling : {0.0, 0.3, 0.85, 1.0})
          EXPECT_NEAR(loops.energy(coupling), value(coupling) - value(1), 1e-12 * std::abs(value(1)) + 1e-12)
              << W << " " << weights.rectangle << " " << defect.direction;
        EXPECT_EQ(loops.energy(1), 0);
        if (defect.length > 1) {
          EXPECT_GT(std::abs(loops.two), 1e-3);  // a single link is in loops twice only around a short torus
        }
      });
    }
}

TEST(Defect, ForceAgreesWithReferenceOnEveryLink) {
  for (const auto& [size, defect] : places)
    for (const LoopWeights& weights : loops_of_actions)
      for (const double coupling : {0.0, 0.7}) {
        const auto c = to_reference(random_links<1>(size));
        for_each_lane_count(size, [&]<int W>() {
          const auto u = random_links<W>(size);
          const AlgebraField<double, W> p(u.lattice());
          add_force(weights, u, 1.0, p);
          DefectAction<W>(u.lattice(), defect).add_force(weights, coupling, u, 1.0, p);
          // All links near the defect, and some of the others.
          for (int n = 0; n < c.volume(); n += W == 1 ? 1 : 7)
            for (int mu = 0; mu < 4; ++mu) {
              const auto x = c.site(n);
              const auto expected = reference::defect_derivative(c, x, mu, plain(weights), plain(defect), coupling);
              for (int a = 0; a < 8; ++a)
                ASSERT_NEAR(p.at(x, mu)[a], -expected[a], 1e-12) << W << " " << weights.rectangle << " " << n << mu;
            }
        });
      }
}

TEST(Defect, ForceIsMinusTheNumericalDerivative) {
  const Coordinate size{4, 4, 4, 4};
  const Defect defect{0, 2};
  const auto u = random_links<1>(size);
  const auto c = to_reference(u);
  for (const LoopWeights& weights : loops_of_actions) {
    const AlgebraField<double, 1> p(u.lattice());
    add_force(weights, u, 1.0, p);
    DefectAction<1>(u.lattice(), defect).add_force(weights, 0.4, u, 1.0, p);
    const auto f = [&](const reference::GaugeConfiguration& v) {
      return reference::defect_action(v, plain(weights), plain(defect), 0.4);
    };
    // A link of the defect, and one beside it.
    for (const auto& [x, mu] : {std::pair{Coordinate{3, 0, 1, 0}, 0}, {Coordinate{0, 1, 1, 0}, 1}}) {
      const auto derivative = reference::numerical_derivative(f, c, x, mu);
      double scale = 0;
      for (const double d : derivative) scale = std::max(scale, std::abs(d));
      for (int a = 0; a < 8; ++a) EXPECT_NEAR(p.at(x, mu)[a], -derivative[a], 1e-8 * scale) << weights.rectangle;
    }
  }
}

TEST(Defect, BitsDoNotDependOnLanes) {
  const Coordinate size{8, 8, 4, 8};
  const Defect defect{0, 3};
  const LoopWeights weights = one_loop_symanzik(6.0, 0.86, 4);
  const auto one = random_links<1>(size);
  const AlgebraField<double, 1> p1(one.lattice());
  const DefectAction<1> alone(one.lattice(), defect);
  const double energy = alone.energy(weights, 0.25, one);
  alone.add_force(weights, 0.25, one, 0.01, p1);
  for_each_lane_count(size, [&]<int W>() {
    const auto u = random_links<W>(size);
    const AlgebraField<double, W> p(u.lattice());
    const DefectAction<W> action(u.lattice(), defect);
    EXPECT_EQ(action.energy(weights, 0.25, u), energy) << W;
    action.add_force(weights, 0.25, u, 0.01, p);
    for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
      for (int mu = 0; mu < 4; ++mu)
        ASSERT_EQ(p.at(u.lattice().coordinate(n), mu), p1.at(u.lattice().coordinate(n), mu));
  });
}

TEST(Defect, MustFitTheLattice) {
  const Lattice lattice({4, 6, 6, 8}, 1);
  for (const Defect& wrong : {Defect{0, 0}, {0, 7}, {1, 5}, {4, 2}, {-1, 2}})
    EXPECT_THROW(DefectAction<1>(lattice, wrong), InputError) << wrong.direction << " " << wrong.length;
  EXPECT_NO_THROW(DefectAction<1>(lattice, {0, 6}));
}

TEST(Translation, MovesEveryLink) {
  const Coordinate size{4, 8, 6, 4};
  const auto before = to_reference(random_links<1>(size));
  for (const Coordinate& steps : {Coordinate{0, 0, 0, 0}, {1, 0, 0, 0}, {3, 7, 5, 2}, {2, 4, 3, 1}, {-1, 9, 0, 0}})
    for_each_lane_count(size, [&]<int W>() {
      auto u = random_links<W>(size);
      GaugeField<double, W> work(u.lattice());
      translate(steps, u, work);
      const auto after = to_reference(u);
      for (int n = 0; n < before.volume(); ++n) {
        auto from = before.site(n);
        for (int mu = 0; mu < 4; ++mu) from[mu] += steps[mu];
        for (int mu = 0; mu < 4; ++mu)
          ASSERT_EQ(after.link(before.site(n), mu), before.link(from, mu)) << W << " " << n;
      }
    });
}

}  // namespace
}  // namespace trellis::gauge
