// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/correlator_parts.hpp"

#include <algorithm>
#include <string>

namespace trellis::measure {

const MesonChannel* find_meson(const std::string& name) {
  const auto& all = meson_channels();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& c) { return c.name == (name == "pion" ? "pseudoscalar" : name); });
  return found == all.end() ? nullptr : &*found;
}

const std::vector<std::string>& parts_of_rho() {
  static const std::vector<std::string> parts{"vector_x", "vector_y", "vector_z"};
  return parts;
}

std::string without_parity(const std::string& channel) { return channel.substr(0, channel.find("_negative")); }

Correlator mean(const std::vector<Correlator>& all) {
  Correlator sum = all[0];
  for (std::size_t k = 1; k < all.size(); ++k)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += all[k][i];
  for (auto& value : sum) value /= double(all.size());
  return sum;
}

std::vector<Correlator> split(const Correlator& all, int count) {
  std::vector<Correlator> parts;
  const auto length = static_cast<std::ptrdiff_t>(all.size()) / count;
  for (int n = 0; n < count; ++n) parts.emplace_back(all.begin() + n * length, all.begin() + (n + 1) * length);
  return parts;
}

}  // namespace trellis::measure
