// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dslash.hpp"

#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::bench {
namespace {

const tuning::TimingParameters quick{1, 1e-6};

TEST(BenchDslash, FiguresCountFlopsAndLeastBytes) {
  for (const int lanes : {1, test::wide})
    for (const int vectors : {1, 3}) {
      const tuning::TuningCase what{.size = {4, 4, 4, 4},
                                    .precision = Precision::single,
                                    .lanes = lanes,
                                    .links = dirac::LinkFormat::two_rows,
                                    .vectors = vectors,
                                    .threads = 2};
      const auto figure = measure_dslash(what, {}, quick);
      EXPECT_EQ(figure.flops, 128 * 1320.0 * vectors);
      EXPECT_EQ(figure.bytes, 128 * 4.0 * (8 * 12 + 48 * vectors));
      EXPECT_GT(figure.seconds, 0);
      EXPECT_GT(figure.mix_seconds, 0);
      EXPECT_GT(figure.of_mix, 0);
      EXPECT_FALSE(figure.streaming);
    }
  const tuning::TuningCase fixed{
      .size = {4, 4, 4, 4}, .precision = Precision::fixed16, .lanes = test::wide, .threads = 1};
  EXPECT_EQ(measure_dslash(fixed, {}, quick).bytes, 128 * (2.0 * 8 * 12 + 2 * (2 * 24 + 4)));
  tuning::KernelTuning streaming;
  streaming.settings.stores = dirac::Stores::streaming;
  EXPECT_TRUE(measure_dslash({.size = {4, 4, 4, 4}, .threads = 1}, streaming, quick).streaming);
}

TEST(BenchDslash, WhatCannotBeRunIsRefused) {
  const int threads = concurrency();
  EXPECT_THROW(measure_dslash({.size = {4, 4, 4, 3}, .threads = 1}, {}, quick), InputError);
  EXPECT_THROW(measure_dslash({.size = {4, 4, 4, 4}, .lanes = 3, .threads = 1}, {}, quick), InputError);
  EXPECT_EQ(concurrency(), threads);
}

TEST(BenchDslash, TheTunedOrderFits) {
  const study::WilsonVariant variant{.filling = study::Filling::scalar,
                                     .links = dirac::LinkFormat::full,
                                     .traversal = study::Traversal::blocked,
                                     .tile = {0, 2, 2, 0}};
  if (!study::is_compiled<float>(variant)) GTEST_SKIP() << study::why_no_variants();
  const study::WilsonVariant tuned =
      tune_order({4, 4, 4, 4}, Precision::single, variant, {.seconds = 1e-6, .budget = 5});
  EXPECT_NO_THROW(study::require_tile(tuned, {4, 4, 4, 4}));
  // Without time nothing is tried.
  EXPECT_EQ(tune_order({4, 4, 4, 4}, Precision::single, variant, {.seconds = 1e-6, .budget = 0}), variant);
  study::WilsonVariant teams = variant;
  teams.traversal = study::Traversal::team;
  const int threads = concurrency();
  set_thread_count(2);
  teams = tune_order({4, 4, 4, 4}, Precision::single, teams, {.seconds = 1e-6, .budget = 5});
  EXPECT_LE(teams.team_size, study::largest_team(teams));
  EXPECT_EQ(teams.tile, variant.tile);
  set_thread_count(threads);
}

// By hand: single precision, 18 reals, streaming stores: 8 x 72 + 96 x (8 - 7) + 96 = 768 bytes.
TEST(BenchDslash, TheModelIsTheStudys) {
  const auto model = dslash_model(Precision::single, dirac::LinkFormat::full, 1, true);
  EXPECT_EQ(model.bytes(7), 768);
  EXPECT_EQ(model.bytes(0), 1440);  // no reuse: 0.92 flops per byte, as in the study
  EXPECT_DOUBLE_EQ(model.intensity(7), 1320.0 / 768);
  EXPECT_EQ(dslash_model(Precision::single, dirac::LinkFormat::full, 1, false).bytes(7), 864);
  EXPECT_EQ(dslash_model(Precision::double_, dirac::LinkFormat::two_rows, 16, true).bytes(7), 8 * 96 / 16 + 2 * 192);
  // The R that a speed implies predicts that speed.
  for (const double reuse : {0.0, 3.5, 7.0, 8.0})
    EXPECT_NEAR(model.reuse(model.intensity(reuse) * 5e10, 5e10), reuse, 1e-12);
}

}  // namespace
}  // namespace trellis::bench
