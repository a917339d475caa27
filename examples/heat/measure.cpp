// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/heat/measure.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "examples/comparison.hpp"
#include "examples/heat/by_hand.hpp"
#include "examples/heat/heat.hpp"
#include "examples/heat/ways.hpp"
#include "trellis/core/error.hpp"

namespace examples::heat {
namespace {

constexpr int waves_x = 3, waves_y = 2;
constexpr double pi = std::numbers::pi;

TRELLIS_FUNCTION inline double mode(Index i, Index j, double h) {
  return std::sin(waves_x * pi * h * double(i)) * std::sin(waves_y * pi * h * double(j));
}

// The edge keeps the zeros that a View starts with.
void start(const Grid& u, double h) {
  const Index edge = u.extent(0) - 1;
  parallel_for(
      "heat start", Points({1, 1}, {edge, edge}), TRELLIS_LAMBDA(Index i, Index j) { u(i, j) = mode(i, j, h); });
}

double largest_deviation(const Grid& u, double amplitude, double h) {
  double largest = 0;
  const Index side = u.extent(0);
  parallel_reduce(
      "heat deviation", Points({0, 0}, {side, side}),
      TRELLIS_LAMBDA(Index i, Index j, double& most) {
        const bool edge = i == 0 || j == 0 || i == side - 1 || j == side - 1;
        const double deviation = std::fabs(u(i, j) - (edge ? 0.0 : amplitude * mode(i, j, h)));
        // A NaN must not pass as a small deviation.
        if (!(deviation <= most)) most = deviation == deviation ? deviation : 1e300;
      },
      largest, Max<double>{});
  return largest;
}

Grid evolve_by_hand(Grid u, Grid next, double r, int steps) {
  for (int n = 0; n < steps; ++n) {
    by_hand::step(u.data(), next.data(), long(u.extent(0)), long(u.extent(1)), r);
    std::swap(u, next);
  }
  return u;
}

// evolve() with another step.
template <class Step>
auto evolve_by(const Step& step) {
  return [step](Grid u, Grid next, double r, int steps) {
    for (int n = 0; n < steps; ++n) {
      step(u, next, r);
      std::swap(u, next);
    }
    return u;
  };
}

template <class Evolve>
void check(const char* version, const Grid& u, const Grid& next, const Settings& settings, const Evolve& evolve_it) {
  const double h = 1.0 / double(u.extent(0) - 1);
  const double sx = std::sin(waves_x * pi * h / 2), sy = std::sin(waves_y * pi * h / 2);
  const double amplitude = std::pow(1 - 4 * settings.r * (sx * sx + sy * sy), settings.steps);
  start(u, h);
  const Grid end = evolve_it(u, next, settings.r, settings.steps);
  const double deviation = largest_deviation(end, amplitude, h);
  const double tolerance = 10 * (settings.steps + 1) * std::numeric_limits<double>::epsilon();
  fmt::print("{:>5}^2, {:<8} the mode decayed to {:.6f} of its amplitude; largest deviation {:.1e}, allowed {:.1e}\n",
             u.extent(0) - 2, version, amplitude, deviation, tolerance);
  if (!(deviation <= tolerance)) {
    fail("{} on {} x {} points: after {} steps the solution deviates from the exact decay by {}; allowed is {}",
         version, u.extent(0) - 2, u.extent(1) - 2, settings.steps, deviation, tolerance);
  }
}

}  // namespace

Result measure(const Settings& settings) {
  Result result{.program = "heat"};
  for (const int size : settings.sizes) {
    const Grid u("u", size + 2, size + 2), next("next", size + 2, size + 2);
    check("Trellis:", u, next, settings, evolve);
    check("by hand:", u, next, settings, evolve_by_hand);
    const double gigabytes = 1e-9 * 16 * double(size) * size * settings.steps;
    const auto measure_one = [&](const std::string& name, const auto& evolve_it) {
      result.rows.push_back(rate_row(fmt::format("{0} x {0}{1}", size, name), "GB/s", gigabytes,
                                     compare(
                                         settings.repetitions, [&] { evolve_it(u, next, settings.r, settings.steps); },
                                         [&] { evolve_by_hand(u, next, settings.r, settings.steps); })));
    };
    measure_one("", evolve);
    if (!settings.ways) continue;
    const auto check_and_measure = [&](const std::string& name, const auto& evolve_it) {
      check(name.c_str(), u, next, settings, evolve_it);
      measure_one(", " + name, evolve_it);
    };
    check_and_measure("teams", evolve_by(step_in_teams));
    check_and_measure("lines", evolve_by(step_by_lines));
    check_and_measure("points", evolve_by(step_by_points));
  }
  return result;
}

}  // namespace examples::heat
