// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_loops.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "trellis/app/verify/naive_boundary.hpp"

namespace trellis::app {
namespace {

using gauge::Boundary;

double real_trace(const NaiveMatrix& a) { return (a[0][0] + a[1][1] + a[2][2]).real(); }
double trace_of_product(const NaiveMatrix& a, const NaiveMatrix& b) { return real_trace(a * b); }

// A kind of loop: its path, and how many slices it goes up from its first site.
struct Loop {
  std::vector<int> path;
  int slices;
  NaiveLoop kind = NaiveLoop::plaquette;
};

std::vector<Loop> plaquettes(bool in_space, bool in_time) {
  std::vector<Loop> loops;
  for (int m = 1; m <= 4; ++m)
    for (int n = m + 1; n <= 4; ++n)
      if (n == 4 ? in_time : in_space) loops.push_back({{m, n, -m, -n}, n == 4 ? 1 : 0});
  return loops;
}

std::vector<Loop> rectangles() {
  std::vector<Loop> loops;
  for (int m = 1; m <= 4; ++m)
    for (int n = 1; n <= 4; ++n)
      if (m != n) loops.push_back({{m, m, n, -m, -m, -n}, m == 4 ? 2 : n == 4 ? 1 : 0, NaiveLoop::rectangle});
  return loops;
}

std::vector<Loop> squared_plaquettes() {
  std::vector<Loop> loops = plaquettes(false, true);
  for (auto& loop : loops) {
    const auto once = loop.path;
    loop.path.insert(loop.path.end(), once.begin(), once.end());
    loop.kind = NaiveLoop::squared_plaquette;
  }
  return loops;
}

// Four of each three directions; those with steps in time begin with one.
std::vector<Loop> parallelograms() {
  std::vector<Loop> loops;
  for (int a = 4; a >= 1; --a)
    for (int b = a - 1; b >= 1; --b)
      for (int c = b - 1; c >= 1; --c)
        for (const int m : {b, -b})
          for (const int n : {c, -c})
            loops.push_back({{a, m, n, -a, -m, -n}, a == 4 ? 1 : 0, NaiveLoop::parallelogram});
  return loops;
}

// f(weight, Re tr of the loop) for all of these loops that exist.
template <class F>
void for_loops(const NaiveLinks& u, const Boundary& boundary, const std::vector<Loop>& loops, const F& f) {
  for (std::size_t x = 0; x < u.volume(); ++x)
    for (const auto& loop : loops)
      if (const double w = naive_loop_weight(boundary, u.size(), u.coordinate(x)[3], loop.slices, loop.kind); w != 0)
        f(w, real_trace(naive_path(u, x, loop.path)));
}

double average(const NaiveLinks& u, const Boundary& boundary, const std::vector<Loop>& loops) {
  double sum = 0, count = 0;
  for_loops(u, boundary, loops, [&](double, double trace) {
    sum += trace / 3;
    ++count;
  });
  return sum / count;
}

}  // namespace

NaiveAverages naive_averages(const NaiveLinks& u, const Boundary& boundary) {
  return {average(u, boundary, plaquettes(true, false)), average(u, boundary, plaquettes(false, true)),
          average(u, boundary, plaquettes(true, true)), average(u, boundary, rectangles())};
}

NaiveAction naive_action(const NaiveLinks& u, const gauge::LoopWeights& weights, const Boundary& boundary) {
  NaiveAction s;
  const auto add = [&](double weight, const std::vector<Loop>& loops) {
    if (weight == 0) return;
    for_loops(u, boundary, loops, [&](double w, double trace) {
      s.value += weight * w * (1 - trace / 3);
      s.bound += 2 * std::abs(weight) * w;
    });
  };
  add(weights.plaquette, plaquettes(true, true));
  add(weights.rectangle, rectangles());
  add(weights.rectangle, squared_plaquettes());
  add(weights.parallelogram, parallelograms());
  return s;
}

double naive_eta_derivative(const NaiveLinks& u, const Boundary& boundary) {
  constexpr double h = 0.01;
  constexpr std::array<double, 3> angles{1, -0.5, -0.5};
  const auto action = [&](double eta) {
    NaiveLinks v = u;
    for (std::size_t x = 0; x < u.volume(); ++x)
      for (int mu = 0; mu < 3; ++mu) {
        const int t = u.coordinate(x)[3];
        if (t != 0 && t != boundary.extent) continue;
        for (std::size_t i = 0; i < 3; ++i)
          for (auto& element : v(x, mu)[i])
            element *= std::polar(1.0, (t == 0 ? eta : -eta) * angles[i] / u.size()[std::size_t(mu)]);
      }
    return naive_action(v, gauge::Action{1, boundary.c1}, boundary).value;
  };
  return (8 * (action(h) - action(-h)) - (action(2 * h) - action(-2 * h))) / (12 * h);
}

std::vector<NaiveSlice> naive_slices(const NaiveLinks& u, const Boundary& boundary) {
  constexpr double pi = std::numbers::pi;
  const auto& size = u.size();
  const double sites = double(size[0]) * size[1] * size[2];
  std::vector<NaiveSlice> slices(std::size_t(size[3]), NaiveSlice{});
  for (std::size_t x = 0; x < u.volume(); ++x) {
    const int t = u.coordinate(x)[3];
    if (naive_loop_weight(boundary, size, t, 0) == 0) continue;  // beyond the last slice
    auto& slice = slices[std::size_t(t)];
    const bool is_end = naive_is_end(boundary, size, t);
    for (const auto& loop : plaquettes(true, false))
      slice.energy_plaquette += 2 / sites * (is_end ? 0.5 : 1) * (3 - real_trace(naive_path(u, x, loop.path)));
    if (naive_loop_weight(boundary, size, t, 1) != 0)
      for (const auto& loop : plaquettes(false, true))
        for (const int at : {t, (t + 1) % size[3]})
          slices[std::size_t(at)].energy_plaquette += (3 - real_trace(naive_path(u, x, loop.path))) / sites;
    if (is_end) continue;
    const auto field = [&](int mu, int nu) { return naive_field_strength(u, x, mu, nu); };
    const auto xy = field(0, 1), xz = field(0, 2), xt = field(0, 3), yz = field(1, 2), yt = field(1, 3),
               zt = field(2, 3);
    for (const auto* f : {&xy, &xz, &yz}) slice.energy_spatial += trace_of_product(*f, *f) / sites;
    for (const auto* f : {&xt, &yt, &zt}) slice.energy_temporal += trace_of_product(*f, *f) / sites;
    slice.charge += (trace_of_product(xy, zt) - trace_of_product(xz, yt) + trace_of_product(xt, yz)) / (4 * pi * pi);
  }
  return slices;
}

NaiveSlice naive_mean(const std::vector<NaiveSlice>& slices, const Boundary& boundary) {
  NaiveSlice mean;
  double inside = 0;
  const Coordinate size{2, 2, 2, int(slices.size())};
  for (int t = 0; t < int(slices.size()); ++t) {
    if (naive_loop_weight(boundary, size, t, 0) == 0 || naive_is_end(boundary, size, t)) continue;
    const auto& slice = slices[std::size_t(t)];
    mean.energy_spatial += slice.energy_spatial;
    mean.energy_temporal += slice.energy_temporal;
    mean.charge += slice.charge;
    ++inside;
  }
  mean.energy_spatial /= inside;
  mean.energy_temporal /= inside;
  return mean;
}

}  // namespace trellis::app
