// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/correlator_layout.hpp"

#include <algorithm>

namespace trellis::app {
namespace {

std::int64_t square_of(const measure::Momentum& n) { return std::int64_t{n[0]} * n[0] + n[1] * n[1] + n[2] * n[2]; }

}  // namespace

std::vector<std::int64_t> momenta_squared(const std::vector<measure::Momentum>& momenta) {
  std::vector<std::int64_t> all;
  for (const auto& n : momenta) all.push_back(square_of(n));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double correlator_average(const std::vector<measure::Momentum>& momenta, int times,
                          std::span<const std::complex<double>> c, std::int64_t squared, int t,
                          std::span<const std::size_t> sources) {
  const std::size_t block = momenta.size() * std::size_t(times);
  double sum = 0;
  int terms = 0;
  for (const std::size_t source : sources)
    for (std::size_t p = 0; p < momenta.size(); ++p) {
      if (square_of(momenta[p]) != squared) continue;
      sum += c[source * block + p * std::size_t(times) + std::size_t(t)].real();
      ++terms;
    }
  return sum / terms;
}

}  // namespace trellis::app
