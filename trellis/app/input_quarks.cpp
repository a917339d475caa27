// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input_quarks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace trellis::app {

std::array<std::int64_t, 6> BackgroundInput::quanta(double charge) const {
  std::array<std::int64_t, 6> out{};
  for (std::size_t i = 0; i < 6; ++i) out[i] = std::llround(charge * flux[i]);
  return out;
}

std::vector<std::string> FlavourInput::terms() const {
  if (split_masses.empty()) return {name};
  std::vector<std::string> out;
  for (std::size_t i = 1; i <= split_masses.size() + 1; ++i) out.push_back(fmt::format("{}_{}", name, i));
  return out;
}

std::vector<std::string> QuarkInput::terms() const {
  std::vector<std::string> out;
  for (const auto& flavour : flavours)
    for (auto& term : flavour.terms()) out.push_back(std::move(term));
  return out;
}

}  // namespace trellis::app
