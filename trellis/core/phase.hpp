// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp(i pi u) for any u, with the bits of core/math.hpp.

#include <cmath>
#include <complex>

#include "trellis/core/math.hpp"

namespace trellis {

inline std::complex<double> phase_of(double u) {
  double reduced = u - 2 * std::floor(u / 2), sine = 0, cosine = 1;
  if (reduced >= 2) reduced = 0;  // u was a little below an even number
  sincospi(reduced, sine, cosine);
  return {cosine, sine};
}

}  // namespace trellis
