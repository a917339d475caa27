// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Improved staggered links of plain configurations, path by path, and linear functions of links.

#include <cstdint>
#include <vector>

#include "reference/gauge.hpp"
#include "reference/random.hpp"
#include "trellis/gauge/smearing/improved/coefficients.hpp"

namespace trellis::test {

using reference::GaugeConfiguration;

// Steps 0..3 forwards, 4..7 backwards; the product of links along them, from x.
inline reference::Matrix path_product(const GaugeConfiguration& u, reference::Site x, const std::vector<int>& steps) {
  reference::Matrix product = reference::identity();
  for (const int step : steps) {
    const int mu = step % 4;
    if (step < 4) {
      product = product * u.link(x, mu);
      x = reference::shift(x, mu);
    } else {
      x = reference::shift(x, mu, -1);
      product = product * adjoint(u.link(x, mu));
    }
  }
  return product;
}

// All paths with these steps to the side before the step along mu, and back in the opposite order after it.
inline std::vector<int> around(const std::vector<int>& out, int mu) {
  std::vector<int> steps = out;
  steps.push_back(mu);
  for (auto step = out.rbegin(); step != out.rend(); ++step) steps.push_back((*step + 4) % 8);
  return steps;
}

struct Paths {
  double coefficient;
  std::vector<std::vector<int>> steps;
};
inline std::vector<Paths> paths_of(const gauge::FatLinkCoefficients& c, int mu) {
  Paths one{c.one_link, {{mu}}}, three{c.three_links, {}}, five{c.five_links, {}}, seven{c.seven_links, {}},
      lepage{c.lepage, {}};
  const auto beside = [](int a, int b) { return a % 4 != b % 4; };
  for (int a = 0; a < 8; ++a) {
    if (!beside(a, mu)) continue;
    three.steps.push_back(around({a}, mu));
    lepage.steps.push_back(around({a, a}, mu));
    for (int b = 0; b < 8; ++b) {
      if (!beside(b, mu) || !beside(b, a)) continue;
      five.steps.push_back(around({a, b}, mu));
      for (int d = 0; d < 8; ++d)
        if (beside(d, mu) && beside(d, a) && beside(d, b)) seven.steps.push_back(around({a, b, d}, mu));
    }
  }
  return {one, three, five, seven, lepage};
}

inline GaugeConfiguration sums_of_paths(const GaugeConfiguration& u, const gauge::FatLinkCoefficients& c) {
  GaugeConfiguration fat(u.size);
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      reference::Matrix sum = reference::zero_matrix();
      for (const Paths& paths : paths_of(c, mu))
        for (const auto& steps : paths.steps)
          sum = sum + reference::Complex(paths.coefficient) * path_product(u, u.site(n), steps);
      fat.links[std::size_t(4 * n + mu)] = sum;
    }
  return fat;
}

inline GaugeConfiguration three_steps(const GaugeConfiguration& u, double c) {
  GaugeConfiguration far(u.size);
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu)
      far.links[std::size_t(4 * n + mu)] = reference::Complex(c) * path_product(u, u.site(n), {mu, mu, mu});
  return far;
}

inline GaugeConfiguration random_matrices(const reference::Site& size, std::uint64_t seed) {
  GaugeConfiguration a(size);
  reference::Random random(seed);
  for (auto& m : a.links)
    for (auto& z : m) z = {random.normal(), random.normal()};
  return a;
}

inline double linear(const GaugeConfiguration& a, const GaugeConfiguration& u) {
  double sum = 0;
  for (std::size_t n = 0; n < a.links.size(); ++n) sum += trace(a.links[n] * u.links[n]).real();
  return sum;
}

}  // namespace trellis::test
