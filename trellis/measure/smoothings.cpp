// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "trellis/core/error.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::measure {

// A new one is such a function, plus its name in both of these lists.
Smoothing cooling_smoothing(), stout_smoothing(), ape_smoothing(), hyp_smoothing();

std::span<const Smoothing> smoothings() {
  static const std::array all{cooling_smoothing(), stout_smoothing(), ape_smoothing(), hyp_smoothing()};
  return all;
}

std::map<std::string, double> Smoothing::complete(const std::map<std::string, double>& given) const {
  std::map<std::string, double> values;
  for (const auto& option : options) values[option.key] = option.value;
  for (const auto& [key, value] : given) {
    const auto option = std::ranges::find(options, key, &Option::key);
    if (option == options.end()) fail_input("{}: there is no option \"{}\"", name, key);
    if (!(value >= option->minimum && value <= option->maximum) || (option->integer && value != std::floor(value)))
      fail_input("{}: {} = {}; it must be {}from {} to {}", name, key, value, option->integer ? "an integer " : "",
                 option->minimum, option->maximum);
    values[key] = value;
  }
  return values;
}

}  // namespace trellis::measure
