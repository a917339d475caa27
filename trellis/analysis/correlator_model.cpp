// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/correlator_model.hpp"

#include <cmath>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

double alternating(double t) { return std::fmod(t, 2) == 0 ? 1 : -1; }

// A and B of two states in the values at two times.
struct Amplitudes {
  double a, b;
};
Amplitudes amplitudes(double here, double next, double a0, double b0, double a1, double b1) {
  const double determinant = a0 * b1 - b0 * a1;
  return {(here * b1 - next * b0) / determinant, (next * a0 - here * a1) / determinant};
}

}  // namespace

int CorrelatorShape::parameters() const {
  return model == CorrelatorModel::constant ? 1 : model == CorrelatorModel::two_states || has_partner(model) ? 4 : 2;
}

double CorrelatorShape::state(double mass, double t) const {
  const double forward = std::exp(-mass * t);
  if (model == CorrelatorModel::exponential) return forward;
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
double CorrelatorShape::next_ratio_mass(double here, double next, int t) const {
  const bool falls = model == CorrelatorModel::exponential || model == CorrelatorModel::staggered_baryon;
  return falls || t + 1 >= extent / 2 ? log_mass(here, next) : cosh_mass(here, next, t, extent);
}

std::vector<Series> CorrelatorShape::first_guesses(const Series& y, int first, int last) const {
  const auto at = [&](int t) { return y[std::size_t(t)]; };
  const int middle = (first + last) / 2;
  if (model == CorrelatorModel::constant) return {{at(middle)}};
  // The smooth and the alternating part of the values at three times; without a partner all is smooth.
  const bool both = has_partner(model);
  const auto smooth = [&](int t) { return both ? (at(t - 1) + 2 * at(t) + at(t + 1)) / 4 : at(t); };
  const auto rest = [&](int t) { return alternating(t) * (2 * at(t) - at(t - 1) - at(t + 1)) / 4; };
  const int begin = both ? std::max(first, 1) : first, end = both ? std::min(middle, int(y.size()) - 3) : middle;
  double mass = std::nan(""), other = std::nan("");
  for (int t = end; t >= begin; --t) {
    if (!(mass > 0)) mass = next_ratio_mass(smooth(t), smooth(t + 1), t);
    if (both && !(other > 0)) other = next_ratio_mass(rest(t), rest(t + 1), t);
  }
  if (!(mass > 0) || !std::isfinite(mass)) fail("times {} to {}: no effective mass to begin with", first, last);
  if (both) {
    std::vector<Series> guesses;
    for (const double partner : {other, mass, mass + 0.3, mass + 1}) {
      if (!(partner > 0) || !std::isfinite(partner)) continue;
      const int t = std::min(middle, last - 1);
      const auto [a, b] = amplitudes(at(t), at(t + 1), state(mass, t), alternating(t) * state(partner, t),
                                     state(mass, t + 1), alternating(t + 1) * state(partner, t + 1));
      guesses.push_back({a, std::log(mass), b, std::log(partner)});
    }
    return guesses;
  }
  Series start{at(middle) / state(mass, middle), std::log(mass)};
  if (model == CorrelatorModel::two_states) {
    const double gap = std::max(mass, 0.5);
    start.push_back((at(first) - start[0] * state(mass, first)) / std::exp(-(mass + gap) * first));
    start.push_back(std::log(gap));
  }
  return {start};
}

}  // namespace trellis::analysis
