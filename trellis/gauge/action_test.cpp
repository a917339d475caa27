// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/action.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/action.hpp"
#include "reference/loops.hpp"
#include "reference/numerical_derivative.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/action_names.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::to_reference;

const RandomStream hot{2026, 0, hot_start_purpose};

// Named actions, and those with parallelograms: alone, and with all loops.
const LoopWeights all_weights[]{Action{5.5, 0},      Action{5.5, -1.0 / 12},
                                Action{5.5, -0.331}, Action{5.5, -1.4088},
                                {0, 0, 1.5},         one_loop_symanzik(6.0, 0.86, 4)};
reference::LoopWeights to_reference(const LoopWeights& w) { return {w.plaquette, w.rectangle, w.parallelogram}; }

template <class T, int W>
GaugeField<T, W> random_links(Coordinate size) {
  GaugeField<T, W> u{Lattice(size, W)};
  hot_start(hot, u);
  return u;
}

class Shapes : public ::testing::TestWithParam<Coordinate> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Shapes,
                         ::testing::Values(Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 6, 8}, Coordinate{8, 2, 4, 4},
                                           Coordinate{2, 2, 2, 2}, Coordinate{6, 6, 2, 10}, Coordinate{16, 4, 4, 2}));

TEST_P(Shapes, PlaquetteAgreesWithReference) {
  for_each_lane_count(GetParam(), [&]<int W>() {
    const auto u = random_links<double, W>(GetParam());
    const auto expected = reference::plaquette(to_reference(u));
    const auto found = plaquette(u);
    EXPECT_NEAR(found.average, expected.total, 1e-15) << W;
    EXPECT_NEAR(found.spatial, expected.spatial, 1e-15) << W;
    EXPECT_NEAR(found.temporal, expected.temporal, 1e-15) << W;
    const auto single = random_links<float, W>(GetParam());
    EXPECT_NEAR(plaquette(single).average, expected.total, 1e-7) << W;
  });
}

TEST_P(Shapes, ParallelogramAgreesWithReference) {
  for_each_lane_count(GetParam(), [&]<int W>() {
    const auto u = random_links<double, W>(GetParam());
    const double expected = reference::parallelogram(to_reference(u));
    EXPECT_NEAR(parallelogram(u), expected, 1e-15) << W;
    EXPECT_NEAR(parallelogram(random_links<float, W>(GetParam())), expected, 1e-7) << W;
  });
}

TEST_P(Shapes, ActionAgreesWithReference) {
  for (const LoopWeights& weights : all_weights)
    for_each_lane_count(GetParam(), [&]<int W>() {
      const auto u = random_links<double, W>(GetParam());
      const double expected = reference::gauge_action(to_reference(u), to_reference(weights));
      EXPECT_NEAR(action(weights, u) / expected, 1, 1e-14) << W << " " << weights.rectangle;
    });
}

TEST_P(Shapes, ForceAgreesWithReference) {
  for (const LoopWeights& weights : all_weights)
    for_each_lane_count(GetParam(), [&]<int W>() {
      const auto u = random_links<double, W>(GetParam());
      const Lattice& lattice = u.lattice();
      const AlgebraField<double, W> p(lattice);
      add_force(weights, u, 1.0, p);
      const auto c = to_reference(u);
      const double scale = weights.plaquette + 12 * std::abs(weights.rectangle) + 16 * std::abs(weights.parallelogram);
      for (std::int64_t n = 0; n < lattice.volume(); n += 1 + lattice.volume() / 32)
        for (int mu = 0; mu < 4; ++mu) {
          const auto x = lattice.coordinate(n);
          const auto derivative = reference::gauge_derivative(c, x, mu, to_reference(weights));
          for (int a = 0; a < 8; ++a)
            ASSERT_NEAR(p.at(x, mu)[a], -derivative[a], 1e-14 * scale)
                << W << " " << weights.rectangle << " " << n << " " << mu;
        }
    });
}

TEST_P(Shapes, ForceIsMinusTheNumericalDerivative) {
  const auto u = random_links<double, 1>(GetParam());
  const auto c = to_reference(u);
  for (const LoopWeights& weights : all_weights) {
    const AlgebraField<double, 1> p(u.lattice());
    add_force(weights, u, 1.0, p);
    const auto f = [&](const reference::GaugeConfiguration& v) {
      return reference::gauge_action(v, to_reference(weights));
    };
    for (int mu = 0; mu < 4; mu += 3) {
      const Coordinate x = u.lattice().coordinate(u.lattice().volume() / 3 + mu);
      const auto derivative = reference::numerical_derivative(f, c, x, mu);
      double scale = 0;
      for (const double d : derivative) scale = std::max(scale, std::abs(d));
      for (int a = 0; a < 8; ++a)
        EXPECT_NEAR(p.at(x, mu)[a], -derivative[a], 1e-8 * scale) << weights.rectangle << " " << mu;
    }
  }
}

