// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_links.hpp"

#include <cmath>
#include <numbers>

namespace trellis::app {
namespace {

constexpr std::array<int, 4> directions{0, 1, 2, 3};

NaiveMatrix scaled(std::complex<double> s, NaiveMatrix a) {
  for (auto& row : a)
    for (auto& element : row) element *= s;
  return a;
}

void add(NaiveMatrix& to, const NaiveMatrix& a) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) to[i][j] += a[i][j];
}

NaiveMatrix one() {
  NaiveMatrix a{};
  for (std::size_t i = 0; i < 3; ++i) a[i][i] = 1;
  return a;
}

NaiveMatrix exponential(const NaiveMatrix& x) {
  NaiveMatrix sum = one(), power = one();
  for (int n = 1; n < 40; ++n) {
    power = scaled(1.0 / n, power * x);
    add(sum, power);
  }
  return sum;
}

NaiveMatrix traceless_antihermitian(const NaiveMatrix& a) {
  NaiveMatrix x = scaled(0.5, a);
  add(x, scaled(-0.5, adjoint(a)));
  const auto trace = x[0][0] + x[1][1] + x[2][2];
  for (std::size_t i = 0; i < 3; ++i) x[i][i] -= trace / 3.0;
  return x;
}

// Paths from x to x + mu around the six plaquettes of the link.
NaiveMatrix staples(const NaiveLinks& u, std::size_t x, int mu) {
  NaiveMatrix sum{};
  for (const int nu : directions) {
    if (nu == mu) continue;
    const auto up = u.step(x, nu, 1), down = u.step(x, nu, -1), ahead = u.step(x, mu, 1);
    add(sum, u(x, nu) * u(up, mu) * adjoint(u(ahead, nu)));
    add(sum, adjoint(u(down, nu)) * u(down, mu) * u(u.step(down, mu, 1), nu));
  }
  return sum;
}

// theta_mu(x)
double angle(const Coordinate& size, const Coordinate& x, int mu, const QuarkInput& quarks,
             const FlavourInput& flavour) {
  constexpr double pi = std::numbers::pi;
  double theta = 0;
  if (mu == 3) {
    theta += pi * flavour.imaginary_mu / size[3];
    if (quarks.boundary == TimeBoundary::antiperiodic && x[3] == size[3] - 1) theta += pi;
  }
  for (std::size_t k = 0; k < BackgroundInput::planes.size(); ++k) {
    const auto [i, j] = BackgroundInput::planes[k];
    const double quanta = flavour.charge * quarks.background.flux[k];
    const auto at = [](const auto& of, int direction) { return double(of[std::size_t(direction)]); };
    if (mu == j) theta += 2 * pi * quanta * at(x, i) / (at(size, i) * at(size, j));
    if (mu == i && at(x, i) == at(size, i) - 1) theta -= 2 * pi * quanta * at(x, j) / at(size, j);
  }
  return theta;
}

}  // namespace

NaiveMatrix operator*(const NaiveMatrix& a, const NaiveMatrix& b) {
  NaiveMatrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

NaiveVector operator*(const NaiveMatrix& a, const NaiveVector& b) {
  NaiveVector c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) c[i] += a[i][k] * b[k];
  return c;
}

NaiveMatrix adjoint(const NaiveMatrix& a) {
  NaiveMatrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = std::conj(a[j][i]);
  return c;
}

NaiveLinks::NaiveLinks(const Coordinate& size)
    : size_(size),
      links_(4 * std::size_t(size[0]) * std::size_t(size[1]) * std::size_t(size[2]) * std::size_t(size[3])) {}

std::size_t NaiveLinks::site(const Coordinate& x) const {
  std::size_t n = 0;
  for (int mu = 3; mu >= 0; --mu) n = n * std::size_t(size_[std::size_t(mu)]) + std::size_t(x[std::size_t(mu)]);
  return n;
}

Coordinate NaiveLinks::coordinate(std::size_t site) const {
  Coordinate x{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] = int(site % std::size_t(size_[mu]));
    site /= std::size_t(size_[mu]);
  }
  return x;
}

std::size_t NaiveLinks::step(std::size_t site, int mu, int by) const {
  auto x = coordinate(site);
  const int extent = size_[std::size_t(mu)];
  x[std::size_t(mu)] = (x[std::size_t(mu)] + by + extent) % extent;
  return this->site(x);
}

NaiveLinks naive_stout(const NaiveLinks& u, double rho, int levels) {
  NaiveLinks now = u;
  for (int level = 0; level < levels; ++level) {
    const NaiveLinks from = now;
    for (std::size_t x = 0; x < from.volume(); ++x)
      for (const int mu : directions)
        now(x, mu) = exponential(traceless_antihermitian(scaled(rho, staples(from, x, mu)) * adjoint(from(x, mu)))) *
                     from(x, mu);
  }
  return now;
}

std::vector<NaiveVector> naive_staggered(const NaiveLinks& u, const QuarkInput& quarks, const FlavourInput& flavour,
                                         const std::vector<NaiveVector>& psi) {
  std::vector<NaiveVector> result(psi.size());
  const auto phase = [&](std::size_t site, int mu) {
    return std::polar(1.0, angle(u.size(), u.coordinate(site), mu, quarks, flavour));
  };
  for (std::size_t x = 0; x < psi.size(); ++x) {
    const auto place = u.coordinate(x);
    int before = 0;  // the sum of the coordinates before mu
    for (const int mu : directions) {
      const double eta = before % 2 == 0 ? 1 : -1;
      before += place[std::size_t(mu)];
      const auto ahead = u.step(x, mu, 1), behind = u.step(x, mu, -1);
      const auto forward = u(x, mu) * psi[ahead], backward = adjoint(u(behind, mu)) * psi[behind];
      for (std::size_t i = 0; i < 3; ++i)
        result[x][i] += 0.5 * eta * (phase(x, mu) * forward[i] - std::conj(phase(behind, mu)) * backward[i]);
    }
  }
  return result;
}

NaiveLinks naive_transformed(const NaiveLinks& u, const std::vector<NaiveMatrix>& g) {
  NaiveLinks v(u.size());
  for (std::size_t x = 0; x < u.volume(); ++x)
    for (const int mu : directions) v(x, mu) = g[x] * u(x, mu) * adjoint(g[u.step(x, mu, 1)]);
  return v;
}

}  // namespace trellis::app
