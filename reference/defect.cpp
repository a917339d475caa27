// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/defect.hpp"

namespace trellis::reference {

double link_weight(const Defect& defect, double coupling, const Site& size, Site x, int mu) {
  if (mu != defect.direction) return 1.0;
  for (int nu = 0; nu < 4; ++nu) {
    x[nu] = (x[nu] % size[nu] + size[nu]) % size[nu];
    if (nu == mu ? x[nu] != size[nu] - 1 : x[nu] >= defect.length) return 1.0;
  }
  return coupling;
}

namespace {

double path_weight(const Defect& defect, double coupling, const Site& size, Site x, const Path& path) {
  double product = 1.0;
  for (const Step& step : path) {
    if (!step.forward) x = shift(x, step.direction, -1);
    product *= link_weight(defect, coupling, size, x, step.direction);
    if (step.forward) x = shift(x, step.direction, +1);
  }
  return product;
}

Path rectangle_path(int mu, int mu_steps, int nu) {
  return forward(mu, mu_steps) + forward(nu) + backward(mu, mu_steps) + backward(nu);
}

}  // namespace

double defect_action(const GaugeConfiguration& u, const LoopWeights& weights, const Defect& defect, double coupling) {
  double sum = 0.0;
  const auto add = [&](double weight, const Path& loop) {
    if (weight == 0.0) return;
    for (int i = 0; i < u.volume(); ++i) {
      const Site x = u.site(i);
      sum -= weight * path_weight(defect, coupling, u.size, x, loop) * trace(path_product(u, x, loop)).real() / 3.0;
    }
  };
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu) {
      if (mu < nu) add(weights.plaquette, rectangle_path(mu, 1, nu));
      if (mu != nu) add(weights.rectangle, rectangle_path(mu, 2, nu));
    }
  for (const Path& loop : parallelograms()) add(weights.parallelogram, loop);
  return sum;
}

Matrix defect_loops(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights,
                    const Defect& defect, double coupling) {
  Matrix sum{};
  const double own = link_weight(defect, coupling, u.size, x, mu);
  const auto add = [&](double weight, const std::vector<Path>& staples) {
    if (weight == 0.0) return;
    const Site ahead = shift(x, mu);
    for (const Path& path : staples)
      sum = sum + weight * own * path_weight(defect, coupling, u.size, ahead, path) * path_product(u, ahead, path);
  };
  add(weights.plaquette, plaquette_staples(mu));
  add(weights.rectangle, rectangle_staples(mu));
  add(weights.parallelogram, parallelogram_staples(mu));
  return u.link(x, mu) * sum;
}

std::array<double, 8> defect_derivative(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights,
                                        const Defect& defect, double coupling) {
  const Matrix w = defect_loops(u, x, mu, weights, defect, coupling);
  std::array<double, 8> d;
  for (int a = 0; a < 8; ++a) d[a] = trace(generator(a) * w).imag() / 3.0;
  return d;
}

}  // namespace trellis::reference
