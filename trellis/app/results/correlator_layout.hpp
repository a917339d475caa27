// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the correlators of one configuration are ordered, for files and tables: by name, source, momentum and time, t
// fastest.

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trellis/comm/coordinate.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::app {

struct NamedCorrelator {
  std::string name;  // of its array, within the group
  std::string channel;
  std::string units = "lattice units";                           // "a^-3"
  std::vector<std::pair<std::string, std::string>> labels = {};  // other attributes of its array: sink, flavours
  std::optional<double> kappa = {};
};

struct CorrelatorLayout {
  std::string group;  // of the file's arrays: "hadrons"
  std::vector<NamedCorrelator> correlators;
  std::vector<Coordinate> sources;
  std::vector<measure::Momentum> momenta;
  int times = 0;

  // The numbers of one correlator of one configuration.
  std::size_t length() const { return sources.size() * momenta.size() * std::size_t(times); }
};

// The different n^2, in order.
std::vector<std::int64_t> momenta_squared(const std::vector<measure::Momentum>& momenta);

// The real part at time t, averaged over these sources (measure::sources_at) and over the momenta with one n^2, of
// [source][momentum][t].
double correlator_average(const std::vector<measure::Momentum>& momenta, int times,
                          std::span<const std::complex<double>> c, std::int64_t squared, int t,
                          std::span<const std::size_t> sources);

// Rows of an input as coordinates or momenta.
template <std::size_t N>
std::vector<std::array<int, N>> rows_of(const std::vector<std::vector<std::int64_t>>& given) {
  std::vector<std::array<int, N>> rows;
  for (const auto& numbers : given) {
    std::array<int, N> row{};
    for (std::size_t i = 0; i < N; ++i) row[i] = static_cast<int>(numbers[i]);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace trellis::app
