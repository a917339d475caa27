// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered_hadrons.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"

namespace trellis::reference {

namespace {

// M^{+ -1} b by conjugate gradients on M M^+: z = (M M^+)^-1 M b.
ColourField solve_adjoint(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& b) {
  ColourField r = apply_m(u, theta, mass, b), p = r, z = constant_field(u.size, 0.0);
  double rr = dot(r, r).real();
  const double target = 1e-30 * rr;
  for (int k = 0; rr > target; ++k) {
    if (k > 10000) fail("the adjoint equation does not converge");
    const ColourField q = apply_m(u, theta, mass, apply_m_adjoint(u, theta, mass, p));
    const double alpha = rr / dot(p, q).real();
    z = z + alpha * p;
    r = r - alpha * q;
    const double next = dot(r, r).real();
    p = r + (next / rr) * p;
    rr = next;
  }
  return z;
}

Complex wave(const Site& size, const std::array<int, 3>& n, const Site& x) {
  double angle = 0;
  for (int i = 0; i < 3; ++i) angle -= 2 * std::numbers::pi * n[i] * x[i] / size[i];
  return std::polar(1.0, angle);
}

}  // namespace

double spin_taste_sign(const SpinMatrix& gamma, const Site& x) {
  SpinMatrix a = spin_identity();
  for (int mu = 0; mu < 4; ++mu)
    for (int k = 0; k < x[mu]; ++k) a = a * gamma_matrix(mu);
  const SpinMatrix turned = adjoint(a) * gamma * a;
  for (const double sign : {1.0, -1.0})
    if (distance(turned, sign * gamma) < 1e-12) return sign;
  fail("a matrix that is not one of the sixteen");
}

StaggeredPropagator staggered_propagator(const GaugeConfiguration& u, const LinkPhases& theta, double mass) {
  const auto sites = std::size_t(u.volume());
  StaggeredPropagator g{std::vector<Matrix>(sites), std::vector<Matrix>(sites)};
  for (int c = 0; c < 3; ++c) {
    const ColourField source = point_field(u.size, {0, 0, 0, 0}, c);
    // Row c of M^-1 is the adjoint of column c of M^{+ -1}.
    const ColourField column = solve_m(u, theta, mass, source), row = solve_adjoint(u, theta, mass, source);
    for (std::size_t x = 0; x < sites; ++x)
      for (int a = 0; a < 3; ++a) {
        g.from_origin[x][3 * a + c] = column[x][a];
        g.to_origin[x][3 * c + a] = std::conj(row[x][a]);
      }
  }
  return g;
}

std::vector<Complex> staggered_meson(const Site& size, const StaggeredPropagator& first,
                                     const StaggeredPropagator& second, const SpinMatrix& gamma,
                                     const std::array<int, 3>& n) {
  const GaugeConfiguration lattice(size);
  std::vector<Complex> c(std::size_t(size[3]), 0.0);
  for (int k = 0; k < lattice.volume(); ++k) {
    const Site x = lattice.site(k);
    Complex loop = 0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) loop += second.from_origin[k][3 * a + b] * first.to_origin[k][3 * b + a];
    c[x[3]] += wave(size, n, x) * spin_taste_sign(gamma, x) * spin_taste_sign(gamma, {0, 0, 0, 0}) * loop;
  }
  return c;
}

ColourField symmetric_shifts(const GaugeConfiguration& u, const LinkPhases& theta, std::vector<int> steps,
                             const ColourField& psi) {
  ColourField sum = constant_field(u.size, 0.0);
  int orders = 0;
  std::sort(steps.begin(), steps.end());
  do {
    ColourField moved = psi;
    for (const int i : steps) {
      ColourField next(psi.size());
      for (int k = 0; k < u.volume(); ++k) {
        const int ahead = u.index(shift(u.site(k), i)), behind = u.index(shift(u.site(k), i, -1));
        const Matrix &forward = u.links[4 * k + i], &back = u.links[4 * behind + i];
        for (int a = 0; a < 3; ++a) {
          next[k][a] = 0;
          for (int b = 0; b < 3; ++b)
            next[k][a] += 0.5 * (std::polar(1.0, theta[4 * k + i]) * forward(a, b) * moved[ahead][b] +
                                 std::polar(1.0, -theta[4 * behind + i]) * std::conj(back(b, a)) * moved[behind][b]);
        }
      }
      moved = next;
    }
    sum = sum + moved;
    ++orders;
  } while (std::next_permutation(steps.begin(), steps.end()));
  return (1.0 / orders) * sum;
}

