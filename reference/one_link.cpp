// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/one_link.hpp"

#include <cmath>
#include <numbers>

namespace trellis::reference {

using std::numbers::pi;

double su3_average(const std::function<double(const Matrix&)>& f, double coupling) {
  const int points = 128;
  double sum = 0.0, weight = 0.0;
  for (int n1 = 0; n1 < points; ++n1)
    for (int n2 = 0; n2 < points; ++n2) {
      const double t1 = 2.0 * pi * n1 / points, t2 = 2.0 * pi * n2 / points;
      Matrix u{};
      u(0, 0) = std::polar(1.0, t1);
      u(1, 1) = std::polar(1.0, t2);
      u(2, 2) = std::polar(1.0, -t1 - t2);
      const double haar = std::norm(u(0, 0) - u(1, 1)) * std::norm(u(1, 1) - u(2, 2)) * std::norm(u(2, 2) - u(0, 0));
      const double w = haar * std::exp(coupling * (trace(u).real() - 3.0));
      sum += w * f(u);
      weight += w;
    }
  return sum / weight;
}

double su2_average(const std::function<double(double)>& f, double coupling) {
  const int points = 512;
  double sum = 0.0, weight = 0.0;
  for (int n = 0; n < points; ++n) {
    const double t = 2.0 * pi * n / points;
    const double w = std::sin(t) * std::sin(t) * std::exp(coupling * (std::cos(t) - 1.0));
    sum += w * f(std::cos(t));
    weight += w;
  }
  return sum / weight;
}

double su2_cumulative(double a0, double coupling) {
  if (a0 <= -1.0) return 0.0;
  if (a0 >= 1.0) return 1.0;
  // Simpson's rule in the angle, from angle `start` to pi (a0 falls with the angle).
  const auto integral = [&](double start) {
    const int intervals = 2000;
    const double h = (pi - start) / intervals;
    double sum = 0.0;
    for (int n = 0; n <= intervals; ++n) {
      const double t = start + n * h;
      const double w = std::sin(t) * std::sin(t) * std::exp(coupling * (std::cos(t) - 1.0));
      sum += (n == 0 || n == intervals ? 1.0 : (n % 2 == 1 ? 4.0 : 2.0)) * w;
    }
    return sum * h / 3.0;
  };
  return integral(std::acos(a0)) / integral(0.0);
}

double one_link_plaquette(double beta) {
  return su3_average([](const Matrix& u) { return trace(u).real() / 3.0; }, beta / 3.0);
}

double strong_coupling_plaquette(double beta) {
  const double u = one_link_plaquette(beta);
  return u + 4.0 * std::pow(u, 5);
}

}  // namespace trellis::reference
