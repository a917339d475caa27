// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The derivative of the unitary part W of V = W H, from derivatives by W to derivatives by V. With A = W^dagger dW,
// which is anti-Hermitian, dV = dW H + W dH gives
//   A H + H A = W^dagger dV - dV^dagger W,
// so that dS = Re tr(D dW) = Re tr(D' dV) for all dV with
//   D' = Z W^dagger,   Z H + H Z = G - G^dagger,   G = D W.
// Elements of Z in the basis of H's eigenvalues h are those of the right-hand side over h_i + h_j: no differences of
// eigenvalues, hence no degenerate case, and no eigenvalues are needed either. (E. Follana et al., Phys. Rev. D 75
// (2007) 054502 and A. Bazavov et al., arXiv:1004.0342 differentiate coefficients of powers of V^dagger V instead.)
//
// The equation for Z: nine real unknowns; the three diagonal ones follow from the others, for which there remain six
// symmetric positive equations, eliminated in order. Error: a few units of rounding times (largest / smallest h), and
// what W's own error makes of D W.
//
// Cut-off filter: the largest elements of Z grow like the inverse of the smallest h. If some eigenvalue of V^dagger V
// is below `cut_off`, cut_off is added to all three (as in the force of MILC's program): h becomes sqrt(h^2 + cut_off)
// in the equation for Z. Forces are then no longer exact derivatives. 0: never.
//
// Cost: 750 flops; where the filter acts another 2,000, for all lanes that are computed together.

#include "trellis/su3/hermitian.hpp"
#include "trellis/su3/unitarisation.hpp"

namespace trellis {

inline constexpr double unitarisation_derivative_flops = 750;

// X with H X + X H = C for a positive H. 270 flops.
template <class S>
TRELLIS_INLINE Hermitian<S> solve_anticommutator(const Hermitian<S>& h, const Hermitian<S>& c) {
  using T = scalar_t<S>;
  const S one = S(T(1)), half = S(T(0.5)), zero = S(T(0));
  const S inverse[3] = {one / h.d[0], one / h.d[1], one / h.d[2]};
  const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2}, common[3][3] = {{0, 0, 1}, {0, 0, 2}, {1, 2, 0}};
  // The diagonal of H X + X H: 2 h_d x_d + 2 sum Re(h_k x_k^*), over the two pairs k with d in them.
  const S from[3] = {half * (c.d[0] * inverse[0]), half * (c.d[1] * inverse[1]), half * (c.d[2] * inverse[2])};
  const S part[3][2] = {{h.o[0].re, h.o[0].im}, {h.o[1].re, h.o[1].im}, {h.o[2].re, h.o[2].im}};
  S m[6][6], y[6];  // real and imaginary parts of x_01, x_02, x_12; the lower triangle
  TRELLIS_UNROLL
  for (int k = 0; k < 3; ++k) {
    const S pair = inverse[row[k]] + inverse[column[k]], sum = h.d[row[k]] + h.d[column[k]];
    const S known = from[row[k]] + from[column[k]];
    m[2 * k][2 * k] = negated_fma(pair * part[k][0], part[k][0], sum);
    m[2 * k + 1][2 * k + 1] = negated_fma(pair * part[k][1], part[k][1], sum);
    m[2 * k + 1][2 * k] = negated_fma(pair * part[k][1], part[k][0], zero);
    y[2 * k] = negated_fma(known, h.o[k].re, c.o[k].re);
    y[2 * k + 1] = negated_fma(known, h.o[k].im, c.o[k].im);
    TRELLIS_UNROLL
    for (int l = 0; l < k; ++l) {
      const S shared = inverse[common[k][l]];
      // What of H multiplies x_l in equation k: h_12 x_01, h_02 x_01^*, h_01^* x_02.
      const complex<S> z = h.o[3 - k - l];
      const S direct[2][2] = {{z.re, k == 1 ? -z.im : z.im},
                              {k + l == 3 ? -z.im : z.im, k == 2 && l == 0 ? -z.re : z.re}};
      TRELLIS_UNROLL
      for (int i = 0; i < 4; ++i)
        m[2 * k + i / 2][2 * l + i % 2] = negated_fma(shared * part[k][i / 2], part[l][i % 2], direct[i / 2][i % 2]);
    }
  }
  // m = L D L^T; below the diagonal are the elements of L D, and y is L^-1 y at first.
  S pivot[6];
  TRELLIS_UNROLL
  for (int j = 0; j < 6; ++j) {
    pivot[j] = one / m[j][j];
    TRELLIS_UNROLL
    for (int i = j + 1; i < 6; ++i) {
      const S l = m[i][j] * pivot[j];
      TRELLIS_UNROLL
      for (int k = j + 1; k <= i; ++k) m[i][k] = negated_fma(l, m[k][j], m[i][k]);
      y[i] = negated_fma(l, y[j], y[i]);
    }
  }
  TRELLIS_UNROLL
  for (int i = 5; i >= 0; --i) {
    TRELLIS_UNROLL
    for (int k = i + 1; k < 6; ++k) y[i] = negated_fma(m[k][i], y[k], y[i]);
    y[i] = pivot[i] * y[i];
  }
  Hermitian<S> x;
  const auto overlap = [&](int k) { return fma(part[k][1], y[2 * k + 1], part[k][0] * y[2 * k]); };
  const S p01 = overlap(0), p02 = overlap(1), p12 = overlap(2);
  x.d[0] = negated_fma(inverse[0], p01 + p02, from[0]);
  x.d[1] = negated_fma(inverse[1], p01 + p12, from[1]);
  x.d[2] = negated_fma(inverse[2], p02 + p12, from[2]);
  for (int k = 0; k < 3; ++k) x.o[k] = {y[2 * k], y[2 * k + 1]};
  return x;
}

