// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The scales t0 and w0 from the points of a flow.
#include <algorithm>
#include <cmath>

#include "trellis/gauge/flow.hpp"

namespace trellis::gauge {

namespace {

struct Curve {
  std::vector<double> t, y;
};

// The four points (or as many as there are) around the interval that begins at point i.
struct Stencil {
  std::size_t first, count;
};
Stencil around(const Curve& curve, std::size_t i) {
  const std::size_t count = std::min<std::size_t>(4, curve.t.size());
  const std::size_t first = std::min(i > 0 ? i - 1 : 0, curve.t.size() - count);
  return {first, count};
}

// Lagrange's polynomial through the stencil, and its derivative, at t.
double value(const Curve& curve, Stencil s, double t) {
  double sum = 0;
  for (std::size_t i = s.first; i < s.first + s.count; ++i) {
    double term = curve.y[i];
    for (std::size_t k = s.first; k < s.first + s.count; ++k)
      if (k != i) term *= (t - curve.t[k]) / (curve.t[i] - curve.t[k]);
    sum += term;
  }
  return sum;
}
double slope(const Curve& curve, Stencil s, double t) {
  double sum = 0;
  for (std::size_t i = s.first; i < s.first + s.count; ++i)
    for (std::size_t j = s.first; j < s.first + s.count; ++j) {
      if (j == i) continue;
      double term = curve.y[i] / (curve.t[i] - curve.t[j]);
      for (std::size_t k = s.first; k < s.first + s.count; ++k)
        if (k != i && k != j) term *= (t - curve.t[k]) / (curve.t[i] - curve.t[k]);
      sum += term;
    }
  return sum;
}

std::optional<double> first_crossing(const Curve& curve, double target) {
  for (std::size_t i = 0; i + 1 < curve.t.size(); ++i) {
    if (!(curve.y[i] < target && curve.y[i + 1] >= target)) continue;
    const Stencil s = around(curve, i);
    double low = curve.t[i], high = curve.t[i + 1];
    for (int k = 0; k < 100; ++k) {
      const double middle = low + (high - low) / 2;
      (value(curve, s, middle) < target ? low : high) = middle;
    }
    return low + (high - low) / 2;
  }
  return std::nullopt;
}

Curve scaled_energy(const std::vector<FlowPoint>& points) {
  Curve curve;
  for (const FlowPoint& p : points) {
    curve.t.push_back(p.time);
    curve.y.push_back(p.time * p.time * p.energy_clover);
  }
  return curve;
}

}  // namespace

std::optional<double> flow_scale_t0(const std::vector<FlowPoint>& points, double target) {
  return first_crossing(scaled_energy(points), target);
}

std::optional<double> flow_scale_w0(const std::vector<FlowPoint>& points, double target) {
  const Curve curve = scaled_energy(points);
  Curve derivative = curve;
  for (std::size_t i = 0; i < curve.t.size(); ++i)
    derivative.y[i] = curve.t[i] * slope(curve, around(curve, i), curve.t[i]);
  const auto t = first_crossing(derivative, target);
  if (!t) return std::nullopt;
  return std::sqrt(*t);
}

}  // namespace trellis::gauge
