// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic of scaling tables; measurements are in scaling_ranks_test.cpp.
#include "trellis/bench/scaling.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::bench {
namespace {

TEST(Scaling, WeakGridsAreEven) {
  const ScalingSeries series{.strong = false, .size = {4, 4, 4, 6}};
  using Grid = Coordinate;
  EXPECT_EQ(series.grid_of(1), (Grid{1, 1, 1, 1}));
  EXPECT_EQ(series.grid_of(2), (Grid{1, 1, 1, 2}));
  EXPECT_EQ(series.grid_of(4), (Grid{1, 1, 2, 2}));
  EXPECT_EQ(series.grid_of(6), (Grid{1, 1, 2, 3}));
  EXPECT_EQ(series.grid_of(16), (Grid{2, 2, 2, 2}));
  EXPECT_EQ(series.grid_of(32), (Grid{2, 2, 2, 4}));
  EXPECT_EQ(series.lattice_of(6), (Coordinate{4, 4, 8, 18}));
}

TEST(Scaling, AGridIsForItsNumberOfRanks) {
  const ScalingSeries series{.size = {8, 8, 8, 8}, .ranks = {1, 2, 4}, .grid = Coordinate{2, 2, 1, 1}};
  EXPECT_EQ(series.grid_of(4), (Coordinate{2, 2, 1, 1}));
  EXPECT_EQ(series.grid_of(2), comm::best_grid({8, 8, 8, 8}, 2));
  EXPECT_EQ(series.lattice_of(4), (Coordinate{8, 8, 8, 8}));
  EXPECT_NO_THROW(series.require_valid());
}

TEST(Scaling, WhatDoesNotDivideIsRefused) {
  EXPECT_THROW((ScalingSeries{.size = {8, 8, 8, 8}, .ranks = {1, 3}}.require_valid()), InputError);
  EXPECT_THROW((ScalingSeries{.size = {4, 4, 4, 8}, .ranks = {4}, .grid = Coordinate{4, 1, 1, 1}}.require_valid()),
               InputError);
  EXPECT_THROW((ScalingSeries{.strong = false, .size = {4, 4, 4, 3}, .ranks = {2}}.require_valid()), InputError);
}

Wire wire() {
  Wire wire;
  wire.links.inside = LinkDescription{1e-6, 1e10};
  wire.links.across = LinkDescription{3e-6, 1e9};
  return wire;
}

TEST(Scaling, MessagesCostLatencyAndBytes) {
  EXPECT_DOUBLE_EQ(exchange_seconds(wire(), {.messages = 2, .bytes = 1e5}), 2e-6 + 1e-5);
  EXPECT_DOUBLE_EQ(exchange_seconds(wire(), {.messages = 4, .bytes = 1e5, .outside = 0.5}),
                   2e-6 + 0.5e-5 + 6e-6 + 0.5e-4);
  Wire apart = wire();
  apart.links.inside.reset();
  EXPECT_DOUBLE_EQ(exchange_seconds(apart, {.messages = 1, .bytes = 1e5, .outside = 1}), 3e-6 + 1e-4);
  EXPECT_EQ(exchange_seconds(Wire(), {}), 0);
  EXPECT_EQ(outside_part({8, 8, 8, 8}, {1, 1, 2, 2}, 4), 0);
  EXPECT_EQ(outside_part({8, 8, 8, 8}, {1, 1, 2, 2}, 2), 0.5);
  EXPECT_EQ(outside_part({8, 8, 8, 8}, {1, 1, 2, 2}, 1), 1);
}

TEST(Scaling, TheModelIsTheLongerOfMessagesAndComputing) {
  ScalingFigure figure;
  figure.compute = 10;
  figure.messages = 4;
  figure.sums = 1;
  EXPECT_EQ(figure.model(), 11);
  figure.messages = 12;
  EXPECT_EQ(figure.model(), 13);
}

}  // namespace
}  // namespace trellis::bench
