// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/hisq.hpp"

#include <cmath>

#include "reference/staggered_matrix.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {

PathCoefficients fat7_paths() {
  return {.one = 1.0 / 8.0, .three = 1.0 / 16.0, .five = 1.0 / 64.0, .seven = 1.0 / 384.0};
}

PathCoefficients hisq_second_level_paths() {
  return {.one = 1.0,
          .three = 1.0 / 16.0,
          .five = 1.0 / 64.0,
          .seven = 1.0 / 384.0,
          .lepage = -1.0 / 8.0,
          .naik = -1.0 / 24.0};
}

PathCoefficients asqtad_paths(double u0) {
  const double u2 = u0 * u0, u4 = u2 * u2;
  return {.one = 5.0 / 8.0,
          .three = 1.0 / (16.0 * u2),
          .five = 1.0 / (64.0 * u4),
          .seven = 1.0 / (384.0 * u4 * u2),
          .lepage = -1.0 / (16.0 * u4),
          .naik = -1.0 / (24.0 * u2)};
}

PathCoefficients naik_paths() { return {.one = 9.0 / 8.0, .naik = -1.0 / 24.0}; }

namespace {

// A detour: the steps aside, in order, then mu, then back the way they came.
Path detour(const Path& aside, int mu) { return aside + forward(mu) + reverse(aside); }

Path step(int nu, bool ahead) { return ahead ? forward(nu) : backward(nu); }

}  // namespace

std::vector<Path> one_link_paths(int mu) { return {forward(mu)}; }

std::vector<Path> three_link_paths(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu)
    if (nu != mu)
      for (const bool a : {true, false}) paths.push_back(detour(step(nu, a), mu));
  return paths;
}

std::vector<Path> five_link_paths(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu)
    for (int rho = 0; rho < 4; ++rho)
      if (nu != mu && rho != mu && rho != nu)
        for (const bool a : {true, false})
          for (const bool b : {true, false}) paths.push_back(detour(step(nu, a) + step(rho, b), mu));
  return paths;
}

std::vector<Path> seven_link_paths(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu)
    for (int rho = 0; rho < 4; ++rho)
      for (int sigma = 0; sigma < 4; ++sigma)
        if (nu != mu && rho != mu && sigma != mu && nu != rho && rho != sigma && sigma != nu)
          for (const bool a : {true, false})
            for (const bool b : {true, false})
              for (const bool c : {true, false})
                paths.push_back(detour(step(nu, a) + step(rho, b) + step(sigma, c), mu));
  return paths;
}

std::vector<Path> lepage_paths(int mu) {
  std::vector<Path> paths;
  for (int nu = 0; nu < 4; ++nu)
    if (nu != mu)
      for (const bool a : {true, false}) paths.push_back(detour(step(nu, a) + step(nu, a), mu));
  return paths;
}

GaugeConfiguration fat_links(const GaugeConfiguration& u, const PathCoefficients& c) {
  GaugeConfiguration fat(u.size);
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      const Site x = u.site(n);
      Matrix sum = zero_matrix();
      const auto add = [&](double coefficient, const std::vector<Path>& paths) {
        for (const Path& path : paths) sum = sum + coefficient * path_product(u, x, path);
      };
      add(c.one, one_link_paths(mu));
      add(c.three, three_link_paths(mu));
      add(c.five, five_link_paths(mu));
      add(c.seven, seven_link_paths(mu));
      add(c.lepage, lepage_paths(mu));
      fat.link(x, mu) = sum;
    }
  return fat;
}

GaugeConfiguration three_step_links(const GaugeConfiguration& u, const PathCoefficients& c) {
  GaugeConfiguration long_links(u.size);
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) long_links.link(u.site(n), mu) = c.naik * path_product(u, u.site(n), forward(mu, 3));
  return long_links;
}

