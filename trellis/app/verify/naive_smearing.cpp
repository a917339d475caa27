// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_smearing.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "trellis/app/verify/naive_boundary.hpp"

namespace trellis::app {
namespace {

// Of a path, whatever its length, by the number of its links; those of Lepage go two steps to the same side.
struct PathWeights {
  double one = 0, three = 0, five = 0, seven = 0, lepage = 0, naik = 0;
};

// Each link becomes make(site, mu), from links that do not change meanwhile.
template <class Make>
NaiveLinks links_of(const NaiveLinks& u, const Make& make) {
  NaiveLinks result(u.size());
  for (std::size_t x = 0; x < u.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) result(x, mu) = make(x, mu);
  return result;
}

// The path that goes `aside`, one step along mu, and back.
NaiveMatrix detour(const NaiveLinks& u, std::size_t x, int mu, const std::vector<int>& aside) {
  std::vector<int> steps = aside;
  steps.push_back(mu + 1);
  for (auto step = aside.rbegin(); step != aside.rend(); ++step) steps.push_back(-*step);
  return naive_path(u, x, steps);
}

NaiveLinks fat_links(const NaiveLinks& u, const PathWeights& c) {
  const auto sides = {1, -1, 2, -2, 3, -3, 4, -4};
  return links_of(u, [&](std::size_t x, int mu) {
    NaiveMatrix sum = scaled(c.one, u(x, mu));
    const auto differ = [](int a, int b) { return std::abs(a) != std::abs(b); };
    const auto take = [&](double weight, const std::vector<int>& aside) {
      if (weight != 0) add(sum, scaled(weight, detour(u, x, mu, aside)));
    };
    for (const int a : sides) {
      if (!differ(a, mu + 1)) continue;
      take(c.three, {a});
      take(c.lepage, {a, a});
      for (const int b : sides) {
        if (!differ(b, mu + 1) || !differ(b, a)) continue;
        take(c.five, {a, b});
        for (const int d : sides)
          if (differ(d, mu + 1) && differ(d, a) && differ(d, b)) take(c.seven, {a, b, d});
      }
    }
    return sum;
  });
}

NaiveSmearing improved(const NaiveLinks& u, const PathWeights& c) {
  NaiveSmearing links{fat_links(u, c)};
  if (c.naik == 0) return links;
  links.three_steps =
      links_of(u, [&](std::size_t x, int mu) { return scaled(c.naik, naive_path(u, x, {mu + 1, mu + 1, mu + 1})); });
  links.one_step = u;
  return links;
}

// V (V^dagger V)^(-1/2). Jacobi's rotations turn h = V^dagger V into its eigenvalues, and q into its eigenvectors.
NaiveMatrix unitary_part(const NaiveMatrix& v) {
  NaiveMatrix h = adjoint(v) * v, q = naive_identity();
  bool turned = true;
  for (int sweep = 0; sweep < 30 && turned; ++sweep) {
    turned = false;
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      const double size = std::abs(h[i][j]);
      if (size <= 1e-18 * (h[i][i].real() + h[j][j].real())) continue;
      turned = true;
      const double angle = 0.5 * std::atan2(2 * size, h[j][j].real() - h[i][i].real());
      const std::complex<double> phase = h[i][j] / size;
      NaiveMatrix turn = naive_identity();
      turn[i][i] = std::cos(angle);
      turn[j][j] = std::cos(angle);
      turn[i][j] = std::sin(angle) * phase;
      turn[j][i] = -std::sin(angle) * std::conj(phase);
      h = adjoint(turn) * h * turn;
      q = q * turn;
    }
  }
  NaiveMatrix root{};
  for (std::size_t k = 0; k < 3; ++k) root[k][k] = 1 / std::sqrt(h[k][k].real());
  return v * q * root * adjoint(q);
}

// Without the phase of its determinant.
NaiveMatrix special_unitary_part(const NaiveMatrix& m) {
  const NaiveMatrix w = unitary_part(m);
  const auto determinant = w[0][0] * (w[1][1] * w[2][2] - w[1][2] * w[2][1]) -
                           w[0][1] * (w[1][0] * w[2][2] - w[1][2] * w[2][0]) +
                           w[0][2] * (w[1][0] * w[2][1] - w[1][1] * w[2][0]);
  return scaled(std::polar(1.0, -std::arg(determinant) / 3), w);
}

NaiveLinks ape(const NaiveLinks& u, int dimensions, double alpha) {
  return links_of(u, [&](std::size_t x, int mu) {
    if (mu >= dimensions) return u(x, mu);
    NaiveMatrix sum = scaled(1 - alpha, u(x, mu));
    for (int nu = 0; nu < dimensions; ++nu)
      for (const int step : {nu + 1, -nu - 1})
        if (nu != mu) add(sum, scaled(alpha / (2 * dimensions - 2), detour(u, x, mu, {step})));
    return special_unitary_part(sum);
  });
}

// The links along mu of one level of HYP smearing, by site. alphas: of this level and of those inside it; staples go in
// the directions `free`, and are made of links that are smeared in what is then left of these.
std::vector<NaiveMatrix> hyp_links(const NaiveLinks& u, int mu, const std::vector<int>& free,
                                   const std::vector<double>& alphas) {
  std::vector<NaiveMatrix> links;
  for (std::size_t x = 0; x < u.volume(); ++x)
    links.push_back(alphas.empty() ? u(x, mu) : scaled(1 - alphas[0], u(x, mu)));
  if (alphas.empty()) return links;
  const std::vector<double> inner(alphas.begin() + 1, alphas.end());
  for (const int nu : free) {
    std::vector<int> rest;
    for (const int other : free)
      if (other != nu) rest.push_back(other);
    const auto side = hyp_links(u, nu, rest, inner), middle = hyp_links(u, mu, rest, inner);
    const double weight = alphas[0] / (2.0 * double(free.size()));
    for (std::size_t x = 0; x < u.volume(); ++x) {
      const auto below = u.step(x, nu, -1), above = u.step(x, nu, 1);
      add(links[x], scaled(weight, side[x] * middle[above] * adjoint(side[u.step(x, mu, 1)])));
      add(links[x], scaled(weight, adjoint(side[below]) * middle[below] * side[u.step(below, mu, 1)]));
    }
  }
  for (auto& link : links) link = special_unitary_part(link);
  return links;
}

NaiveLinks hyp(const NaiveLinks& u, int dimensions, std::vector<double> alphas) {
  alphas.resize(std::size_t(dimensions) - 1);
  NaiveLinks result = u;
  for (int mu = 0; mu < dimensions; ++mu) {
    std::vector<int> free;
    for (int nu = 0; nu < dimensions; ++nu)
      if (nu != mu) free.push_back(nu);
    const auto links = hyp_links(u, mu, free, alphas);
    for (std::size_t x = 0; x < u.volume(); ++x) result(x, mu) = links[x];
  }
  return result;
}

template <class Step>
NaiveSmearing repeated(NaiveLinks u, int levels, const Step& step) {
  for (int level = 0; level < levels; ++level) u = step(u);
  return {std::move(u)};
}

constexpr double three = 1.0 / 16, five = 1.0 / 64, seven = 1.0 / 384;

}  // namespace

