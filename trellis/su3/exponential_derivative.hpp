// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp(i Q) of a Hermitian traceless Q of moderate size, and the transpose of its derivative. To first order
//   exp(i (Q + dQ)) = (1 + i dR) exp(i Q),   dR = integral over s from 0 to 1 of exp(i s Q) dQ exp(-i s Q),
// and exponential_transpose() finds L with tr(G dR) = tr(L dQ) for all dQ:
//   L = integral over s from 0 to 1 of exp(-i s Q) G exp(i s Q).
//
// With X = i Q, X^3 = d1 X + d0 (Cayley and Hamilton), d1 = tr X^2 / 2, d0 = det X, every power series is a polynomial
// f(X) = t0 + t1 X + t2 X^2 whose t follow from Horner's scheme, as do their derivatives u = dt/d(d0). Those with
// respect to d1 need no separate scheme: 1 / (z - X) = (z^2 - d1 + z X + X^2) / p(z), p(z) = z^3 - d1 z - d0, and f is
// its integral around the eigenvalues, so that dt_j/d(d0) and dt_j/d(d1) are integrals of f z^k / p^2 and
//   dt0/d(d1) = d0 u2,   dt1/d(d1) = u0 + d1 u2,   dt2/d(d1) = u1.
// There is no division by differences of eigenvalues, hence no degenerate case. (Morningstar and Peardon,
// hep-lat/0311018, do divide; their b_ij are these derivatives.)
//
// The number of terms follows from a bound on the eigenvalues, not from Q, so that bits do not depend on the other
// lanes. Error: a few units of rounding times exp(bound). With 18 terms: exponential 350 flops, transpose 1000.

#include "trellis/su3/hermitian.hpp"

namespace trellis {

namespace exponential_detail {

inline constexpr int most_terms = 40;

struct InverseFactorials {
  double at[most_terms + 1];
};
// No constructor: with one, nvcc 13 leaves a static object of a device function zero.
constexpr InverseFactorials inverse_factorials() {
  InverseFactorials table{{1}};
  double factorial = 1;
  for (int n = 1; n <= most_terms; ++n) table.at[n] = 1 / (factorial *= n);
  return table;
}
TRELLIS_INLINE double inverse_factorial(int n) {
  static constexpr InverseFactorials table = inverse_factorials();
  return table.at[n];
}

}  // namespace exponential_detail

// The number of terms for eigenvalues of Q up to `bound` (at most 5): the last powers of the series and of its
// derivative are below a quarter of T's rounding.
template <class T>
constexpr int exponential_terms(double bound) {
  const double small = sizeof(T) == 8 ? 0x1p-55 : 0x1p-26;
  double term = 1;
  int n = 0;
  while (n < exponential_detail::most_terms && (n < 3 || !(term < small))) term *= bound / ++n;
  return n;
}

constexpr double exponential_flops(int terms) { return 198 + 8 * (terms + 1); }
constexpr double exponential_transpose_flops(int terms) { return 696 + 16 * (terms + 1); }

// The coefficients t of the exponential and, if requested, their derivatives u.
template <class S>
struct ExponentialCoefficients {
  complex<S> t[3], u[3];
};

// c0 = det Q, c1 = tr Q^2 / 2: d0 = -i c0, d1 = -c1.
template <bool Derivatives, class S>
TRELLIS_INLINE ExponentialCoefficients<S> exponential_coefficients(const S& c0, const S& c1, int terms) {
  using T = scalar_t<S>;
  // x <- constant + X x, where x is x0 + x1 X + x2 X^2. Named variables rather than arrays, which compilers would put
  // in memory.
  const auto step = [&](const complex<S>& constant, const complex<S>& above, complex<S>& x0, complex<S>& x1,
                        complex<S>& x2) {
    const complex<S> old1 = x1;
    x1 = {negated_fma(c1, x2.re, above.re), negated_fma(c1, x2.im, above.im)};
    x0 = {fma(c0, x2.im, constant.re), negated_fma(c0, x2.re, constant.im)};
    x2 = old1;
  };
  const complex<S> zero(S(T(0)));
  complex<S> t0 = zero, t1 = zero, t2 = zero, u0 = zero, u1 = zero, u2 = zero;
  for (int n = terms; n >= 0; --n) {
    if constexpr (Derivatives) step(t2, u0, u0, u1, u2);
    step(complex<S>(S(T(exponential_detail::inverse_factorial(n)))), t0, t0, t1, t2);
  }
  return {{t0, t1, t2}, {u0, u1, u2}};
}

namespace exponential_detail {

template <class S>
struct Invariants {
  Hermitian<S> square;  // Q^2
  S c0, c1;
};

template <class S>
TRELLIS_INLINE Invariants<S> invariants(const Hermitian<S>& q) {
  const Hermitian<S> q2 = square(q);
  return {q2, determinant(q), S(scalar_t<S>(0.5)) * (q2.d[0] + q2.d[1] + q2.d[2])};
}

// t0 + t1 (i Q) + t2 (i Q)^2
template <class S>
TRELLIS_INLINE Matrix<S> polynomial(const complex<S> (&t)[3], const Hermitian<S>& q, const Hermitian<S>& q2) {
  const complex<S> r1 = times_i(t[1]), r2 = -t[2];
  Matrix<S> e;
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    e.e[i][i] = fma(q2.d[i], r2, fma(q.d[i], r1, t[0]));
    for (int j = i + 1; j < 3; ++j, ++k) {
      e.e[i][j] = fma(r2, q2.o[k], r1 * q.o[k]);
      e.e[j][i] = fma_conj(q2.o[k], r2, multiply_conj(q.o[k], r1));
    }
  }
  return e;
}

}  // namespace exponential_detail