// A link that does not exist, because a boundary in time is open, is zero and stays so.
Matrix unitary_part(const Matrix& v) {
  if (v == Matrix{}) return v;
  const Matrix square = adjoint(v) * v;
  DenseMatrix a(3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a(i, j) = square(i, j);
  const Eigensystem system = hermitian_eigensystem(a);
  if (!(system.values[0] > 0.0)) fail("the unitary part of a singular matrix");
  const DenseMatrix root = matrix_function(system, [](double g) { return 1.0 / std::sqrt(g); });
  Matrix inverse_root;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inverse_root(i, j) = root(i, j);
  return v * inverse_root;
}

GaugeConfiguration unitary_part(const GaugeConfiguration& v) {
  GaugeConfiguration w = v;
  for (Matrix& link : w.links) link = unitary_part(link);
  return w;
}

ImprovedLinks improved_links(const GaugeConfiguration& w, const PathCoefficients& c) {
  return {fat_links(w, c), three_step_links(w, c), w};
}

ImprovedLinks hisq_links(const GaugeConfiguration& u) {
  return improved_links(unitary_part(fat_links(u, fat7_paths())), hisq_second_level_paths());
}

ImprovedLinks asqtad_links(const GaugeConfiguration& u, double u0) { return improved_links(u, asqtad_paths(u0)); }

ImprovedLinks with_naik_epsilon(const ImprovedLinks& links, double epsilon) {
  ImprovedLinks corrected = links;
  for (std::size_t i = 0; i < links.fat.links.size(); ++i) {
    corrected.fat.links[i] = links.fat.links[i] + epsilon / 8.0 * links.one_step.links[i];
    corrected.three_steps.links[i] = (1.0 + epsilon) * links.three_steps.links[i];
  }
  return corrected;
}

namespace {

// The phases of one hop of three steps: the product of those of its steps.
LinkPhases three_step_phases(const Site& size, const LinkPhases& theta) {
  const GaugeConfiguration lattice(size);
  LinkPhases sums(theta.size());
  for (int n = 0; n < lattice.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu)
      for (int k = 0; k < 3; ++k) sums[4 * n + mu] += theta.at(4 * lattice.index(shift(lattice.site(n), mu, k)) + mu);
  return sums;
}

ColourVector times(const Matrix& m, const ColourVector& v) {
  ColourVector w{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w[i] += m(i, j) * v[j];
  return w;
}

// 1/2 sum_mu eta_mu(x) [ exp(i theta) U_mu(x) psi(x + steps mu) - h.c. at x - steps mu ]
ColourField hops(const GaugeConfiguration& u, const LinkPhases& theta, int steps, const ColourField& psi) {
  ColourField result(psi.size());
  for (int n = 0; n < u.volume(); ++n) {
    const Site x = u.site(n);
    for (int mu = 0; mu < 4; ++mu) {
      const int ahead = u.index(shift(x, mu, steps)), behind = u.index(shift(x, mu, -steps));
      const ColourVector forwards = times(u.links[4 * n + mu], psi.at(ahead));
      const ColourVector backwards = times(adjoint(u.links[4 * behind + mu]), psi.at(behind));
      for (int c = 0; c < 3; ++c)
        result[n][c] += 0.5 * eta(x, mu) *
                        (std::polar(1.0, theta.at(4 * n + mu)) * forwards[c] -
                         std::polar(1.0, -theta.at(4 * behind + mu)) * backwards[c]);
    }
  }
  return result;
}

}  // namespace

ColourField apply_d(const ImprovedLinks& links, const LinkPhases& theta, const ColourField& psi) {
  for (const int extent : links.fat.size)
    if (extent % 2 != 0) fail_input("staggered quarks on an extent of {}; it must be even", extent);
  return hops(links.fat, theta, 1, psi) + hops(links.three_steps, three_step_phases(links.fat.size, theta), 3, psi);
}

ColourField apply_m(const ImprovedLinks& links, const LinkPhases& theta, double mass, const ColourField& psi) {
  return mass * psi + apply_d(links, theta, psi);
}

DenseMatrix staggered_matrix(const ImprovedLinks& links, const LinkPhases& theta, double mass) {
  const Site& size = links.fat.size;
  DenseMatrix matrix(3 * links.fat.volume());
  for (int column = 0; column < matrix.n; ++column) {
    const ColourField unit = point_field(size, links.fat.site(column / 3), column % 3);
    const DenseVector v = to_dense(apply_m(links, theta, mass, unit));
    for (int row = 0; row < matrix.n; ++row) matrix(row, column) = v[row];
  }
  return matrix;
}

}  // namespace trellis::reference
