// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/flow.hpp"

namespace trellis::reference {

std::vector<Matrix> flow_direction(const GaugeConfiguration& u, double c1) {
  std::vector<Matrix> z;
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < 4; ++mu) {
      const Site x = u.site(i);
      z.push_back(-1.0 * traceless_antihermitian(u.link(x, mu) * staple(u, x, mu, loop_weights(1.0, c1))));
    }
  return z;
}

GaugeConfiguration flow_step(const GaugeConfiguration& u, double step, double c1) {
  GaugeConfiguration w = u;
  const std::vector<Matrix> z0 = flow_direction(w, c1);
  for (std::size_t i = 0; i < w.links.size(); ++i) w.links[i] = exponential(step / 4.0 * z0[i]) * w.links[i];

  const std::vector<Matrix> z1 = flow_direction(w, c1);
  for (std::size_t i = 0; i < w.links.size(); ++i)
    w.links[i] = exponential(step * (8.0 / 9.0 * z1[i] - 17.0 / 36.0 * z0[i])) * w.links[i];

  const std::vector<Matrix> z2 = flow_direction(w, c1);
  for (std::size_t i = 0; i < w.links.size(); ++i)
    w.links[i] = exponential(step * (3.0 / 4.0 * z2[i] - 8.0 / 9.0 * z1[i] + 17.0 / 36.0 * z0[i])) * w.links[i];
  return w;
}

GaugeConfiguration flow(GaugeConfiguration u, double step, int steps, double c1) {
  for (int i = 0; i < steps; ++i) u = flow_step(u, step, c1);
  return u;
}

}  // namespace trellis::reference
