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
    for (std::int64_t n = 1; n <= 1400; ++n) {
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
    EXPECT_EQ(mass->configurations, 1390);
    ASSERT_TRUE(mass->fit) << mass->problem;
    EXPECT_NEAR(mass->fit->mass, expected, 4 * mass->fit->error);
    EXPECT_LT(mass->fit->error, 0.3);
  }
}

// Noise whose correlator is proportional to exp(-m |t - t'|), on slices first to last, above expectation values that
// change from slice to slice. Elsewhere operators have values that would spoil it.
TEST(GlueballMasses, WithBoundariesAreFromPairsThatExist) {
  constexpr double mass = 0.6;
  const gauge::Boundary open{.kind = gauge::BoundaryKind::open},
      functional{.kind = gauge::BoundaryKind::schroedinger_functional, .extent = times - 2};
  for (const auto& [boundary, distance] : {std::pair{open, 2}, {functional, 0}}) {
    const int first = distance == 0 ? 1 : distance, last = boundary.last_slice({4, 4, 4, times}) - first;
    const io::test::TempFolder folder;
    Ensemble ensemble{.title = "noise", .chains = {{.folder = {folder.path(), "g"}, .boundary = boundary}}};
    std::mt19937_64 engine(15);
    std::normal_distribution<double> normal;
    {
      io::CsvTable table(ensemble.chains[0].folder.glueballs(), glueball_columns("trajectory"));
      for (std::int64_t n = 1; n <= 1000; ++n) {
        std::vector<measure::GlueballOperators> operators;
        double s = normal(engine) / std::sqrt(1 - std::exp(-2 * mass));
        for (int t = 0; t < times; ++t) {
          const bool inside = t >= first && t <= last;
          const double vacuum = 7 + 3 * std::exp(-t);
          const double x = inside ? vacuum + s : 100 * normal(engine);
          operators.push_back({0, t, x, s, -s, 2 * s});
          s = std::exp(-mass) * s + normal(engine);
        }
        table.append_rows(glueball_rows(n, operators));
      }
    }
    MassParameters parameters;
    parameters.boundary_distance = distance;
    const auto masses = glueball_masses(ensemble, parameters);
    ASSERT_EQ(masses.size(), 3u);
    ASSERT_TRUE(masses[0].fit) << masses[0].problem;
    EXPECT_NEAR(masses[0].fit->mass, mass, 4 * masses[0].fit->error);
    EXPECT_LT(masses[0].fit->error, 0.1);
    parameters.model = analysis::CorrelatorModel::cosh;
    const auto cosh = glueball_masses(ensemble, parameters);
    EXPECT_EQ(cosh[0].problem, "with boundaries in time the model has to be exponential or staggered_exponential");
    parameters.boundary_distance = 8;
    const auto none = glueball_masses(ensemble, parameters);
    EXPECT_NE(none[0].problem.find("fewer than two time slices"), std::string::npos) << none[0].problem;
  }
}

TEST(GlueballMasses, NoneWithoutOperators) {
  const io::test::TempFolder folder;
  EXPECT_TRUE(glueball_masses({.title = "none", .chains = {{.folder = {folder.path(), "g"}}}}, {}).empty());
}

}  // namespace
}  // namespace trellis::app
