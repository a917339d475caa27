// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Wilson loops and operators of glueballs with boundaries in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/projected_smearing.hpp"
#include "reference/wilson_loops.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/measure/loops/glueballs.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"

namespace trellis::measure {
namespace {

struct BoundaryCase {
  gauge::Boundary boundary;
  reference::GaugeConfiguration links;
  reference::TimeBoundary reference;
};

// Lanes may cut t. A Schroedinger functional has all of the slices, or one that is not used.
std::vector<BoundaryCase> boundary_cases() {
  const auto with = [](const gauge::Boundary& boundary, const reference::Site& size, std::uint64_t seed) {
    const bool fixed = boundary.kind == gauge::BoundaryKind::schroedinger_functional;
    return BoundaryCase{boundary,
                        test::with_boundary(reference::warm_configuration(size, seed, 0.5), boundary),
                        {fixed, boundary.last_slice(size), 1}};
  };
  return {with(test::open_boundary, {4, 4, 4, 6}, 41), with(test::schroedinger_functional(5), {4, 4, 4, 6}, 42),
          with(test::schroedinger_functional(4), {4, 4, 4, 6}, 43)};
}

const std::array<int, 3> axes[]{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// By walking along the links of every loop that exists.
void expect_formula(const BoundaryCase& c, const WilsonLoopSelection& s) {
  const auto time = s.hyp_alpha.empty()
                        ? c.links
                        : reference::hyp(c.links, s.hyp_alpha[0], s.hyp_alpha[1], s.hyp_alpha[2], 1, c.reference);
  const std::array slices{s.boundary_distance, c.reference.last - s.boundary_distance};
  const auto alone = wilson_loops(s, test::from_reference<double, 1>(c.links), c.boundary);
  ASSERT_EQ(alone.size(), std::size_t(s.distance * s.time) * s.levels.size() * (s.levels.size() + 1) / 2);
  for (const auto& loop : alone) {
    const auto one = test::with_boundary(reference::spatial_ape(c.links, s.ape_alpha, loop.level), c.boundary),
               other = test::with_boundary(reference::spatial_ape(c.links, s.ape_alpha, loop.other_level), c.boundary);
    double sum = 0;
    for (const auto& r : axes)
      sum += reference::wilson_loop(one, other, time, r, loop.distance, loop.time, slices) +
             reference::wilson_loop(other, one, time, r, loop.distance, loop.time, slices);
    EXPECT_NEAR(loop.value, sum / 6, 1e-14) << gauge::name_of(c.boundary) << ", t = " << loop.time;
  }
  test::for_each_lane_count(c.links.size, [&]<int W>() {
    const auto found = wilson_loops(s, test::from_reference<double, W>(c.links), c.boundary);
    for (std::size_t k = 0; k < alone.size(); ++k) EXPECT_EQ(found[k].value, alone[k].value) << W << " lanes";
  });
}

TEST(BoundaryLoops, WilsonLoopsAreTheFormula) {
  for (const auto& c : boundary_cases()) {
    expect_formula(c, {.distance = 2, .time = c.reference.last});
    expect_formula(c, {.distance = 1,
                       .time = 2,
                       .ape_alpha = 0.6,
                       .levels = {0, 2},
                       .hyp_alpha = {0.9, 0.7, 0.4},
                       .boundary_distance = 1});
  }
}

TEST(BoundaryLoops, TheShortestIsThePlaquette) {
  for (const auto& c : boundary_cases()) {
    const auto u = test::from_reference<double, test::wide>(c.links);
    EXPECT_NEAR(wilson_loops({.distance = 1, .time = 1}, u, c.boundary)[0].value,
                gauge::plaquette(c.boundary, u).temporal, 1e-15);
  }
}

// All sites of an open lattice may be transformed.
TEST(BoundaryLoops, AreGaugeInvariant) {
  const auto c = boundary_cases()[0];
  const auto v = reference::gauge_transform(c.links, reference::random_transformation(c.links.size, 6));
  const WilsonLoopSelection s{
      .directions = {"100", "110"}, .distance = 2, .time = 5, .levels = {0, 2}, .hyp_alpha = {0.75, 0.6, 0.3}};
  const auto before = wilson_loops(s, test::from_reference<double, test::wide>(c.links), c.boundary),
             after = wilson_loops(s, test::from_reference<double, test::wide>(v), c.boundary);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k].value, before[k].value, 1e-14);
  EXPECT_GT(std::abs(before[0].value - before[3].value), 1e-3);
}

TEST(BoundaryLoops, LoopsAsLongAsTheLatticeAreErrors) {
  const Coordinate size{8, 8, 8, 8};
  const auto valid = [&](int time, int boundary_distance, const gauge::Boundary& boundary) {
    require_valid(WilsonLoopSelection{.time = time, .boundary_distance = boundary_distance}, size, boundary);
  };
  const auto functional = test::schroedinger_functional(6);
  EXPECT_NO_THROW(valid(7, 0, test::open_boundary));
  EXPECT_THROW(valid(8, 0, test::open_boundary), InputError);
  EXPECT_NO_THROW(valid(3, 2, test::open_boundary));
  EXPECT_THROW(valid(4, 2, test::open_boundary), InputError);
  EXPECT_THROW(valid(1, 4, test::open_boundary), InputError);
  EXPECT_THROW(valid(1, -1, test::open_boundary), InputError);
  EXPECT_NO_THROW(valid(6, 0, functional));
  EXPECT_THROW(valid(7, 0, functional), InputError);
  EXPECT_THROW(valid(1, 1, {}), InputError);
}

// Operators see their slice alone: those of a Schroedinger functional are constants on fixed slices, and there are none
// beyond.
TEST(BoundaryLoops, GlueballsAreThoseOfTheirSlice) {
  const GlueballSelection s{.ape_alpha = 0.6, .levels = {0, 2}};
  for (const auto& c : boundary_cases()) {
    const auto found = glueball_operators(s, test::from_reference<double, test::wide>(c.links), c.boundary),
               periodic = glueball_operators(s, test::from_reference<double, test::wide>(c.links));
    ASSERT_EQ(found.size(), periodic.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const int t = found[k].time;
      EXPECT_EQ(t, int(k) % 6);
      if (t > c.reference.last) {
        EXPECT_EQ(found[k].scalar, 0);
        continue;
      }
      EXPECT_NEAR(found[k].scalar, periodic[k].scalar, 1e-14);
      EXPECT_NEAR(found[k].tensor_1, periodic[k].tensor_1, 1e-14);
      EXPECT_NEAR(found[k].pseudoscalar, periodic[k].pseudoscalar, 1e-14);
      if (c.reference.schroedinger_functional && (t == 0 || t == c.reference.last)) {
        EXPECT_NEAR(found[k].scalar, 1, 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace trellis::measure
