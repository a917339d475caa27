// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/glueball_masses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/app/results/gauge/loop_tables.hpp"

namespace trellis::app {
namespace {

constexpr int times = 16;

// Periodic noise whose correlator is proportional to exp(-m t) + exp(-m (times - t)).
std::vector<double> signal(double mass, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  std::vector<double> noise(times), s(times);
  for (double& x : noise) x = normal(engine);
  for (std::size_t t = 0; t < times; ++t)
    for (std::size_t n = 0; n < times; ++n) s[(t + n) % times] += std::exp(-mass * double(n)) * noise[t];
  return s;
}

// Two levels: the signal with much white noise, and with less, above a vacuum expectation value.
TEST(GlueballMasses, AreThoseOfTheLowestStates) {
  constexpr double scalar = 0.5, tensor = 0.8, pseudoscalar = 0.7;
  const io::test::TempFolder folder;
  Ensemble ensemble{.title = "noise", .chains = {{.folder = {folder.path(), "g"}}}};
  ensemble.chains[0].cut = 10;
  std::mt19937_64 engine(5), other(6);
  std::normal_distribution<double> normal;
  {
    io::CsvTable table(ensemble.chains[0].folder.glueballs(), glueball_columns("trajectory"));
    for (std::int64_t n = 1; n <= 1000; ++n) {
      const auto s = signal(scalar, engine), a = signal(tensor, engine), b = signal(tensor, engine),
                 p = signal(pseudoscalar, other);
      std::vector<measure::GlueballOperators> operators;
      for (const int level : {0, 4})
        for (std::size_t t = 0; t < times; ++t) {
          const double noise = level == 0 ? 3 : 0.5;
          operators.push_back({level, int(t), 7 + s[t] + noise * normal(engine), a[t] + noise * normal(engine),
                               b[t] + noise * normal(engine), p[t] + noise * normal(other)});
        }
      table.append_rows(glueball_rows(n, operators));
    }
  }
  const auto masses = glueball_masses(ensemble, {});
  ASSERT_EQ(masses.size(), 3u);
  for (const auto& [mass, name, expected] : {std::tuple{&masses[0], "glueball 0++", scalar},
                                             {&masses[1], "glueball 2++", tensor},
                                             {&masses[2], "glueball 0-+", pseudoscalar}}) {
    EXPECT_EQ(mass->channel, name);
    EXPECT_EQ(mass->configurations, 990);
    ASSERT_TRUE(mass->fit) << mass->problem;
    EXPECT_NEAR(mass->fit->mass, expected, 4 * mass->fit->error);
    EXPECT_LT(mass->fit->error, 0.3);
  }
}

TEST(GlueballMasses, NoneWithoutOperators) {
  const io::test::TempFolder folder;
  EXPECT_TRUE(glueball_masses({.title = "none", .chains = {{.folder = {folder.path(), "g"}}}}, {}).empty());
}

}  // namespace
}  // namespace trellis::app
