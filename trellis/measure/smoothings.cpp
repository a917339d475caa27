// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "trellis/measure/smoothing.hpp"

namespace trellis::measure {

// A new one is such a function, plus its name in both of these lists.
Smoothing cooling_smoothing(), stout_smoothing(), ape_smoothing(), hyp_smoothing();

std::span<const Smoothing> smoothings() {
  static const std::array all{cooling_smoothing(), stout_smoothing(), ape_smoothing(), hyp_smoothing()};
  return all;
}

}  // namespace trellis::measure
