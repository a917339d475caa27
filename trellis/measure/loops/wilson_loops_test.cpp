// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/loops/wilson_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/projected_smearing.hpp"
#include "reference/wilson_loops.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/measure/loops/transporters.hpp"

namespace trellis::measure {
namespace {

// As vectors of integers, with all signs up to the overall one.
std::vector<std::array<int, 3>> all_of(const std::array<int, 3>& steps) {
  std::vector<std::array<int, 3>> all;
  for (const auto& group : displacements_of(steps))
    for (int k = 0; k < group.count; ++k) {
      std::array<int, 3> r{};
      for (std::size_t i = 0; i < 3; ++i) {
        const int step = group.direction[std::size_t(k)][i];
        r[std::size_t(step % 4)] += step < 4 ? steps[i] : -steps[i];
      }
      all.push_back(r);
    }
  return all;
}

TEST(WilsonLoops, DisplacementsThatTheCubeMakesEqual) {
  const std::pair<std::string_view, std::size_t> counts[] = {{"100", 3}, {"110", 6}, {"111", 4}, {"210", 12}};
  ASSERT_EQ(loop_directions().size(), std::size(counts));
  for (std::size_t k = 0; k < std::size(counts); ++k) {
    const auto& direction = loop_directions()[k];
    EXPECT_EQ(direction.name, counts[k].first);
    const auto all = all_of(direction.steps);
    EXPECT_EQ(all.size(), counts[k].second);
    for (const auto& r : all) {
      EXPECT_DOUBLE_EQ(std::sqrt(double(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])), direction.length());
      EXPECT_EQ(std::ranges::count(all, r), 1);
      EXPECT_EQ(std::ranges::count(all, std::array{-r[0], -r[1], -r[2]}), 0);
    }
  }
}

// All loops by walking along the links.
TEST(WilsonLoops, AreTheFormula) {
  const reference::Site size{4, 4, 4, 4};
  const auto u = reference::warm_configuration(size, 3, 0.5);
  const auto time = reference::hyp(u, 0.9, 0.7, 0.4);
  const std::vector levels{u, reference::spatial_ape(u, 0.6, 2)};
  WilsonLoopSelection s{.directions = {"100", "111", "210", "110"},
                        .distance = 1,
                        .time = 2,
                        .ape_alpha = 0.6,
                        .levels = {0, 2},
                        .hyp_alpha = {0.9, 0.7, 0.4}};
  std::vector<WilsonLoop> expected;
  for (const auto& name : s.directions) {
    const auto& steps = std::ranges::find(loop_directions(), name, &LoopDirection::name)->steps;
    const auto all = all_of(steps);
    for (int t = 1; t <= 2; ++t)
      for (int a = 0; a < 2; ++a)
        for (int b = a; b < 2; ++b) {
          double sum = 0;
          for (const auto& r : all)
            sum += reference::wilson_loop(levels[std::size_t(a)], levels[std::size_t(b)], time, r, 1, t) +
                   reference::wilson_loop(levels[std::size_t(b)], levels[std::size_t(a)], time, r, 1, t);
          expected.push_back({name, 1, t, 2 * a, 2 * b, sum / (2 * double(all.size()))});
        }
  }
  test::for_each_lane_count(size, [&]<int W>() {
    const auto loops = wilson_loops(s, test::from_reference<double, W>(u));
    ASSERT_EQ(loops.size(), expected.size());
    for (std::size_t k = 0; k < loops.size(); ++k) {
      EXPECT_EQ(loops[k].direction, expected[k].direction);
      EXPECT_EQ(loops[k].time, expected[k].time);
      EXPECT_EQ(loops[k].level, expected[k].level);
      EXPECT_EQ(loops[k].other_level, expected[k].other_level);
      EXPECT_NEAR(loops[k].value, expected[k].value, 1e-14) << loops[k].direction << " " << k;
    }
  });
}

// Longer than one step, on links as they are, also on an oblong lattice.
TEST(WilsonLoops, OfSeveralSteps) {
  const reference::Site size{8, 4, 4, 4};
  const auto u = reference::hot_configuration(size, 8);
  const auto loops = wilson_loops({.directions = {"100", "110"}, .distance = 2, .time = 2},
                                  test::from_reference<double, test::wide>(u));
  ASSERT_EQ(loops.size(), 8u);
  for (const auto& loop : loops) {
    const auto all = all_of(loop.direction == "100" ? std::array{1, 0, 0} : std::array{1, 1, 0});
    double sum = 0;
    for (const auto& r : all) sum += reference::wilson_loop(u, u, u, r, loop.distance, loop.time);
    EXPECT_NEAR(loop.value, sum / double(all.size()), 1e-14) << loop.direction << loop.distance << loop.time;
    if (loop.direction == "100") {
      EXPECT_NEAR(loop.value, reference::wilson_loop(u, loop.distance, loop.time), 1e-14);
    }
  }
  EXPECT_NEAR(loops[0].value, gauge::plaquette(test::from_reference<double, 1>(u)).temporal, 1e-15);
}

TEST(WilsonLoops, OnUnitLinksAreOne) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  const WilsonLoopSelection s{.directions = {"100", "110", "111", "210"},
                              .distance = 1,
                              .time = 2,
                              .levels = {0, 1, 3},
                              .hyp_alpha = {1, 1, 0.5}};
  const auto loops = wilson_loops(s, u);
  ASSERT_EQ(loops.size(), 4u * 2 * 6);
  for (const auto& loop : loops) EXPECT_NEAR(loop.value, 1, 1e-14);
}