TEST(Action, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{8, 8, 4, 8};
  const LoopWeights weights = one_loop_symanzik(6.0, 0.86, 4);
  const auto one = random_links<double, 1>(size);
  const AlgebraField<double, 1> p1(one.lattice());
  draw_momenta({7, 3, momenta_purpose}, p1);
  add_force(weights, one, 0.01, p1);
  update_links(0.1, p1, one);
  const auto links = to_reference(one).links;
  const double action1 = action(weights, one), kinetic1 = kinetic_energy(p1), plaquette1 = plaquette(one).average;
  const int threads_before = concurrency();
  for (const int threads : {1, 2, 3})
    for_each_lane_count(size, [&]<int W>() {
      set_thread_count(threads);
      const auto u = random_links<double, W>(size);
      const AlgebraField<double, W> p(u.lattice());
      draw_momenta({7, 3, momenta_purpose}, p);
      add_force(weights, u, 0.01, p);
      update_links(0.1, p, u);
      EXPECT_EQ(action(weights, u), action1);
      EXPECT_EQ(kinetic_energy(p), kinetic1);
      EXPECT_EQ(plaquette(u).average, plaquette1);
      EXPECT_EQ(to_reference(u).links, links) << W << " lanes, " << threads << " threads";
    });
  set_thread_count(threads_before);
}

TEST(Action, WorkSpaceLeavesNoTrace) {
  const LoopWeights weights = one_loop_symanzik(6.0, 0.86, 4);
  LoopForceWork<double, 1> work;
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 2, 6}, Coordinate{4, 4, 4, 4}}) {
    const auto u = random_links<double, 1>(size);
    const AlgebraField<double, 1> fresh(u.lattice()), reused(u.lattice());
    for (int k = 0; k < 2; ++k) {
      add_force(weights, u, 0.1, fresh);
      add_force(weights, u, 0.1, reused, work);
    }
    for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        const auto x = u.lattice().coordinate(n);
        ASSERT_EQ(reused.at(x, mu), fresh.at(x, mu));
      }
  }
}

TEST(Action, IsGaugeInvariant) {
  const Coordinate size{4, 4, 4, 8};
  for (const LoopWeights& weights : all_weights) {
    const auto u = random_links<double, test::wide>(size);
    const auto before = u.clone();
    random_gauge_transformation({99, 0, gauge_transformation_purpose}, u);
    EXPECT_GT(std::abs(link_trace(u) - link_trace(before)), 1e-4);
    const double s = action(weights, before);
    EXPECT_NEAR(action_difference(weights, u, before), 0, 1e-14 * s);
    EXPECT_NEAR(plaquette(u).average, plaquette(before).average, 1e-15);
    EXPECT_NEAR(parallelogram(u), parallelogram(before), 1e-15);
  }
}

TEST(Action, DifferenceKeepsDigits) {
  const auto u = random_links<double, test::wide>({4, 4, 4, 4});
  const auto v = u.clone();
  const AlgebraField<double, test::wide> p(u.lattice());
  draw_momenta({1, 0, momenta_purpose}, p);
  const LoopWeights weights = one_loop_symanzik(6.0, 0.86, 4);
  update_links(1e-3, p, v);
  EXPECT_NEAR(action_difference(weights, v, u), action(weights, v) - action(weights, u), 1e-10);
  EXPECT_EQ(action_difference(weights, v, u), -action_difference(weights, u, v));
}

TEST(Momenta, HaveUnitVariance) {
  const AlgebraField<double, test::wide> p{Lattice({8, 8, 8, 8}, test::wide)};
  draw_momenta({5, 1, momenta_purpose}, p);
  const double n = 8 * 4 * 4096.0;
  EXPECT_NEAR(2 * kinetic_energy(p) / n, 1, 5 * std::sqrt(2 / n));
  const AlgebraField<double, test::wide> other{Lattice({8, 8, 8, 8}, test::wide)};
  draw_momenta({5, 2, momenta_purpose}, other);
  EXPECT_NE(p.at({1, 2, 3, 4}, 2), other.at({1, 2, 3, 4}, 2));
}

TEST(HotStart, IsInTheGroupAndUnbiased) {
  const auto u = random_links<double, test::wide>({8, 8, 8, 8});
  EXPECT_LT(unitarity_violation(u), 1e-14);
  EXPECT_NEAR(link_trace(u), 0, 5 / std::sqrt(18.0 * 4 * 4096));
  reunitarise(u);
  EXPECT_LT(unitarity_violation(u), 1e-14);
}

TEST(Action, OneLoopSymanzikInTheConventionOfItsAuthors) {
  const auto found = one_loop_symanzik(6.0, 0.86372, 4);
  const auto expected = reference::one_loop_symanzik(6.0, 0.86372, 4);
  EXPECT_NEAR(found.plaquette, expected.plaquette, 1e-15);
  EXPECT_NEAR(found.rectangle, expected.rectangle, 1e-15);
  EXPECT_NEAR(found.parallelogram, expected.parallelogram, 1e-15);
  for (const double u0 : {0.0, -0.5, 1.01, std::nan("")}) EXPECT_THROW(one_loop_symanzik(6, u0, 4), InputError) << u0;
  EXPECT_THROW(one_loop_symanzik(-1, 0.9, 4), InputError);
  EXPECT_THROW(one_loop_symanzik(6, 0.9, -1), InputError);
}

TEST(Action, HasAName) {
  EXPECT_THROW(named("gauge action", named_actions(), "willson"), InputError);
  EXPECT_EQ(named("gauge action", named_actions(), "symanzik").c1, -1.0 / 12);
}

}  // namespace
}  // namespace trellis::gauge
