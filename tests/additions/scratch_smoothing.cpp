// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A smoothing as a contributor would add it, for additions.cmake.
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::measure {

Smoothing scratch_smoothing() {
  return smoothing(
      {.name = "scratch", .title = "charge, scratch", .what = "charge along scratch", .weight = {{"rho", 0.05, 0.5}}},
      [](double rho, int steps, const auto& links) { gauge::stout_steps(rho / 2, 2 * steps, links); });
}

}  // namespace trellis::measure
