// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_links.hpp"

#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "trellis/app/verify/naive_boundary.hpp"

namespace trellis::app {
namespace {

constexpr std::array<int, 4> directions{0, 1, 2, 3};

NaiveMatrix exponential(const NaiveMatrix& x) {
  NaiveMatrix sum = naive_identity(), power = naive_identity();
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

// Paths from x to x + mu around the plaquettes of the link in the plane with nu.
NaiveMatrix staples_in_plane(const NaiveLinks& u, std::size_t x, int mu, int nu) {
  NaiveMatrix sum{};
  const int m = mu + 1;
  for (const int n : {nu + 1, -nu - 1}) add(sum, naive_path(u, x, {n, m, -n}));
  return sum;
}

// The same around the rectangles.
NaiveMatrix rectangle_staples_in_plane(const NaiveLinks& u, std::size_t x, int mu, int nu) {
  NaiveMatrix sum{};
  const int m = mu + 1;
  for (const int n : {nu + 1, -nu - 1}) {
    add(sum, naive_path(u, x, {n, m, m, -n, -m}));
    add(sum, naive_path(u, x, {-m, n, m, m, -n}));
    add(sum, naive_path(u, x, {n, n, m, -n, -n}));
  }
  return sum;
}

// Z_mu(x) of all links, by link; 0 for those that are not variables. On open boundaries, where the loops of a slice
// count half, the flow of links in space is twice the gradient: once these loops, and twice those with time.
std::vector<NaiveMatrix> flow_direction(const NaiveLinks& u, double c1, const gauge::Boundary& boundary) {
  std::vector<NaiveMatrix> z;
  for (std::size_t x = 0; x < u.volume(); ++x)
    for (const int mu : directions) {
      const int t = u.coordinate(x)[3];
      const bool at_mirror =
          boundary.kind == gauge::BoundaryKind::open && mu != 3 && naive_is_end(boundary, u.size(), t);
      NaiveMatrix paths{};
      for (const int nu : directions) {
        if (nu == mu || !naive_is_variable(boundary, u.size(), t, mu)) continue;
        const double weight = at_mirror && nu == 3 ? 2 : 1;
        add(paths, scaled(weight * (1 - 8 * c1), staples_in_plane(u, x, mu, nu)));
        if (c1 != 0) add(paths, scaled(weight * c1, rectangle_staples_in_plane(u, x, mu, nu)));
      }
      z.push_back(traceless_antihermitian(paths * adjoint(u(x, mu))));
    }
  return z;
}

// theta_mu(x)
double angle(const Coordinate& size, const Coordinate& x, int mu, const QuarkInput& quarks,
             const FlavourInput& flavour) {
  constexpr double pi = std::numbers::pi;
  double theta = 0;
  if (mu < 3) theta += pi * flavour.space_angles_over_pi[std::size_t(mu)] / size[std::size_t(mu)];
  if (mu == 3) {
    theta += pi * flavour.imaginary_mu / size[3];
    if (quarks.boundary == TimeBoundary::antiperiodic && x[3] == size[3] - 1) theta += pi;
  }
  for (std::size_t k = 0; k < BackgroundInput::planes.size(); ++k)
    theta += flavour.charge * quarks.background.flux[k] * naive_flux_angle(size, k, x, mu);
  return theta;
}

}  // namespace

NaiveMatrix scaled(std::complex<double> s, NaiveMatrix a) {
  for (auto& row : a)
    for (auto& element : row) element *= s;
  return a;
}

void add(NaiveMatrix& to, const NaiveMatrix& a) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) to[i][j] += a[i][j];
}

NaiveMatrix naive_identity() {
  NaiveMatrix a{};
  for (std::size_t i = 0; i < 3; ++i) a[i][i] = 1;
  return a;
}

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
  x[std::size_t(mu)] = ((x[std::size_t(mu)] + by) % extent + extent) % extent;
  return this->site(x);
}

NaiveMatrix naive_path(const NaiveLinks& u, std::size_t x, const std::vector<int>& steps) {
  NaiveMatrix product = naive_identity();
  for (const int step : steps) {
    const int mu = std::abs(step) - 1;
    if (step < 0) x = u.step(x, mu, -1);
    product = product * (step > 0 ? u(x, mu) : adjoint(u(x, mu)));
    if (step > 0) x = u.step(x, mu, 1);
  }
  return product;
}

NaiveLinks naive_stout(const NaiveLinks& u, double rho, int levels, int dimensions, const gauge::Boundary& boundary) {
  NaiveLinks now = u;
  for (int level = 0; level < levels; ++level) {
    const NaiveLinks from = now;
    for (std::size_t x = 0; x < from.volume(); ++x)
      for (int mu = 0; mu < dimensions; ++mu) {
        if (!naive_is_variable(boundary, u.size(), u.coordinate(x)[3], mu)) continue;
        NaiveMatrix staples{};
        for (int nu = 0; nu < dimensions; ++nu)
          if (nu != mu) add(staples, staples_in_plane(from, x, mu, nu));
        now(x, mu) = exponential(traceless_antihermitian(scaled(rho, staples) * adjoint(from(x, mu)))) * from(x, mu);
      }
  }
  return now;
}

