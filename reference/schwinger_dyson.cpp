// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/schwinger_dyson.hpp"

namespace trellis::reference {

SchwingerDyson schwinger_dyson(const GaugeConfiguration& u, double c1) {
  SchwingerDyson mean{};
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < 4; ++mu) {
      const Site x = u.site(i);
      const Matrix w = u.link(x, mu) * staple(u, x, mu, loop_weights(1.0, c1));
      const Matrix a = traceless_antihermitian(w);
      mean.re_trace += trace(w).real() / double(u.links.size());
      mean.square -= trace(a * a).real() / double(u.links.size());
    }
  return mean;
}

}  // namespace trellis::reference
