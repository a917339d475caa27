// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Linear functions of links, sum Re tr(A_mu(x) U_mu(x)) with random complex matrices A, for tests of derivatives.

#include <cstdint>

#include "reference/gauge.hpp"
#include "reference/random.hpp"

namespace trellis::test {

inline reference::GaugeConfiguration random_matrices(const reference::Site& size, std::uint64_t seed) {
  reference::GaugeConfiguration a(size);
  reference::Random random(seed);
  for (auto& m : a.links)
    for (auto& z : m) z = {random.normal(), random.normal()};
  return a;
}

inline double linear_function(const reference::GaugeConfiguration& a, const reference::GaugeConfiguration& u) {
  double sum = 0;
  for (std::size_t n = 0; n < a.links.size(); ++n) sum += trace(a.links[n] * u.links[n]).real();
  return sum;
}

}  // namespace trellis::test
