// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/loop_weights.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::gauge {

LoopWeights one_loop_symanzik(double beta, double u0, int flavours) {
  if (!(beta >= 0) || !std::isfinite(beta)) fail_input("one-loop Symanzik action: beta {}; it must be from 0", beta);
  if (!(u0 > 0 && u0 <= 1)) fail_input("one-loop Symanzik action: u0 {}; it must be above 0 and at most 1", u0);
  if (flavours < 0) fail_input("one-loop Symanzik action: {} flavours; there cannot be fewer than 0", flavours);
  const double log = std::log(u0), squared = u0 * u0;
  return {.plaquette = beta,
          .rectangle = -beta / (20 * squared) * (1 - (0.6264 - 1.1746 * flavours) * log),
          .parallelogram = beta / squared * (0.0433 - 0.0156 * flavours) * log};
}

}  // namespace trellis::gauge