TEST(WilsonLoops, AreGaugeInvariant) {
  const auto u = reference::warm_configuration({4, 4, 4, 4}, 4, 0.5);
  const auto v = reference::gauge_transform(u, reference::random_transformation(u.size, 6));
  const WilsonLoopSelection s{
      .directions = {"100", "210"}, .distance = 1, .time = 2, .levels = {0, 2}, .hyp_alpha = {0.75, 0.6, 0.3}};
  const auto before = wilson_loops(s, test::from_reference<double, test::wide>(u)),
             after = wilson_loops(s, test::from_reference<double, test::wide>(v));
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k].value, before[k].value, 1e-14);
}

// At strong coupling W(r, t) = p^(r t) with the average plaquette p = beta / 18 + beta^2 / 216 + ...; corrections are
// of the order of p^4 more.
TEST(WilsonLoops, AtStrongCouplingFollowTheArea) {
  const Lattice lattice({8, 8, 8, 8}, test::wide);
  const auto u = GaugeField<double, test::wide>::unit(lattice);
  const gauge::Action action{.beta = 2};
  double plaquette = 0, two = 0, four = 0;
  constexpr int first = 10, last = 34;
  for (int sweep = 0; sweep < last; ++sweep) {
    gauge::heatbath_update({action, 1}, {17, std::uint32_t(sweep), gauge::heatbath_purpose}, u);
    if (sweep < first) continue;
    const auto loops = wilson_loops({.distance = 2, .time = 2}, u);
    plaquette += loops[0].value / (last - first);
    two += (loops[1].value + loops[2].value) / (2 * (last - first));
    four += loops[3].value / (last - first);
  }
  EXPECT_NEAR(plaquette, 2.0 / 18 + 4.0 / 216, 1e-3);
  EXPECT_NEAR(two, plaquette * plaquette, 1e-3);
  EXPECT_NEAR(four, std::pow(plaquette, 4), 1e-3);
}

TEST(WilsonLoops, WhatIsOutOfRangeIsAnError) {
  const Coordinate size{8, 6, 8, 8};
  EXPECT_NO_THROW(require_valid(WilsonLoopSelection{.distance = 3, .time = 4}, size));
  for (const WilsonLoopSelection& bad :
       {WilsonLoopSelection{.directions = {}}, WilsonLoopSelection{.directions = {"120"}},
        WilsonLoopSelection{.distance = 0}, WilsonLoopSelection{.distance = 4},
        WilsonLoopSelection{.directions = {"210"}, .distance = 2}, WilsonLoopSelection{.distance = 1, .time = 5},
        WilsonLoopSelection{.distance = 1, .time = 0}, WilsonLoopSelection{.distance = 1, .levels = {}},
        WilsonLoopSelection{.distance = 1, .levels = {3, 3}}, WilsonLoopSelection{.distance = 1, .levels = {-1}},
        WilsonLoopSelection{.distance = 1, .hyp_alpha = {0.5}}})
    EXPECT_THROW(require_valid(bad, size), InputError);
}

}  // namespace
}  // namespace trellis::measure
