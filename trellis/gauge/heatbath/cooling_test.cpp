// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/cooling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/action.hpp"
#include "reference/random.hpp"
#include "reference/read_files.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/clover.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
using test::to_reference;

TEST(Cooling, TheActionFalls) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 2, 6}, Coordinate{2, 2, 2, 2}})
    for_each_lane_count(size, [&]<int W>() {
      const auto u = from_reference<double, W>(reference::hot_configuration(size, 2));
      double before = action(Action{6, 0}, u);
      for (int step = 0; step < 20; ++step) {
        cooling_step(u);
        const double after = action(Action{6, 0}, u);
        EXPECT_LT(after, before) << step;
        before = after;
      }
      EXPECT_LT(unitarity_violation(u), 1e-14);
    });
}

// The links of the last direction on odd sites are visited last, so they are at their maximum.
TEST(Cooling, LinksAreAtTheirMaximum) {
  const Coordinate size{4, 4, 4, 4};
  for (const bool hot : {true, false}) {
    const auto start = hot ? reference::hot_configuration(size, 3) : reference::warm_configuration(size, 3, 0.3);
    const auto u = from_reference<double, test::wide>(start);
    cooling_step(u);
    const auto c = to_reference(u);
    reference::Random random(7);
    for (int n = 0; n < c.volume(); ++n) {
      const auto x = c.site(n);
      if ((x[0] + x[1] + x[2] + x[3]) % 2 == 0) continue;
      const reference::Matrix v = reference::staple(c, x, 3, {1, 0, 0});
      const double before = trace(start.link(x, 3) * v).real(), reached = trace(c.link(x, 3) * v).real();
      // Many rounds of small random changes would be slow at finding the best link, so this climbs along the gradient.
      reference::Matrix best = c.link(x, 3);
      for (int k = 0; k < 60; ++k)
        best = reference::exponential(reference::Complex(-0.15) * reference::traceless_antihermitian(best * v)) * best;
      const double most = std::max(reached, trace(best * v).real());
      EXPECT_GE(reached, before);
      EXPECT_LT(most - reached, 0.01 * (most - before)) << hot << " " << n;
      for (int k = 0; k < 5; ++k) EXPECT_LE(trace(reference::random_su3(random) * v).real(), most * (1 + 1e-12));
    }
  }
}

TEST(Cooling, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{8, 4, 4, 4};
  const auto c = reference::hot_configuration(size, 12);
  const int threads_before = concurrency();
  set_thread_count(1);
  const auto one = from_reference<double, 1>(c);
  for (int k = 0; k < 2; ++k) cooling_step(one);
  const auto links = to_reference(one);
  for (const int threads : {1, 3})
    for_each_lane_count(size, [&]<int W>() {
      set_thread_count(threads);
      const auto u = from_reference<double, W>(c);
      for (int k = 0; k < 2; ++k) cooling_step(u);
      EXPECT_EQ(to_reference(u).links, links.links) << W << " lanes, " << threads << " threads";
    });
  set_thread_count(threads_before);
}

TEST(Cooling, IsGaugeCovariant) {
  const auto u = from_reference<double, test::wide>(reference::warm_configuration({4, 4, 4, 4}, 9, 0.3));
  const auto v = u.clone();
  random_gauge_transformation({4, 0, gauge_transformation_purpose}, v);
  cooling_step(u);
  cooling_step(v);
  // Subgroup steps are not gauge covariant before they have converged.
  EXPECT_NEAR(plaquette(u).average, plaquette(v).average, 2e-3);
}

// Random links cool to an instanton: a charge near 1 (the clover on a small lattice sees a little less) that is stable.
// Its action is 8 pi^2 / g^2, which is 4 pi^2 / 3 in units of beta; what is not yet cooled away adds to that.
TEST(Cooling, TheChargeHasAPlateau) {
  const GaugeField<double, 1> u{Lattice({6, 6, 6, 6})};
  hot_start({2, 0, hot_start_purpose}, u);
  double charge = 0;
  for (int step = 1; step <= 50; ++step) {
    cooling_step(u);
    if (step == 30) charge = clover_observables(u).topological_charge;
    if (step >= 30 && step % 5 == 0) {
      EXPECT_NEAR(clover_observables(u).topological_charge, charge, 0.05) << step;
    }
  }
  EXPECT_NEAR(std::abs(charge), 0.9, 0.1);
  const double instantons = action(Action{1, 0}, u) / 13.16;
  EXPECT_GT(instantons, 0.95);
  EXPECT_LT(instantons, 1.5);
}

TEST(Cooling, UnitLinksStay) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 4, 2, 2}));
  const auto before = to_reference(u);
  cooling_step(u);
  EXPECT_EQ(to_reference(u).links, before.links);
}

}  // namespace
}  // namespace trellis::gauge