NaiveHopLinks NaiveSmearing::of(double epsilon) const {
  NaiveHopLinks links{fat, three_steps};
  if (!three_steps) return links;
  for (std::size_t x = 0; x < fat.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      add(links.one_step(x, mu), scaled(epsilon / 8, (*one_step)(x, mu)));
      add((*links.three_steps)(x, mu), scaled(epsilon, (*three_steps)(x, mu)));
    }
  return links;
}

std::optional<NaiveSmearing> naive_smearing(const NaiveLinks& u, const gauge::SmearingParameters& parameters) {
  const auto& kind = parameters.kind;
  const auto value = [&](const char* key) { return parameters.values.at(key); };
  const auto whole = [&](const char* key) { return int(value(key)); };
  if (kind == "stout") return NaiveSmearing{naive_stout(u, value("rho"), whole("levels"), 4, parameters.boundary)};
  const PathWeights fat7{.one = 1.0 / 8, .three = three, .five = five, .seven = seven};
  if (kind == "fat7") return improved(u, fat7);
  if (kind == "hisq") {
    const NaiveLinks v = fat_links(u, fat7);
    const NaiveLinks w = links_of(v, [&](std::size_t x, int mu) {
      const bool exists = naive_is_variable(parameters.boundary, u.size(), u.coordinate(x)[3], mu);
      return exists ? unitary_part(v(x, mu)) : v(x, mu);
    });
    return improved(w, {.one = 1, .three = three, .five = five, .seven = seven, .lepage = -1.0 / 8, .naik = -1.0 / 24});
  }
  if (kind == "asqtad" || kind == "naik") {
    const double two = std::pow(value("u0"), 2), naik = -1 / (24 * two);
    if (kind == "naik") return improved(u, {.one = 9.0 / 8, .naik = naik});
    return improved(u, {.one = 5.0 / 8,
                        .three = three / two,
                        .five = five / (two * two),
                        .seven = seven / (two * two * two),
                        .lepage = -1 / (16 * two * two),
                        .naik = naik});
  }
  if (kind == "ape")
    return repeated(u, whole("levels"),
                    [&](const NaiveLinks& from) { return ape(from, whole("dimensions"), value("alpha")); });
  if (kind == "hyp")
    return repeated(u, whole("levels"), [&](const NaiveLinks& from) {
      return hyp(from, whole("dimensions"), {value("alpha1"), value("alpha2"), value("alpha3")});
    });
  return std::nullopt;
}

}  // namespace trellis::app
