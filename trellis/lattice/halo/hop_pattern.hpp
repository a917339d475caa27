// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hops of a stencil: which neighbours of a site an operator reads. A hop is straight, one or more steps in one
// direction; hop k of a pattern is number k of the table that HopList makes for a lattice. A pattern is a constant of
// its operator:
//   static constexpr HopPattern pattern = naik_neighbours;    // pattern.count hops: the bound of a kernel's loop
// Steps are numbered 0..3 forwards in x, y, z, t and 4..7 backwards, as everywhere.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

namespace trellis {

struct PatternHop {
  int step = 0;      // 0..7
  int distance = 1;  // steps, 1..most_reach
  bool operator==(const PatternHop&) const = default;
};

// The longest hop that is supported.
inline constexpr int most_reach = 3;

struct HopPattern {
  static constexpr int most_hops = 32;
  int count = 0;
  std::array<PatternHop, most_hops> hops{};

  constexpr std::span<const PatternHop> all() const { return {hops.data(), std::size_t(count)}; }
  // Steps of the longest hop: how deep ghosts must be.
  constexpr int reach() const {
    int most = 0;
    for (const PatternHop& hop : all()) most = std::max(most, hop.distance);
    return most;
  }
  // Whether there are hops of odd length, which lead to the other parity; and of even length, which stay on the same
  // one.
  constexpr bool changes_parity() const {
    return std::ranges::any_of(all(), [](const PatternHop& hop) { return hop.distance % 2 == 1; });
  }
  constexpr bool keeps_parity() const {
    return std::ranges::any_of(all(), [](const PatternHop& hop) { return hop.distance % 2 == 0; });
  }
  constexpr bool operator==(const HopPattern& other) const { return std::ranges::equal(all(), other.all()); }
};

// All eight hops of the first distance, in the order of steps, then those of the next: at most four distances.
constexpr HopPattern straight_hops(std::initializer_list<int> distances) {
  HopPattern pattern;
  for (const int distance : distances)
    for (int step = 0; step < 8; ++step) pattern.hops[std::size_t(pattern.count++)] = {step, distance};
  return pattern;
}

inline constexpr HopPattern nearest_neighbours = straight_hops({1});
// Hops to the same parity.
inline constexpr HopPattern second_neighbours = straight_hops({2});
// Hops of the Naik term (S. Naik, Nucl. Phys. B 316 (1989) 238): one and three steps.
inline constexpr HopPattern naik_neighbours = straight_hops({1, 3});

// Throws InputError if there is no hop, a step is not 0..7, or a distance is below 1, above most_reach, or above
// `deepest`, the depth of the vectors' ghosts.
void require_hops(const HopPattern& pattern, int deepest);
// The parity of the sites that hops lead to from sites of this one. Throws InputError if they lead to both.
int parity_after(const HopPattern& pattern, int parity);

}  // namespace trellis
