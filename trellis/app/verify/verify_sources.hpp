// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sources and momenta of the input's hadrons that a smaller lattice has.

#include <cstdlib>
#include <vector>

#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::app {

// Those that this lattice has.
inline std::vector<measure::Momentum> on_lattice(const std::vector<measure::Momentum>& momenta,
                                                 const Coordinate& size) {
  constexpr std::size_t most = 3;
  std::vector<measure::Momentum> kept;
  for (const auto& n : momenta)
    if (kept.size() < most && 2 * std::abs(n[0]) <= size[0] && 2 * std::abs(n[1]) <= size[1] &&
        2 * std::abs(n[2]) <= size[2])
      kept.push_back(n);
  if (kept.empty()) kept.push_back({0, 0, 0});
  return kept;
}

inline Coordinate on_lattice(Coordinate x, const Coordinate& size, const NaiveSlices& quarks) {
  for (std::size_t mu = 0; mu < 4; ++mu) x[mu] %= size[mu];
  x[3] = quarks.nearby(x[3]);
  return x;
}

// The first source that the input asks for, where there are quarks.
template <class Selection>
void take_one_source(Selection& s, const Coordinate& size, const NaiveSlices& quarks) {
  s.positions = {on_lattice(s.positions.front(), size, quarks)};
  s.sources_in_time = 1;
  s.momenta = on_lattice(s.momenta, size);
}

}  // namespace trellis::app