NaiveLinks naive_flow_step(const NaiveLinks& u, double c1, double step, const gauge::Boundary& boundary) {
  NaiveLinks w = u;
  // W <- exp(step sum of c_i Z_i) W
  const auto move = [&](std::initializer_list<std::pair<double, const std::vector<NaiveMatrix>*>> terms) {
    for (std::size_t x = 0; x < w.volume(); ++x)
      for (const int mu : directions) {
        NaiveMatrix sum{};
        for (const auto& [factor, z] : terms) add(sum, scaled(step * factor, (*z)[4 * x + std::size_t(mu)]));
        w(x, mu) = exponential(sum) * w(x, mu);
      }
  };
  const auto z0 = flow_direction(w, c1, boundary);
  move({{1.0 / 4, &z0}});
  const auto z1 = flow_direction(w, c1, boundary);
  move({{8.0 / 9, &z1}, {-17.0 / 36, &z0}});
  const auto z2 = flow_direction(w, c1, boundary);
  move({{3.0 / 4, &z2}, {-8.0 / 9, &z1}, {17.0 / 36, &z0}});
  return w;
}

NaiveMatrix naive_leaves(const NaiveLinks& u, std::size_t x, int mu, int nu) {
  const int m = mu + 1, n = nu + 1;
  NaiveMatrix c{};
  for (const auto& leaf : {std::vector{m, n, -m, -n}, {n, -m, -n, m}, {-m, -n, m, n}, {-n, m, n, -m}})
    add(c, naive_path(u, x, leaf));
  NaiveMatrix f = scaled(0.125, c);
  add(f, scaled(-0.125, adjoint(c)));
  return f;
}

NaiveMatrix naive_field_strength(const NaiveLinks& u, std::size_t x, int mu, int nu) {
  return scaled({0, -1}, traceless_antihermitian(naive_leaves(u, x, mu, nu)));
}

double naive_flux_angle(const Coordinate& size, std::size_t plane, const Coordinate& x, int mu) {
  constexpr double pi = std::numbers::pi;
  const auto [i, j] = BackgroundInput::planes[plane];
  const auto at = [](const auto& of, int direction) { return double(of[std::size_t(direction)]); };
  double theta = 0;
  if (mu == j) theta += 2 * pi * at(x, i) / (at(size, i) * at(size, j));
  if (mu == i && at(x, i) == at(size, i) - 1) theta -= 2 * pi * at(x, j) / at(size, j);
  return theta;
}

std::vector<NaiveVector> naive_hops(const NaiveHopLinks& links, const QuarkInput& quarks, const FlavourInput& flavour,
                                    const NaiveHopWeights& weights, const std::vector<NaiveVector>& psi) {
  std::vector<NaiveVector> result(psi.size());
  const auto slices = naive_staggered_slices(quarks.lattice_boundary, links.one_step.size());
  const auto add_hops = [&](const NaiveLinks& u, int distance) {
    const auto phase = [&](std::size_t site, int mu) {
      double theta = 0;
      for (int k = 0; k < distance; ++k)
        theta += angle(u.size(), u.coordinate(u.step(site, mu, k)), mu, quarks, flavour);
      return std::polar(1.0, theta);
    };
    for (std::size_t x = 0; x < psi.size(); ++x) {
      const auto place = u.coordinate(x);
      int before = 0;  // the sum of the coordinates before mu
      for (const int mu : directions) {
        const double eta = before % 2 == 0 ? 1 : -1;
        before += place[std::size_t(mu)];
        const auto ahead = u.step(x, mu, distance), behind = u.step(x, mu, -distance);
        const int in_time = mu == 3 ? distance : 0;
        if (slices.have_hop(place[3], in_time)) {
          const auto f = weights(mu, place, distance)[0] * phase(x, mu);
          const auto forward = u(x, mu) * psi[ahead];
          for (std::size_t i = 0; i < 3; ++i) result[x][i] += 0.5 * eta * f * forward[i];
        }
        if (slices.have_hop(place[3], -in_time)) {
          const auto b = weights(mu, u.coordinate(behind), distance)[1] * std::conj(phase(behind, mu));
          const auto backward = adjoint(u(behind, mu)) * psi[behind];
          for (std::size_t i = 0; i < 3; ++i) result[x][i] -= 0.5 * eta * b * backward[i];
        }
      }
    }
  };
  add_hops(links.one_step, 1);
  if (links.three_steps) add_hops(*links.three_steps, 3);
  return result;
}

std::vector<NaiveVector> naive_staggered(const NaiveHopLinks& links, const QuarkInput& quarks,
                                         const FlavourInput& flavour, const std::vector<NaiveVector>& psi) {
  const NaiveHopWeights ones = [](int, const Coordinate&, int) {
    return std::array<std::complex<double>, 2>{1.0, 1.0};
  };
  return naive_hops(links, quarks, flavour, ones, psi);
}

NaiveLinks naive_transformed(const NaiveLinks& u, const std::vector<NaiveMatrix>& g, int distance) {
  NaiveLinks v(u.size());
  for (std::size_t x = 0; x < u.volume(); ++x)
    for (const int mu : directions) v(x, mu) = g[x] * u(x, mu) * adjoint(g[u.step(x, mu, distance)]);
  return v;
}

}  // namespace trellis::app
