// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp(i diag(angles) / extent), angles that add up to 0: the constant links in space on a boundary of a Schroedinger
// functional (M. Luescher et al., Nucl. Phys. B 384 (1992) 168). The third row is the one that the first two give.

#include <array>
#include <numbers>

#include "trellis/core/phase.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis {

inline Matrix<double> abelian_link(const std::array<double, 3>& angles, int extent) {
  Matrix<double> u = Matrix<double>::zero();
  for (int k = 0; k < 3; ++k) {
    const auto phase = phase_of(angles[std::size_t(k)] / (extent * std::numbers::pi));
    u.e[k][k] = {phase.real(), phase.imag()};
  }
  return reunitarise(u);
}

}  // namespace trellis