// H = W^dagger V, the Hermitian factor.
template <class S>
TRELLIS_INLINE Hermitian<S> hermitian_factor(const Matrix<S>& w, const Matrix<S>& v) {
  Hermitian<S> h;
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    S d = w.e[0][i].re * v.e[0][i].re;
    for (int l = 0; l < 3; ++l) {
      if (l > 0) d = fma(w.e[l][i].re, v.e[l][i].re, d);
      d = fma(w.e[l][i].im, v.e[l][i].im, d);
    }
    h.d[i] = d;
    for (int j = i + 1; j < 3; ++j, ++k)
      h.o[k] = fma_conj(w.e[2][i], v.e[2][j], fma_conj(w.e[1][i], v.e[1][j], multiply_conj(w.e[0][i], v.e[0][j])));
  }
  return h;
}

// True where the smallest eigenvalue of H is below `bound`: some leading minor of H - bound is not positive.
template <class S>
TRELLIS_INLINE mask_t<S> has_eigenvalue_below(const S& bound, Hermitian<S> h) {
  for (S& d : h.d) d = d - bound;
  const S zero = S(scalar_t<S>(0));
  const S minor = negated_fma(h.o[0].im, h.o[0].im, negated_fma(h.o[0].re, h.o[0].re, h.d[0] * h.d[1]));
  return !((h.d[0] > zero) & (minor > zero) & (determinant(h) > zero));
}

template <class S>
struct UnitarisationDerivative {
  Matrix<S> by_v;      // D'
  mask_t<S> filtered;  // where the cut-off filter acted
};

// w must be unitary_part(v).w. D = `by_w` and D' as above.
template <class S>
TRELLIS_INLINE UnitarisationDerivative<S> unitarisation_derivative(const Matrix<S>& v, const Matrix<S>& w,
                                                                   const Matrix<S>& by_w, scalar_t<S> cut_off = 0) {
  using T = scalar_t<S>;
  Hermitian<S> h = hermitian_factor(w, v);
  auto filtered = S(T(0)) < S(T(0));
  if (cut_off > T(0)) {
    const S shift = sqrt(S(cut_off));
    filtered = has_eigenvalue_below(shift, h);
    if (any(filtered)) {
      // M = H + i sqrt(cut_off) has M^dagger M = H^2 + cut_off, so its Hermitian factor is what is wanted.
      Matrix<S> m;
      int k = 0;
      for (int i = 0; i < 3; ++i) {
        m.e[i][i] = {h.d[i], shift};
        for (int j = i + 1; j < 3; ++j, ++k) {
          m.e[i][j] = h.o[k];
          m.e[j][i] = conj(h.o[k]);
        }
      }
      const Hermitian<S> raised = hermitian_factor(unitary_part(m).w, m);
      for (k = 0; k < 3; ++k) {
        h.d[k] = select(filtered, raised.d[k], h.d[k]);
        h.o[k] = select(filtered, raised.o[k], h.o[k]);
      }
    }
  }
  Hermitian<S> twice_a, twice_b;  // G = A + i B: Z = i X with H X + X H = 2 B
  twice_hermitian_parts(by_w * w, twice_a, twice_b);
  const Matrix<S> x = solve_anticommutator(h, twice_b) * adjoint(w);
  Matrix<S> by_v;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) by_v.e[i][j] = times_i(x.e[i][j]);
  return {by_v, filtered};
}

}  // namespace trellis
