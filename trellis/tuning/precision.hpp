// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a precision to the type that the Wilson operator stores:
//   with_precision(p, [&]<class T>() { ... });   T = double, float or Fixed16

#include <utility>

#include "trellis/core/base/precision.hpp"
#include "trellis/lattice/fixed_point.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::tuning {

template <class F>
auto with_precision(Precision p, F&& f) {
  if (p == Precision::double_) return std::forward<F>(f).template operator()<double>();
  if (p == Precision::single) return std::forward<F>(f).template operator()<float>();
  return std::forward<F>(f).template operator()<Fixed16>();
}

// The lane count for this many vectors. On a GPU 16-bit vectors are slower side by side.
inline int best_lanes(const Coordinate& size, Precision p, int vectors) {
  return Lattice::best_lanes(size, arithmetic_bytes(p), p == Precision::fixed16 ? 1 : vectors);
}

}  // namespace trellis::tuning
