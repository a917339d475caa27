// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/tuning.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/tuning/wilson_setup.hpp"

namespace trellis::tuning {
namespace {

const Coordinate size{4, 8, 4, 4};

template <class T, int W>
std::vector<std::array<double, 24>> result(const LatticeShape& shape, const dirac::HopSettings& settings) {
  const WilsonSetup<T, W> setup(size, shape, dirac::LinkFormat::two_rows, 1);
  setup.hops(settings);
  std::vector<std::array<double, 24>> all;
  const Lattice& lattice = setup.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 == 0) all.push_back(setup.out().at(x));
  }
  return all;
}

template <class T>
void nothing_changes_bits() {
  const auto expected = result<T, 1>({}, {});
  test::for_each_lane_count(size, [&]<int W>() {
    for (const Coordinate& grid : lane_grids(size, W))
      for (const auto& column : columns(size, grid)) {
        const bool odd = (column[0] + grid[0]) % 2 != 0;
        const dirac::HopSettings settings{.ahead = {3, odd ? 4 : 0, 2},
                                          .stores = odd ? dirac::Stores::cached : dirac::Stores::streaming,
                                          .always_ahead = true};
        EXPECT_EQ((result<T, W>({grid, column}, settings)), expected) << W << ' ' << column[0] << ' ' << column[1];
      }
  });
}

// Bricks are only tried on GPUs, but exist in any space.
template <class T>
void bricks_change_no_bits() {
  const auto expected = result<T, 1>({}, {});
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    for (int mu = 0; mu < 4; ++mu)
      for (const Coordinate& brick : bricks(lattice, mu))
        EXPECT_EQ((result<T, W>({lattice.lane_grid(), lattice.column(), brick}, {})), expected) << W << ' ' << mu;
  });
}

TEST(Tuning, NoCandidateChangesBits) {
  bricks_change_no_bits<double>();
  bricks_change_no_bits<float>();

  nothing_changes_bits<double>();
  nothing_changes_bits<float>();
}

TEST(Tuning, GridsAndColumnsAreThoseThatDivide) {
  EXPECT_EQ(lane_grids({4, 8, 4, 4}, 1), (std::vector<Coordinate>{{1, 1, 1, 1}}));
  const auto grids = lane_grids({4, 8, 4, 2}, 8);
  // 8 as a product of at most 2, 4, 2 and 1: 2 4 1, 1 4 2, 2 2 2.
  EXPECT_EQ(grids, (std::vector<Coordinate>{{2, 4, 1, 1}, {2, 2, 2, 1}, {1, 4, 2, 1}}));
  EXPECT_TRUE(lane_grids({6, 6, 6, 6}, 8).empty());
  EXPECT_EQ(columns({4, 8, 12, 4}, {1, 2, 2, 1}).size(), 3U * 4U);
  test::for_each_lane_count({8, 8, 8, 8}, [&]<int W>() {
    for (const Coordinate& grid : lane_grids({8, 8, 8, 8}, W))
      for (const auto& column : columns({8, 8, 8, 8}, grid))
        EXPECT_NO_THROW(Lattice({8, 8, 8, 8}, W, SiteOrder::even_odd, {grid, column}));
  });
}

TEST(Tuning, BricksAreThoseThatDivide) {
  const Lattice lattice({8, 4, 4, 12}, 1, SiteOrder::even_odd, {{1, 1, 1, 1}, {4, 2}, {2, 2, 1, 1}});
  EXPECT_EQ(bricks(lattice, 0), (std::vector<Coordinate>{{2, 2, 1, 1}, {4, 2, 1, 1}, {8, 2, 1, 1}}));
  EXPECT_EQ(bricks(lattice, 2), (std::vector<Coordinate>{{2, 2, 1, 1}, {2, 2, 2, 1}}));
  EXPECT_EQ(bricks(lattice, 3), (std::vector<Coordinate>{{2, 2, 1, 1}, {2, 2, 1, 2}, {2, 2, 1, 4}}));
}

void expect_something_that_fits(const TuningCase& what) {
  int steps = 0, accepted = 0;
  const auto how = tune(what, {.seconds = 1e-6, .budget = 5}, [&](const TuningStep& step) {
    ++steps;
    accepted += step.accepted ? 1 : 0;
    EXPECT_GT(step.ratio, 0);
    EXPECT_TRUE(fits(what, step.candidate));
    EXPECT_EQ(step.accepted, step.ratio < (step.coordinate == "threads" ? 0.9 : 0.99));
  });
  EXPECT_GE(steps, 1) << describe(what);
  EXPECT_LE(accepted, steps);
  EXPECT_TRUE(fits(what, how)) << describe(what);
  EXPECT_GT(how.seconds, 0);
  EXPECT_GE(how.untuned_seconds, how.seconds);
}

