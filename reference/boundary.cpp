// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/boundary.hpp"

#include <algorithm>
#include <functional>

namespace trellis::reference {

namespace {

enum class Kind { plaquette, rectangle, squared_plaquette, parallelogram };
struct Loop {
  Path path;
  Kind kind;
};

std::vector<Loop> loops() {
  std::vector<Loop> all;
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu) {
      const Path plaquette = forward(mu) + forward(nu) + backward(mu) + backward(nu);
      if (mu < nu) all.push_back({plaquette, Kind::plaquette});
      if (mu < nu) all.push_back({plaquette + plaquette, Kind::squared_plaquette});
      if (mu != nu) all.push_back({forward(mu, 2) + forward(nu) + backward(mu, 2) + backward(nu), Kind::rectangle});
    }
  for (const Path& path : parallelograms()) all.push_back({path, Kind::parallelogram});
  return all;
}

// The sites where the steps of a path begin.
std::vector<Site> sites_along(Site x, const Path& path) {
  std::vector<Site> sites;
  for (const Step& step : path) {
    sites.push_back(x);
    x = shift(x, step.direction, step.forward ? 1 : -1);
  }
  return sites;
}

double weight(const Loop& loop, const Site& x, const LoopWeights& weights, const TimeBoundary& boundary) {
  int first = x[3], last = x[3];
  for (const Site& y : sites_along(x, loop.path)) first = std::min(first, y[3]), last = std::max(last, y[3]);
  if (first < 0 || last > boundary.last) return 0;
  const bool touches = first == 0 || last == boundary.last;
  const double whole = loop.kind == Kind::plaquette       ? weights.plaquette
                       : loop.kind == Kind::parallelogram ? weights.parallelogram
                                                          : weights.rectangle;
  if (!boundary.schroedinger_functional) {
    if (loop.kind == Kind::squared_plaquette) return 0;
    return touches && first == last ? boundary.c_g / 2 * whole : whole;
  }
  const bool one_step_from_boundary = touches && last == first + 1;
  if (loop.kind == Kind::squared_plaquette) return one_step_from_boundary && boundary.orbifold ? whole / 2 : 0;
  if (!one_step_from_boundary || loop.kind == Kind::parallelogram) return whole;
  if (loop.kind == Kind::plaquette) return boundary.c_g * whole;
  return boundary.orbifold ? whole : boundary.c_g_rectangles * whole;
}

void for_each_loop(const GaugeConfiguration& u, const LoopWeights& weights, const TimeBoundary& boundary,
                   const std::function<void(const Path&, const Site&, double)>& f) {
  for (const Loop& loop : loops())
    for (int i = 0; i < u.volume(); ++i)
      if (const double w = weight(loop, u.site(i), weights, boundary); w != 0) f(loop.path, u.site(i), w);
}

}  // namespace

double gauge_action(const GaugeConfiguration& u, const LoopWeights& weights, const TimeBoundary& boundary) {
  double sum = 0;
  for_each_loop(u, weights, boundary, [&](const Path& path, const Site& x, double w) {
    sum += w * (1 - trace(path_product(u, x, path)).real() / 3);
  });
  return sum;
}

bool is_variable(const Site& x, int mu, const TimeBoundary& boundary) {
  if (mu == 3) return x[3] < boundary.last;
  if (!boundary.schroedinger_functional) return x[3] <= boundary.last;
  return x[3] > 0 && x[3] < boundary.last;
}

std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, const LoopWeights& weights,
                                     const TimeBoundary& boundary) {
  std::vector<Matrix> d(u.links.size());
  for_each_loop(u, weights, boundary, [&](const Path& path, const Site& x, double w) {
    const auto sites = sites_along(x, path);
    for (std::size_t k = 0; k < path.size(); ++k) {
      // The loop from the link on: a link that is passed backwards is the first of the opposite loop.
      Path from(path.begin() + std::ptrdiff_t(k), path.end());
      from.insert(from.end(), path.begin(), path.begin() + std::ptrdiff_t(k));
      const int mu = path[k].direction;
      Site at = sites[k];
      if (!path[k].forward) {
        from = reverse(from);
        from = Path{from.back()} + Path(from.begin(), from.end() - 1);
        at = shift(at, mu, -1);
      }
      if (!is_variable(u.site(u.index(at)), mu, boundary)) continue;
      const Matrix loop = path_product(u, at, from);
      std::array<double, 8> p;
      for (int a = 0; a < 8; ++a) p[std::size_t(a)] = w * trace(generator(a) * loop).imag() / 3;
      Matrix& sum = d[std::size_t(4 * u.index(at) + mu)];
      sum = sum + from_coefficients(p);
    }
  });
  return d;
}

Matrix plaquette_staple(const GaugeConfiguration& u, const Site& x, int mu, const TimeBoundary& boundary) {
  Matrix sum{};
  for (int nu = 0; nu < 4; ++nu)
    for (const Path& side : {forward(nu), backward(nu)}) {
      if (nu == mu) continue;
      const Path rest = side + backward(mu) + reverse(side);
      const double w = weight({forward(mu) + rest, Kind::plaquette}, x, {1, 0, 0}, boundary);
      if (w != 0) sum = sum + w * path_product(u, shift(x, mu), rest);
    }
  return sum;
}

GaugeConfiguration flow_step(const GaugeConfiguration& u, double step, double c1, const TimeBoundary& boundary) {
  GaugeConfiguration v = u;
  std::vector<Matrix> sum(u.links.size());
  const auto stage = [&](double old, double factor) {
    const auto d = gauge_derivative(v, loop_weights(6.0, c1), boundary);
    for (std::size_t i = 0; i < v.links.size(); ++i) {
      const int t = u.site(int(i / 4))[3];
      const bool doubled = !boundary.schroedinger_functional && i % 4 != 3 && (t == 0 || t == boundary.last);
      sum[i] = old * sum[i] + Complex{0, -(doubled ? 2 : 1) * factor * step} * d[i];
      v.links[i] = exponential(sum[i]) * v.links[i];
    }
  };
  stage(0, 1.0 / 4);
  stage(-17.0 / 9, 8.0 / 9);
  stage(-1, 3.0 / 4);
  return v;
}

}  // namespace trellis::reference
