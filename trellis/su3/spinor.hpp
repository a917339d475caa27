// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Spinors in registers, and the projections for a hop. C is a register of complex numbers: complex<S>, or
// interleaved_complex; the order of operations is the same for both.
//
// In the DeGrand-Rossi basis each row of gamma_mu has one non-zero element, 1, i, -1 or -i, which for the upper two
// rows is in the lower two columns. (1 -+ gamma_mu) psi therefore has two independent spin components, the upper ones:
//   project:      h_r = psi_r -+ phase_r psi_{column_r},  r = 0, 1
//   reconstruct:  psi_r += h_r,  psi_{column_r} +=  -+ conj(phase_r) h_r.
// 12 + 24 additions; a matrix times the six numbers takes 72 multiply-adds.

#include "trellis/core/complex.hpp"

namespace trellis {

template <class C>
struct Spinor {
  C e[4][3];  // [spin][colour]
};

template <class C>
struct HalfSpinor {
  C e[2][3];
};
// A: a real or complex number.
template <class A, class C>
TRELLIS_INLINE HalfSpinor<C> operator*(const A& a, HalfSpinor<C> h) {
  for (auto& row : h.e)
    for (C& x : row) x = a * x;
  return h;
}
template <class C>
TRELLIS_INLINE HalfSpinor<C> permute(HalfSpinor<C> h, const std::int32_t* from) {
  for (auto& row : h.e)
    for (C& x : row) x = permute(x, from);
  return h;
}

// A link, or a row of it, in registers.
template <class C>
struct LinkRow {
  C e[3];
};
template <class C>
struct LinkMatrix {
  C e[3][3];

  template <int I>
  TRELLIS_INLINE LinkRow<C> row() const {
    return {e[I][0], e[I][1], e[I][2]};
  }
};

// conj(a x b), the third row of an SU(3) matrix: 24 multiply-adds.
template <class C>
TRELLIS_INLINE LinkRow<C> third_row(const LinkRow<C>& a, const LinkRow<C>& b) {
  LinkRow<C> u;
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    u.e[j] = conj_difference(a.e[k], b.e[l], a.e[l], b.e[k]);
  }
  return u;
}

namespace spin {

// Powers of i: 0, 1, 2, 3 are 1, i, -1, -i.
struct Row {
  int column, phase;
};
// Row r < 2 of gamma_mu, as a function: device code cannot access an array of the host.
constexpr Row gamma_row(int mu, int r) {
  constexpr Row rows[4][2] = {{{3, 1}, {2, 1}}, {{3, 2}, {2, 0}}, {{2, 1}, {3, 3}}, {{2, 0}, {3, 0}}};
  return rows[mu][r];
}

// Steps 0..3 are forwards, 4..7 backwards. (1 - gamma) forwards and (1 + gamma) backwards in D, exchanged in its
// adjoint: the power of i in front of gamma.
constexpr int sign_of(int step, bool adjoint) { return (step < 4) != adjoint ? 2 : 0; }
constexpr int conjugate_phase(int phase) { return (4 - phase) % 4; }

// a + i^phase b
template <int Phase, class C>
TRELLIS_INLINE C add(const C& a, const C& b) {
  if constexpr (Phase % 4 == 0) return a + b;
  if constexpr (Phase % 4 == 1) return add_i(a, b);
  if constexpr (Phase % 4 == 2) return a - b;
  if constexpr (Phase % 4 == 3) return subtract_i(a, b);
}

// a + s i^phase b, s real
template <int Phase, class S>
TRELLIS_INLINE complex<S> add_scaled(const S& s, const complex<S>& a, const complex<S>& b) {
  if constexpr (Phase % 4 == 0) return {fma(s, b.re, a.re), fma(s, b.im, a.im)};
  if constexpr (Phase % 4 == 1) return {negated_fma(s, b.im, a.re), fma(s, b.re, a.im)};
  if constexpr (Phase % 4 == 2) return {negated_fma(s, b.re, a.re), negated_fma(s, b.im, a.im)};
  if constexpr (Phase % 4 == 3) return {fma(s, b.im, a.re), negated_fma(s, b.re, a.im)};
}

// a + i^phase b, where b is one of the lower components; if the vectors have a sign for these, b is multiplied by it.
template <int Phase, class C, class Psi>
TRELLIS_INLINE C add_lower(const Psi& psi, const C& a, const C& b) {
  if constexpr (requires { psi.lower_sign(); })
    return add_scaled<Phase>(psi.lower_sign(), a, b);
  else
    return add<Phase>(a, b);
}

// (1 -+ gamma_mu) psi, the upper components; psi.load(spin, colour) gives one number. psi.combined<phase>(upper, lower,
// colour), if it exists, replaces add_lower.
template <int Step, bool Adjoint, class C, class Psi>
TRELLIS_INLINE HalfSpinor<C> project(const Psi& psi) {
  constexpr int sign = sign_of(Step, Adjoint);
  constexpr Row rows[2] = {gamma_row(Step % 4, 0), gamma_row(Step % 4, 1)};
  HalfSpinor<C> h;
  for (int c = 0; c < 3; ++c) {
    if constexpr (requires { psi.template combined<0>(0, 0, 0); }) {
      h.e[0][c] = psi.template combined<(rows[0].phase + sign) % 4>(0, rows[0].column, c);
      h.e[1][c] = psi.template combined<(rows[1].phase + sign) % 4>(1, rows[1].column, c);
    } else {
      h.e[0][c] = add_lower<rows[0].phase + sign, C>(psi, psi.load(0, c), psi.load(rows[0].column, c));
      h.e[1][c] = add_lower<rows[1].phase + sign, C>(psi, psi.load(1, c), psi.load(rows[1].column, c));
    }
  }
  return h;
}

// i^phase a
template <int Phase, class C>
TRELLIS_INLINE C times(const C& a) {
  if constexpr (Phase % 4 == 0) return a;
  if constexpr (Phase % 4 == 1) return times_i(a);
  if constexpr (Phase % 4 == 2) return -a;
  if constexpr (Phase % 4 == 3) return times_minus_i(a);
}

// total = the four components of colour c that are reconstructed from the upper components h0 and h1
template <int Step, bool Adjoint, class C>
TRELLIS_INLINE void begin(const C& h0, const C& h1, int c, Spinor<C>& total) {
  constexpr int sign = sign_of(Step, Adjoint);
  constexpr Row rows[2] = {gamma_row(Step % 4, 0), gamma_row(Step % 4, 1)};
  total.e[0][c] = h0;
  total.e[1][c] = h1;
  total.e[rows[0].column][c] = times<conjugate_phase(rows[0].phase) + sign>(h0);
  total.e[rows[1].column][c] = times<conjugate_phase(rows[1].phase) + sign>(h1);
}

// total += the same
template <int Step, bool Adjoint, class C>
TRELLIS_INLINE void reconstruct(const C& h0, const C& h1, int c, Spinor<C>& total) {
  constexpr int sign = sign_of(Step, Adjoint);
  constexpr Row rows[2] = {gamma_row(Step % 4, 0), gamma_row(Step % 4, 1)};
  C& lower0 = total.e[rows[0].column][c];
  C& lower1 = total.e[rows[1].column][c];
  total.e[0][c] = total.e[0][c] + h0;
  total.e[1][c] = total.e[1][c] + h1;
  lower0 = add<conjugate_phase(rows[0].phase) + sign>(lower0, h0);
  lower1 = add<conjugate_phase(rows[1].phase) + sign>(lower1, h1);
}

}  // namespace spin
}  // namespace trellis
