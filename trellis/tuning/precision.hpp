// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precisions in which the Wilson operator keeps its numbers, by name:
//   with_precision(p, [&]<class T>() { ... });   T = double, float or Fixed16

#include <utility>

#include "trellis/lattice/fixed_point.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::tuning {

enum class Precision { double_, single, fixed16 };

inline constexpr std::array<Precision, 3> precisions{Precision::double_, Precision::single, Precision::fixed16};

inline constexpr std::string_view name_of(Precision p) {
  return p == Precision::double_ ? "double" : p == Precision::single ? "single" : "16-bit";
}

template <class F>
auto with_precision(Precision p, F&& f) {
  if (p == Precision::double_) return std::forward<F>(f).template operator()<double>();
  if (p == Precision::single) return std::forward<F>(f).template operator()<float>();
  return std::forward<F>(f).template operator()<Fixed16>();
}

// Bytes of the numbers that arithmetic is done with, which fill the lanes.
inline constexpr int arithmetic_bytes(Precision p) { return p == Precision::double_ ? 8 : 4; }

// The lanes for this many vectors. In 16 bits those that lie side by side lose on a GPU.
inline int best_lanes(const Coordinate& size, Precision p, int vectors) {
  return Lattice::best_lanes(size, arithmetic_bytes(p), p == Precision::fixed16 ? 1 : vectors);
}

}  // namespace trellis::tuning
