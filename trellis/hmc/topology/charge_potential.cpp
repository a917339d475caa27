// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/topology/charge_potential.hpp"

#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"
#include "trellis/core/phase.hpp"

namespace trellis::hmc {

namespace {

// Between two values, in units of the spacing: where, both values and both slopes.
struct Piece {
  double x = 0, begin = 0, end = 0, slope_begin = 0, slope_end = 0;

  double value() const {
    const double y = 1 - x;
    return y * y * ((1 + 2 * x) * begin + x * slope_begin) + x * x * ((1 + 2 * y) * end - y * slope_end);
  }
  double slope() const {
    const double y = 1 - x;
    return 6 * x * y * (end - begin) + y * (1 - 3 * x) * slope_begin - x * (2 - 3 * x) * slope_end;
  }
};

Piece piece_at(const ChargePotential& p, double distance) {
  const auto last = p.values.size() - 1;
  if (!(distance < double(last))) return {.begin = p.values[last], .end = p.values[last]};
  const auto k = static_cast<std::size_t>(distance);
  const auto slope = [&](std::size_t n) {
    return n == 0 || n == last ? 0.0 : 0.5 * (p.values[n + 1] - p.values[n - 1]);
  };
  return {distance - double(k), p.values[k], p.values[k + 1], slope(k), slope(k + 1)};
}

}  // namespace

void require_valid(const ChargePotential& p) {
  if (!(p.period > 0)) fail_input("topological potential: the period is {}; it must be above 0", p.period);
  if (!(p.spacing > 0)) fail_input("topological potential: the spacing is {}; it must be above 0", p.spacing);
  if (p.form == ChargePotentialForm::table && p.values.size() < 2)
    fail_input("topological potential: a table of {} values; there must be at least 2", p.values.size());
}

double value(const ChargePotential& p, double charge) {
  switch (p.form) {
    case ChargePotentialForm::quadratic:
      return p.strength * charge * charge;
    case ChargePotentialForm::periodic: {
      const double s = phase_of(charge / p.period).imag();
      return p.strength * s * s;
    }
    case ChargePotentialForm::table:
      return piece_at(p, std::abs(charge) / p.spacing).value();
  }
  fail("a form of potential without a formula");
}

double slope(const ChargePotential& p, double charge) {
  switch (p.form) {
    case ChargePotentialForm::quadratic:
      return 2 * p.strength * charge;
    case ChargePotentialForm::periodic:
      return p.strength * std::numbers::pi / p.period * phase_of(2 * charge / p.period).imag();
    case ChargePotentialForm::table:
      return (charge < 0 ? -1 : 1) * piece_at(p, std::abs(charge) / p.spacing).slope() / p.spacing;
  }
  fail("a form of potential without a formula");
}

}  // namespace trellis::hmc
