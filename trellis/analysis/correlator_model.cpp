// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/correlator_model.hpp"

#include <cmath>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

double alternating(double t) { return std::fmod(t, 2) == 0 ? 1 : -1; }

}  // namespace

int CorrelatorShape::parameters() const {
  return model == CorrelatorModel::constant ? 1 : model == CorrelatorModel::two_states || has_partner(model) ? 4 : 2;
}

std::vector<std::size_t> CorrelatorShape::amplitudes() const {
  if (parameters() == 4) return {0, 2};
  return {0};
}

double CorrelatorShape::state(double mass, double t) const {
  const double forward = std::exp(-mass * t);
  if (!goes_around(model)) return forward;
  const double sign = model == CorrelatorModel::staggered_baryon ? (antiperiodic ? -1 : 1) * alternating(t) : 1;
  return forward + sign * std::exp(-mass * (extent - t));
}

Model CorrelatorShape::function() const {
  if (model == CorrelatorModel::constant) return [](double, std::span<const double> p) { return p[0]; };
  return [shape = *this](double t, std::span<const double> p) {
    const double mass = std::exp(p[1]), ground = p[0] * shape.state(mass, t);
    if (p.size() == 2) return ground;
    if (has_partner(shape.model)) return ground + alternating(t) * p[2] * shape.state(std::exp(p[3]), t);
    return ground + p[2] * shape.state(mass + std::exp(p[3]), t);
  };
}

double CorrelatorShape::mass(const Series& p) const {
  return model == CorrelatorModel::constant ? p[0] : std::exp(p[1]);
}

double CorrelatorShape::partner(const Series& p) const { return has_partner(model) ? std::exp(p[3]) : std::nan(""); }

// From neighbouring times; a cosh has none in the middle of the lattice.
double CorrelatorShape::mass_between(double here, double next, int t) const {
  return !goes_around(model) || t + 1 >= extent / 2 ? log_mass(here, next) : cosh_mass(here, next, t, extent);
}

// Where the values at four times are A a^t + B (-b)^t, with 0 < a, b < 1, they obey C(t+2) = (a - b) C(t+1) + a b C(t).
// Guesses come from the times nearest to the middle of the range at which that is so; for each there is another with a
// partner that is slightly heavier than the state.
std::vector<Series> CorrelatorShape::partner_guesses(const Series& y, int first, int last) const {
  constexpr std::size_t enough = 4;
  std::vector<Series> guesses;
  const auto add = [&](double mass, double partner, int t) {
    const double here = y[std::size_t(t)], next = y[std::size_t(t) + 1];
    const double a0 = state(mass, t), b0 = alternating(t) * state(partner, t);
    const double a1 = state(mass, t + 1), b1 = alternating(t + 1) * state(partner, t + 1);
    const double determinant = a0 * b1 - b0 * a1;
    guesses.push_back({(here * b1 - next * b0) / determinant, std::log(mass), (next * a0 - here * a1) / determinant,
                       std::log(partner)});
  };
  const int middle = (first + last - 3) / 2;
  for (int step = 0; step <= last - first && guesses.size() < enough; ++step)
    for (const int sign : {-1, 1}) {
      const int t = middle + sign * step;
      if (t < first || t + 3 > last || (step == 0 && sign > 0)) continue;
      const double* c = &y[std::size_t(t)];
      const double determinant = c[1] * c[1] - c[0] * c[2];
      const double difference = (c[1] * c[2] - c[0] * c[3]) / determinant;
      const double product = (c[1] * c[3] - c[2] * c[2]) / determinant;
      const double root = std::sqrt(difference * difference + 4 * product);
      const double a = (root + difference) / 2, b = (root - difference) / 2;
      if (!(a > 0 && a < 1)) continue;
      if (b > 0 && b < 1) add(-std::log(a), -std::log(b), t);
      add(-std::log(a), 0.3 - std::log(a), t);
    }
  if (guesses.empty()) fail("times {} to {}: no two masses to begin with", first, last);
  return guesses;
}

std::vector<Series> CorrelatorShape::first_guesses(const Series& y, int first, int last) const {
  if (has_partner(model)) return partner_guesses(y, first, last);
  const auto at = [&](int t) { return y[std::size_t(t)]; };
  const int middle = (first + last) / 2;
  if (model == CorrelatorModel::constant) return {{at(middle)}};
  std::vector<Series> guesses;
  // Searches from t on, by steps of 1 or -1, for a time with an effective mass.
  const auto add_from = [&](int t, int step) {
    double mass = std::nan("");
    for (; t >= first && t < last && !(mass > 0 && std::isfinite(mass)); t += step)
      mass = mass_between(at(t), at(t + 1), t);
    if (!(mass > 0) || !std::isfinite(mass)) return;
    Series start{at(middle) / state(mass, middle), std::log(mass)};
    if (model == CorrelatorModel::two_states) {
      const double gap = std::max(mass, 0.5);
      start.push_back((at(first) - start[0] * state(mass, first)) / std::exp(-(mass + gap) * first));
      start.push_back(std::log(gap));
    }
    guesses.push_back(std::move(start));
  };
  add_from(middle, -1);
  add_from(last - 1, -1);
  add_from(first, 1);
  if (guesses.empty()) fail("times {} to {}: no effective mass to begin with", first, last);
  return guesses;
}

}  // namespace trellis::analysis
