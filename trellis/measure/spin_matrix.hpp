// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of gamma matrices in the DeGrand-Rossi basis (su3/spinor.hpp): each row has one non-zero element, a power of
// i. All of them flip bits of the spin: the element of row s is in column s ^ flip.

#include <array>

#include "trellis/su3/spinor.hpp"

namespace trellis::measure {

struct SpinMatrix {
  int flip = 0;
  std::array<int, 4> phase{};  // of each row: exponents of i

  constexpr SpinMatrix operator*(const SpinMatrix& b) const {
    SpinMatrix c{flip ^ b.flip, {}};
    for (int s = 0; s < 4; ++s) c.phase[s] = (phase[s] + b.phase[s ^ flip]) % 4;
    return c;
  }
  constexpr SpinMatrix adjoint() const {
    SpinMatrix c{flip, {}};
    for (int s = 0; s < 4; ++s) c.phase[s] = (4 - phase[s ^ flip]) % 4;
    return c;
  }
  // i^power times this matrix.
  constexpr SpinMatrix times(int power) const {
    SpinMatrix c = *this;
    for (int& p : c.phase) p = (p + power) % 4;
    return c;
  }
};

// The same for kernels, which have no std::array.
struct SpinRows {
  int flip = 0;
  int phase[4] = {};

  constexpr SpinRows() = default;
  constexpr explicit SpinRows(const SpinMatrix& m) : flip(m.flip) {
    for (int s = 0; s < 4; ++s) phase[s] = m.phase[std::size_t(s)];
  }
};

namespace spin_matrices {
inline constexpr SpinMatrix one{0, {0, 0, 0, 0}};
inline constexpr std::array<SpinMatrix, 4> gamma{
    {{3, {1, 1, 3, 3}}, {3, {2, 0, 0, 2}}, {2, {1, 3, 3, 1}}, {2, {0, 0, 0, 0}}}};
static_assert([] {
  for (int mu = 0; mu < 4; ++mu)
    for (int s = 0; s < 2; ++s)
      if (spin::gamma_row(mu, s).column != (s ^ gamma[mu].flip) || spin::gamma_row(mu, s).phase != gamma[mu].phase[s])
        return false;
  return true;
}());
inline constexpr SpinMatrix gamma5 = gamma[0] * gamma[1] * gamma[2] * gamma[3];
// (i/2) [gamma_mu, gamma_nu], mu != nu
constexpr SpinMatrix sigma(int mu, int nu) { return (gamma[mu] * gamma[nu]).times(1); }
// C gamma_mu C^-1 = -gamma_mu^T
inline constexpr SpinMatrix charge_conjugation = gamma[1] * gamma[3];
}  // namespace spin_matrices

}  // namespace trellis::measure