// exp(i Q) for eigenvalues within the bound that `terms` was computed for.
template <class S>
TRELLIS_INLINE Matrix<S> bounded_exponential(const Algebra<S>& q_in, int terms) {
  const Hermitian<S> q = to_hermitian(q_in);
  const auto v = exponential_detail::invariants(q);
  return exponential_detail::polynomial(exponential_coefficients<false>(v.c0, v.c1, terms).t, q, v.square);
}

// With A = exp(-i Q) G, tr(G dR) = -i tr(A d exp(X)), and the derivative of the polynomial gives
//   L = Hermitian traceless part of  t1 A + i t2 (Q A + A Q) - alpha0 Q^2 + i alpha1 Q,
// alpha0 = sum_j u_j tr(A X^j), alpha1 likewise with the derivatives with respect to d1. tr(A Q^j) are sums of
// tr(G Q) and tr(G Q^2), by Cayley and Hamilton again.
template <class S>
TRELLIS_INLINE Algebra<S> exponential_transpose(const Algebra<S>& q_in, const Algebra<S>& g_in, int terms) {
  using T = scalar_t<S>;
  const Hermitian<S> q = to_hermitian(q_in), g = to_hermitian(g_in);
  const auto [q2, c0, c1] = exponential_detail::invariants(q);
  const auto [t, u] = exponential_coefficients<true>(c0, c1, terms);
  const Matrix<S> a = adjoint_multiply(exponential_detail::polynomial(t, q, q2), g);

  // exp(-i Q) = s0 + s1 Q + s2 Q^2
  const complex<S> s0 = conj(t[0]), s1 = conj(times_i(t[1])), s2 = -conj(t[2]);
  S g1 = q_in.p[0] * g_in.p[0];
  for (int k = 1; k < 8; ++k) g1 = fma(q_in.p[k], g_in.p[k], g1);
  g1 = S(T(0.5)) * g1;                   // tr(G Q)
  const S g2 = trace_of_product(g, q2);  // tr(G Q^2)
  const complex<S> middle = fma(c1, s2, s0);
  const complex<S> a0 = fma(g2, s2, g1 * s1), a1 = fma(g2, s1, g1 * middle),
                   a2 = fma(g2, middle, g1 * fma(c0, s2, c1 * s1));  // tr(A Q^j)
  const complex<S> a1_i = times_i(a1);
  const complex<S> d0_u2{c0 * u[2].im, -(c0 * u[2].re)};
  const complex<S> v1{negated_fma(c1, u[2].re, u[0].re), negated_fma(c1, u[2].im, u[0].im)};
  const S alpha0 = (u[0] * a0 + u[1] * a1_i - u[2] * a2).re;
  const S alpha1 = (d0_u2 * a0 + v1 * a1_i - u[1] * a2).im;

  Hermitian<S> c, s;  // A = (C + i S) / 2, so that z A + its adjoint = Re z C - Im z S
  twice_hermitian_parts(a, c, s);
  const Hermitian<S> twice_h = fma(S(-t[2].re), s, S(-t[2].im) * c);  // z = i t2
  const Hermitian<S> twice_rest = fma(t[1].re, c, S(-t[1].im) * s);   // z = t1
  const S half = S(T(0.5));
  Algebra<S> l = to_algebra(fma(S(-alpha0), q2, half * (anticommutator(q, twice_h) + twice_rest)));
  for (int k = 0; k < 8; ++k) l.p[k] = negated_fma(alpha1, q_in.p[k], l.p[k]);
  return l;
}

}  // namespace trellis
