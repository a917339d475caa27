// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/effective_mass.hpp"

#include <cmath>
#include <limits>

namespace trellis::analysis {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// log of cosh(m a) / cosh(m (a - 1)) for a > 1/2, m >= 0: it increases with m and lies between m - log 2 and m.
double log_ratio(double m, double a) {
  return m + std::log1p(std::exp(-2 * m * a)) - std::log1p(std::exp(-2 * m * (a - 1)));
}

// Its derivative with respect to m.
double slope_of_log_ratio(double m, double a) { return a * std::tanh(m * a) - (a - 1) * std::tanh(m * (a - 1)); }

}  // namespace

double log_mass(double here, double next) {
  const double ratio = here / next;
  return ratio > 0 ? std::log(ratio) : nothing;
}

double cosh_mass(double here, double next, int t, int extent) {
  double ratio = here / next, a = 0.5 * extent - t;
  // Beyond the middle, the correlator rises in the same way that it fell before.
  if (a < 0.5) {
    ratio = 1 / ratio;
    a = 1 - a;
  }
  if (!(ratio > 1) || a == 0.5) return nothing;
  const double goal = std::log(ratio);
  if (!std::isfinite(goal)) return nothing;
  double low = goal, high = goal + 0.6931471805599454;
  // Newton steps if they stay inside the bracket, otherwise bisection.
  double m = high;
  for (int step = 0; step < 100 && high - low > 1e-15 * high; ++step) {
    const double miss = log_ratio(m, a) - goal;
    (miss > 0 ? high : low) = m;
    const double next_m = m - miss / slope_of_log_ratio(m, a);
    const bool inside = next_m > low && next_m < high;
    if (inside && std::abs(next_m - m) <= 1e-16 * m) break;
    m = inside ? next_m : 0.5 * (low + high);
  }
  return m;
}

double cosh_mass_slope(double mass, int t, int extent) {
  const double a = 0.5 * extent - t;
  return a < 0.5 ? -1 / slope_of_log_ratio(mass, 1 - a) : 1 / slope_of_log_ratio(mass, a);
}

std::vector<double> folded(std::span<const double> correlator) {
  const std::size_t extent = correlator.size();
  std::vector<double> half;
  for (std::size_t t = 0; t <= extent / 2; ++t)
    half.push_back(0.5 * (correlator[t] + correlator[(extent - t) % extent]));
  return half;
}

std::vector<double> alternately_folded(std::span<const double> correlator, bool antiperiodic) {
  const std::size_t extent = correlator.size();
  std::vector<double> half{correlator[0]};
  for (std::size_t t = 1; t <= extent / 2; ++t) {
    const double sign = (t % 2 == 0) == antiperiodic ? -1 : 1;
    half.push_back(0.5 * (correlator[t] + sign * correlator[extent - t]));
  }
  return half;
}

}  // namespace trellis::analysis