TEST(Tuning, FindsSomethingThatFitsForEveryKind) {
  const int threads = concurrency();
  for (const auto& [name, precision] : precision_names)
    for (const int vectors : {1, 2})
      for (const auto kernel : {TunedKernel::wilson, TunedKernel::staggered})
        expect_something_that_fits({.kernel = kernel,
                                    .size = {4, 4, 4, 4},
                                    .precision = precision,
                                    .lanes = test::wide,
                                    .vectors = vectors,
                                    .threads = 2,
                                    .cut = {0, 0, 0, vectors - 1}});
  for (const auto kernel : {TunedKernel::plaquette_force, TunedKernel::rectangle_force, TunedKernel::dynamics})
    for (const auto precision : {Precision::double_, Precision::single})
      expect_something_that_fits(
          {.kernel = kernel, .size = {4, 4, 4, 4}, .precision = precision, .lanes = test::wide, .threads = 1});
  EXPECT_EQ(concurrency(), threads);
}

// Improved links: operators of one and three steps, also on ranks, and what their chains do.
TEST(Tuning, FindsSomethingThatFitsForEveryKindOfQuarkLinks) {
  for (const auto& [name, kind] : quark_link_names) {
    for (const auto& [word, precision] : precision_names)
      for (const int vectors : {1, 2})
        expect_something_that_fits({.kernel = TunedKernel::staggered,
                                    .size = {4, 4, 4, 8},
                                    .precision = precision,
                                    .lanes = test::wide,
                                    .vectors = vectors,
                                    .threads = 1,
                                    .cut = {0, 0, 0, vectors - 1},
                                    .quark_links = kind});
    for (const auto kernel : {TunedKernel::parallelogram_force, TunedKernel::dynamics})
      for (const auto precision : {Precision::double_, Precision::single})
        expect_something_that_fits({.kernel = kernel,
                                    .size = {4, 4, 4, 4},
                                    .precision = precision,
                                    .lanes = test::wide,
                                    .threads = 1,
                                    .quark_links = kind});
  }
}

// The distances with long links are others.
TEST(Tuning, StartsFromTheDefaultsOfItsLinks) {
  const auto ahead = [](dirac::LinkKind kind) {
    return default_settings({.kernel = TunedKernel::staggered, .quark_links = kind});
  };
  EXPECT_EQ(ahead(dirac::LinkKind::su3), dirac::staggered_settings);
  EXPECT_EQ(ahead(dirac::LinkKind::fat), dirac::staggered_settings);
  EXPECT_EQ(ahead(dirac::LinkKind::fat_and_long), dirac::naik_settings);
}

TEST(Tuning, DescribesItsCases) {
  EXPECT_EQ(describe({.kernel = TunedKernel::staggered,
                      .size = {8, 8, 8, 8},
                      .lanes = 4,
                      .vectors = 3,
                      .quark_links = dirac::LinkKind::fat_and_long}),
            "staggered 8x8x8x8 double, 4 lanes, fat and long links, 3 vectors, 1 thread");
  EXPECT_EQ(describe({.size = {16, 16, 16, 8}, .precision = Precision::single, .lanes = 8, .vectors = 12}),
            "wilson 16x16x16x8 single, 8 lanes, 12 reals a link, 12 vectors, 1 thread");
  EXPECT_EQ(describe({.kernel = TunedKernel::plaquette_force, .size = {4, 4, 4, 8}, .threads = 2, .cut = {0, 1, 0, 1}}),
            "plaquette force 4x4x4x8 double, 1 lane, 2 threads, cut in y, t");
}

TEST(Tuning, StopsWhenItsTimeIsOver) {
  const TuningCase what{.size = {4, 4, 4, 4}, .lanes = 1, .threads = 2};
  int steps = 0;
  tune(what, {.seconds = 1e-6, .budget = 0}, [&](const TuningStep&) { ++steps; });
  EXPECT_EQ(steps, 0);
}

TEST(Tuning, WhatCannotBeRunIsRefused) {
  EXPECT_THROW(tune({.kernel = TunedKernel::dynamics, .size = {4, 4, 4, 4}, .precision = Precision::fixed16}, {}),
               InputError);
  EXPECT_THROW(tune({.size = {4, 4, 4, 3}}, {}), InputError);
  EXPECT_THROW(tune({.size = {4, 4, 4, 4}, .lanes = 3}, {}), InputError);
  EXPECT_THROW(tune({.size = {4, 4, 4, 4}, .vectors = 0}, {}), InputError);
  if (test::wide == 8) {
    EXPECT_THROW(tune({.size = {2, 2, 2, 8}, .lanes = 8}, {}), InputError);
  }
}

}  // namespace
}  // namespace trellis::tuning
