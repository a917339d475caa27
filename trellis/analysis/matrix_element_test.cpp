// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/matrix_element.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// Single states with energies E_f and E_i, amplitudes of the source (smeared: Z) and of another sink (X), and a matrix
// element J that excited states change near source and sink; each configuration has noise that its times share.
struct World {
  double E_f = 0.4, E_i = 0.7, Z_f = 1.3, Z_i = 0.8, X_f = 2.1, J = -0.35, excited = 0, noise = 0;
  int configurations = 60, extent = 24;

  ThreePointData data(int T, bool same, std::uint64_t seed = 3) const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    ThreePointData d;
    d.sink_time = T;
    const double Ei = same ? E_f : E_i, Zi = same ? Z_f : Z_i;
    for (int n = 0; n < configurations; ++n) {
      const double common = 1 + noise * normal(engine);
      const auto own = [&] { return common + 0.3 * noise * normal(engine); };
      Series three, sink, final_state, initial_state;
      for (int t = 0; t < extent; ++t) {
        const double J_t = J + excited * (std::exp(-0.8 * t) + std::exp(-0.8 * (T - t)));
        three.push_back(X_f * Zi * J_t * std::exp(-E_f * (T - t) - Ei * t) * own());
        sink.push_back(X_f * Z_f * std::exp(-E_f * t) * common);
        final_state.push_back(Z_f * Z_f * std::exp(-E_f * t) * common);
        initial_state.push_back(Zi * Zi * std::exp(-Ei * t) * common);
      }
      d.three_point.push_back(three);
      d.at_sink.push_back(sink);
      if (same) continue;
      d.final_state.push_back(final_state);
      d.initial_state.push_back(initial_state);
    }
    return d;
  }
};

TEST(MatrixElement, AmplitudesAndExponentialsCancel) {
  for (const bool same : {true, false}) {
    const auto found = matrix_element(World{.noise = 1e-3}.data(9, same), {});
    ASSERT_EQ(found.ratios.size(), 8U);
    for (const auto& r : found.ratios) EXPECT_NEAR(r.value, -0.35, 5 * r.error) << r.tau;
    ASSERT_TRUE(found.plateau) << found.problem;
    EXPECT_NEAR(found.plateau->mass, -0.35, 4 * found.plateau->error);
    EXPECT_LT(found.plateau->error, 1e-4);
  }
}

// The error of R is that of C_3 / C_2 alone, from noise that the two do not share: 0.3 noise / sqrt(configurations).
TEST(MatrixElement, ErrorsKnowWhatFluctuatesTogether) {
  const World world{.noise = 0.1, .configurations = 400};
  const auto found = matrix_element(world.data(8, true), {});
  const double expected = 0.35 * 0.3 * 0.1 / 20;
  double mean = 0;
  for (const auto& r : found.ratios) {
    EXPECT_NEAR(r.error, expected, 0.4 * expected) << r.tau;
    mean += r.error / double(found.ratios.size());
  }
  EXPECT_NEAR(mean, expected, 0.1 * expected);
}

// Excited states at both ends: with all times the plateau is off, in the middle less so, and the slope of sums even
// less.
TEST(MatrixElement, SumsHaveLessOfExcitedStates) {
  const World world{.excited = 0.2, .noise = 1e-4};
  std::vector<ThreePointData> data;
  for (const int T : {8, 10, 12}) data.push_back(world.data(T, true));
  const auto middle = matrix_element(data[2], {.distance = 5});
  ASSERT_TRUE(middle.plateau) << middle.problem;
  const auto sums = summed_ratios(data, {});
  EXPECT_EQ(sums.degrees, 1);
  EXPECT_LT(std::abs(sums.slope + 0.35), 0.1 * std::abs(middle.plateau->mass + 0.35));
  // An exact one: c = S(T) - T J of a geometric series.
  const auto exact =
      summed_ratios(std::vector{World{.noise = 1e-6}.data(6, true), World{.noise = 1e-6}.data(9, true)}, {});
  EXPECT_NEAR(exact.slope, -0.35, 1e-6);
  EXPECT_NEAR(exact.constant, 0.35, 1e-5);  // T - 1 terms
}

TEST(MatrixElement, WrongData) {
  const auto message = [](const ThreePointData& data) -> std::string {
    try {
      static_cast<void>(matrix_element(data, {}));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  auto data = World{.noise = 1e-3}.data(9, false);
  auto fewer = data;
  fewer.at_sink.pop_back();
  EXPECT_NE(message(fewer).find("59 configurations of a two-point function, 60"), std::string::npos);
  auto early = data;
  early.sink_time = 24;
  EXPECT_NE(message(early).find("end at time 23, before the sink at 24"), std::string::npos) << message(early);
  // A two-point function that is lost in noise: no number, and no plateau.
  for (auto& c : data.initial_state)
    for (std::size_t t = 3; t < c.size(); ++t) c[t] = -c[t];
  const auto found = matrix_element(data, {});
  EXPECT_FALSE(found.plateau);
  EXPECT_NE(found.problem.find("fewer than two times"), std::string::npos) << found.problem;
  EXPECT_TRUE(std::isnan(found.ratios[2].value));
  EXPECT_THROW(static_cast<void>(summed_ratios(std::vector{data}, {})), Error);
}

}  // namespace
}  // namespace trellis::analysis
