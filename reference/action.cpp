// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/action.hpp"

namespace trellis::reference {

double gauge_action(const GaugeConfiguration& u, double beta, double c1) {
  const double c0 = 1.0 - 8.0 * c1;
  return beta * u.volume() * (6.0 * c0 * (1.0 - plaquette(u).total) + 12.0 * c1 * (1.0 - rectangle(u)));
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

Matrix staple(const GaugeConfiguration& u, const Site& x, int mu, double c0, double c1) {
  Matrix sum{};
  for (const Path& path : plaquette_staples(mu)) sum = sum + c0 * path_product(u, shift(x, mu), path);
  if (c1 == 0.0) return sum;
  for (const Path& path : rectangle_staples(mu)) sum = sum + c1 * path_product(u, shift(x, mu), path);
  return sum;
}

std::array<double, 8> gauge_derivative(const GaugeConfiguration& u, const Site& x, int mu, double beta, double c1) {
  const Matrix w = u.link(x, mu) * staple(u, x, mu, 1.0 - 8.0 * c1, c1);
  std::array<double, 8> d;
  for (int a = 0; a < 8; ++a) d[a] = beta / 3.0 * trace(generator(a) * w).imag();
  return d;
}

std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, double beta, double c1) {
  std::vector<Matrix> d;
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < 4; ++mu) d.push_back(from_coefficients(gauge_derivative(u, u.site(i), mu, beta, c1)));
  return d;
}

}  // namespace trellis::reference