std::vector<Complex> point_split_meson(const GaugeConfiguration& u, const StaggeredPropagator& first,
                                       const LinkPhases& theta, double mass, const std::vector<int>& spin,
                                       const std::vector<int>& taste, const std::array<int, 3>& n) {
  const auto product = [](const std::vector<int>& directions) {
    SpinMatrix p = spin_identity();
    for (const int mu : directions) p = p * gamma_matrix(mu);
    return p;
  };
  Site apart{};
  for (const auto* list : {&spin, &taste})
    for (const int mu : *list) apart[mu] ^= 1;
  std::vector<int> steps;
  for (int mu = 0; mu < 4; ++mu)
    if (apart[mu] != 0) steps.push_back(mu);
  const auto at = [&](const Site& x) {
    std::vector<int> directions;
    for (int mu = 0; mu < 4; ++mu)
      if (x[mu] % 2 != 0) directions.push_back(mu);
    return product(directions);
  };
  const auto phi = [&](const Site& x) {
    Site y = x;
    for (int mu = 0; mu < 4; ++mu) y[mu] += apart[mu];
    return trace(adjoint(at(x)) * product(spin) * at(y) * adjoint(product(taste))).real() / 4;
  };
  std::vector<Complex> c(std::size_t(u.size[3]), 0.0);
  for (int colour = 0; colour < 3; ++colour) {
    const auto source = symmetric_shifts(u, theta, steps, point_field(u.size, {0, 0, 0, 0}, colour));
    const auto sink = symmetric_shifts(u, theta, steps, solve_m(u, theta, mass, source));
    for (int k = 0; k < u.volume(); ++k) {
      const Site x = u.site(k);
      for (int a = 0; a < 3; ++a)
        c[x[3]] += wave(u.size, n, x) * phi(x) * phi({0, 0, 0, 0}) * sink[k][a] * first.to_origin[k][3 * colour + a];
    }
  }
  return c;
}

std::vector<Complex> staggered_nucleon(const Site& size, const StaggeredPropagator& quark,
                                       const std::array<int, 3>& n) {
  const struct {
    int to[3];
    double sign;
  } permutations[] = {{{0, 1, 2}, 1},  {{1, 2, 0}, 1},  {{2, 0, 1}, 1},
                      {{0, 2, 1}, -1}, {{2, 1, 0}, -1}, {{1, 0, 2}, -1}};
  const GaugeConfiguration lattice(size);
  std::vector<Complex> c(std::size_t(size[3]), 0.0);
  for (int k = 0; k < lattice.volume(); ++k) {
    const Site x = lattice.site(k);
    if (x[0] % 2 != 0 || x[1] % 2 != 0 || x[2] % 2 != 0) continue;
    const Matrix& g = quark.from_origin[k];
    for (const auto& p : permutations)
      c[x[3]] += wave(size, n, x) * p.sign * g[p.to[0]] * g[3 + p.to[1]] * g[6 + p.to[2]];
  }
  return c;
}

GaugeConfiguration seen_from(const GaugeConfiguration& u, const Site& x0) {
  GaugeConfiguration seen(u.size);
  for (int k = 0; k < u.volume(); ++k) {
    Site x = u.site(k);
    for (int mu = 0; mu < 4; ++mu) x[mu] += x0[mu];
    for (int mu = 0; mu < 4; ++mu) seen.links[4 * k + mu] = u.link(x, mu);
  }
  return seen;
}

}  // namespace trellis::reference
