// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/loops.hpp"

namespace trellis::reference {

Path forward(int mu, int steps) { return Path(steps, Step{mu, true}); }
Path backward(int mu, int steps) { return Path(steps, Step{mu, false}); }

Path operator+(Path a, const Path& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Path reverse(const Path& path) {
  Path back;
  for (auto step = path.rbegin(); step != path.rend(); ++step) back.push_back({step->direction, !step->forward});
  return back;
}

Matrix path_product(const GaugeConfiguration& u, Site x, const Path& path) {
  Matrix product = identity();
  for (const Step& step : path) {
    if (step.forward) {
      product = product * u.link(x, step.direction);
      x = shift(x, step.direction, +1);
    } else {
      x = shift(x, step.direction, -1);
      product = product * adjoint(u.link(x, step.direction));
    }
  }
  return product;
}

Complex average_loop(const GaugeConfiguration& u, const Path& path) {
  Complex sum = 0.0;
  for (int i = 0; i < u.volume(); ++i) sum += trace(path_product(u, u.site(i), path)) / 3.0;
  return sum / double(u.volume());
}

namespace {

Complex average_rectangle(const GaugeConfiguration& u, int mu, int mu_steps, int nu, int nu_steps) {
  return average_loop(u,
                      forward(mu, mu_steps) + forward(nu, nu_steps) + backward(mu, mu_steps) + backward(nu, nu_steps));
}

}  // namespace

Plaquette plaquette(const GaugeConfiguration& u) {
  Plaquette p{};
  for (int nu = 0; nu < 4; ++nu)
    for (int mu = 0; mu < nu; ++mu) {
      const double value = average_rectangle(u, mu, 1, nu, 1).real();
      (nu == 3 ? p.temporal : p.spatial) += value / 3.0;
    }
  p.total = (p.spatial + p.temporal) / 2.0;
  return p;
}

double rectangle(const GaugeConfiguration& u) {
  double sum = 0.0;
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu)
      if (mu != nu) sum += average_rectangle(u, mu, 2, nu, 1).real();
  return sum / 12.0;
}

std::vector<Path> parallelograms() {
  // From another corner and backwards, the loop of a, b, c is that of a, -c, -b: one order of the other two is enough.
  std::vector<Path> paths;
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu)
      for (int rho = nu + 1; rho < 4; ++rho)
        for (const bool nu_forward : {true, false})
          for (const bool rho_forward : {true, false}) {
            const Path a = forward(mu), b = nu_forward ? forward(nu) : backward(nu),
                       c = rho_forward ? forward(rho) : backward(rho);
            paths.push_back(a + b + c + reverse(a) + reverse(b) + reverse(c));
          }
  return paths;
}

double parallelogram(const GaugeConfiguration& u) {
  double sum = 0.0;
  for (const Path& path : parallelograms()) sum += average_loop(u, path).real();
  return sum / 16.0;
}

double wilson_loop(const GaugeConfiguration& u, int space, int time) {
  double sum = 0.0;
  for (int mu = 0; mu < 3; ++mu) sum += average_rectangle(u, mu, space, 3, time).real();
  return sum / 3.0;
}

Complex polyakov_loop(const GaugeConfiguration& u, int mu) { return average_loop(u, forward(mu, u.size[mu])); }

double link_trace(const GaugeConfiguration& u) {
  double sum = 0.0;
  for (const Matrix& m : u.links) sum += trace(m).real() / 3.0;
  return sum / double(u.links.size());
}

}  // namespace trellis::reference
