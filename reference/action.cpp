// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/action.hpp"

#include <cmath>

namespace trellis::reference {

LoopWeights loop_weights(double beta, double c1) { return {beta * (1.0 - 8.0 * c1), beta * c1, 0.0}; }

LoopWeights one_loop_symanzik(double beta, double u0, int flavours) {
  const double alpha = -4.0 * std::log(u0) / 3.0684, to_alpha = 3.0684 / 4.0;
  const double rectangle = 1.0 + to_alpha * (0.6264 - 1.1746 * flavours) * alpha;
  const double parallelogram = to_alpha * (0.0433 - 0.0156 * flavours) * alpha;
  return {beta, -beta / (20.0 * u0 * u0) * rectangle, -beta / (u0 * u0) * parallelogram};
}

double gauge_action(const GaugeConfiguration& u, const LoopWeights& weights) {
  double density =
      6.0 * weights.plaquette * (1.0 - plaquette(u).total) + 12.0 * weights.rectangle * (1.0 - rectangle(u));
  if (weights.parallelogram != 0.0) density += 16.0 * weights.parallelogram * (1.0 - parallelogram(u));
  return u.volume() * density;
}

double gauge_action(const GaugeConfiguration& u, double beta, double c1) {
  return gauge_action(u, loop_weights(beta, c1));
}

namespace {

Path step(int mu, int sign) { return sign > 0 ? forward(mu) : backward(mu); }

}  // namespace

std::vector<Path> plaquette_staples(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu) {
    if (nu == mu) continue;
    for (int sign : {+1, -1}) paths.push_back(step(nu, sign) + backward(mu) + step(nu, -sign));
  }
  return paths;
}

std::vector<Path> rectangle_staples(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu) {
    if (nu == mu) continue;
    for (int sign : {+1, -1}) {
      const Path out = step(nu, sign), back = step(nu, -sign);
      paths.push_back(out + out + backward(mu) + back + back);      // the link is a short side
      paths.push_back(forward(mu) + out + backward(mu, 2) + back);  // the first half of a long side
      paths.push_back(out + backward(mu, 2) + back + forward(mu));  // the second half of a long side
    }
  }
  return paths;
}

std::vector<Path> parallelogram_staples(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu)
    for (int rho = 0; rho < 4; ++rho) {
      if (nu == mu || rho == mu || nu == rho) continue;
      for (int nu_sign : {+1, -1})
        for (int rho_sign : {+1, -1})
          paths.push_back(step(nu, nu_sign) + step(rho, rho_sign) + backward(mu) + step(nu, -nu_sign) +
                          step(rho, -rho_sign));
    }
  return paths;
}

Matrix staple(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights) {
  Matrix sum{};
  const auto add = [&](double weight, const std::vector<Path>& paths) {
    if (weight == 0.0) return;
    for (const Path& path : paths) sum = sum + weight * path_product(u, shift(x, mu), path);
  };
  add(weights.plaquette, plaquette_staples(mu));
  add(weights.rectangle, rectangle_staples(mu));
  add(weights.parallelogram, parallelogram_staples(mu));
  return sum;
}

std::array<double, 8> gauge_derivative(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights) {
  const Matrix w = u.link(x, mu) * staple(u, x, mu, weights);
  std::array<double, 8> d;
  for (int a = 0; a < 8; ++a) d[a] = trace(generator(a) * w).imag() / 3.0;
  return d;
}

std::array<double, 8> gauge_derivative(const GaugeConfiguration& u, const Site& x, int mu, double beta, double c1) {
  return gauge_derivative(u, x, mu, loop_weights(beta, c1));
}

std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, const LoopWeights& weights) {
  std::vector<Matrix> d;
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < 4; ++mu) d.push_back(from_coefficients(gauge_derivative(u, u.site(i), mu, weights)));
  return d;
}

std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, double beta, double c1) {
  return gauge_derivative(u, loop_weights(beta, c1));
}

}  // namespace trellis::reference
