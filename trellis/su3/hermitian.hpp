// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hermitian 3 x 3 matrices in registers, nine real numbers, and products in which half of the elements follow from the
// other half. Multiply-adds: U H and H U 90, rotated() 144, commutator() 42, anticommutator() 45, square() 27.

#include "trellis/su3/algebra.hpp"

namespace trellis {

// Diagonal, and the elements 01, 02, 12 above it.
template <class S>
struct Hermitian {
  S d[3];
  complex<S> o[3];
};

template <class S>
TRELLIS_INLINE Hermitian<S> to_hermitian(const Algebra<S>& a) {
  const Matrix<S> m = to_matrix(a);
  return {{m.e[0][0].re, m.e[1][1].re, m.e[2][2].re}, {m.e[0][1], m.e[0][2], m.e[1][2]}};
}
// p_a = 2 tr(T_a H)
template <class S>
TRELLIS_INLINE Algebra<S> to_algebra(const Hermitian<S>& h) {
  using T = scalar_t<S>;
  const S two = S(T(2));
  return {{two * h.o[0].re, -(two * h.o[0].im), h.d[0] - h.d[1], two * h.o[1].re, -(two * h.o[1].im), two * h.o[2].re,
           -(two * h.o[2].im), S(T(su3_detail::inverse_sqrt3)) * (h.d[0] + h.d[1] - (h.d[2] + h.d[2]))}};
}
template <class S>
TRELLIS_INLINE Hermitian<S> operator+(const Hermitian<S>& a, const Hermitian<S>& b) {
  Hermitian<S> c;
  for (int k = 0; k < 3; ++k) {
    c.d[k] = a.d[k] + b.d[k];
    c.o[k] = a.o[k] + b.o[k];
  }
  return c;
}
template <class S>
TRELLIS_INLINE Hermitian<S> operator-(const Hermitian<S>& a, const Hermitian<S>& b) {
  Hermitian<S> c;
  for (int k = 0; k < 3; ++k) {
    c.d[k] = a.d[k] - b.d[k];
    c.o[k] = a.o[k] - b.o[k];
  }
  return c;
}
template <class S>
TRELLIS_INLINE Hermitian<S> operator*(const S& s, const Hermitian<S>& a) {
  Hermitian<S> c;
  for (int k = 0; k < 3; ++k) {
    c.d[k] = s * a.d[k];
    c.o[k] = s * a.o[k];
  }
  return c;
}
// c + s a
template <class S>
TRELLIS_INLINE Hermitian<S> fma(const S& s, const Hermitian<S>& a, const Hermitian<S>& c) {
  Hermitian<S> r;
  for (int k = 0; k < 3; ++k) {
    r.d[k] = fma(s, a.d[k], c.d[k]);
    r.o[k] = fma(s, a.o[k], c.o[k]);
  }
  return r;
}
// H^2
template <class S>
TRELLIS_INLINE Hermitian<S> square(const Hermitian<S>& h) {
  const S n01 = norm(h.o[0]), n02 = norm(h.o[1]), n12 = norm(h.o[2]);
  Hermitian<S> c;
  c.d[0] = fma(h.d[0], h.d[0], n01 + n02);
  c.d[1] = fma(h.d[1], h.d[1], n01 + n12);
  c.d[2] = fma(h.d[2], h.d[2], n02 + n12);
  c.o[0] = fma_conj(h.o[2], h.o[1], (h.d[0] + h.d[1]) * h.o[0]);
  c.o[1] = fma(h.o[0], h.o[2], (h.d[0] + h.d[2]) * h.o[1]);
  c.o[2] = fma_conj(h.o[0], h.o[1], (h.d[1] + h.d[2]) * h.o[2]);
  return c;
}
template <class S>
TRELLIS_INLINE S determinant(const Hermitian<S>& h) {
  const complex<S> turn = h.o[0] * h.o[2];
  const S loop = fma(turn.im, h.o[1].im, turn.re * h.o[1].re);
  const S pairs = fma(h.d[2], norm(h.o[0]), fma(h.d[1], norm(h.o[1]), h.d[0] * norm(h.o[2])));
  return fma(h.d[0] * h.d[1], h.d[2], loop + loop) - pairs;
}
// tr(A B)
template <class S>
TRELLIS_INLINE S trace_of_product(const Hermitian<S>& a, const Hermitian<S>& b) {
  S pairs = a.o[0].re * b.o[0].re;
  pairs = fma(a.o[0].im, b.o[0].im, pairs);
  for (int k = 1; k < 3; ++k) pairs = fma(a.o[k].im, b.o[k].im, fma(a.o[k].re, b.o[k].re, pairs));
  return fma(a.d[2], b.d[2], fma(a.d[1], b.d[1], fma(a.d[0], b.d[0], pairs + pairs)));
}

// W = A + i B with Hermitian A and B: returns 2 A and 2 B.
template <class S>
TRELLIS_INLINE void twice_hermitian_parts(const Matrix<S>& w, Hermitian<S>& a, Hermitian<S>& b) {
  const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
  for (int k = 0; k < 3; ++k) {
    const complex<S> x = w.e[row[k]][column[k]], y = w.e[column[k]][row[k]];
    a.d[k] = w.e[k][k].re + w.e[k][k].re;
    b.d[k] = w.e[k][k].im + w.e[k][k].im;
    a.o[k] = {x.re + y.re, x.im - y.im};
    b.o[k] = {x.im + y.im, y.re - x.re};
  }
}

// U H
template <class S>
TRELLIS_INLINE Matrix<S> operator*(const Matrix<S>& u, const Hermitian<S>& h) {
  Matrix<S> m;
  for (int i = 0; i < 3; ++i) {
    const complex<S>&x = u.e[i][0], &y = u.e[i][1], &z = u.e[i][2];
    m.e[i][0] = fma_conj(h.o[1], z, fma_conj(h.o[0], y, h.d[0] * x));
    m.e[i][1] = fma_conj(h.o[2], z, fma(h.d[1], y, h.o[0] * x));
    m.e[i][2] = fma(h.d[2], z, fma(h.o[2], y, h.o[1] * x));
  }
  return m;
}
// U^dagger H
template <class S>
TRELLIS_INLINE Matrix<S> adjoint_multiply(const Matrix<S>& u, const Hermitian<S>& h) {
  return adjoint(u) * h;
}
// H U
template <class S>
TRELLIS_INLINE Matrix<S> operator*(const Hermitian<S>& h, const Matrix<S>& u) {
  Matrix<S> m;
  for (int j = 0; j < 3; ++j) {
    const complex<S>&x = u.e[0][j], &y = u.e[1][j], &z = u.e[2][j];
    m.e[0][j] = fma(h.o[1], z, fma(h.o[0], y, h.d[0] * x));
    m.e[1][j] = fma(h.o[2], z, fma(h.d[1], y, multiply_conj(h.o[0], x)));
    m.e[2][j] = fma(h.d[2], z, fma_conj(h.o[2], y, multiply_conj(h.o[1], x)));
  }
  return m;
}

namespace hermitian_detail {
// Re(a conj(b)) + c
template <class S>
TRELLIS_INLINE S add_real_product(const complex<S>& a, const complex<S>& b, const S& c) {
  return fma(a.im, b.im, fma(a.re, b.re, c));
}
// Im(a conj(b)) + c
template <class S>
TRELLIS_INLINE S add_imaginary_product(const complex<S>& a, const complex<S>& b, const S& c) {
  return negated_fma(a.re, b.im, fma(a.im, b.re, c));
}
}  // namespace hermitian_detail

namespace hermitian_detail {
// Row i of U H, and its products with the rows j >= i of U^dagger. No loops, because compilers keep in memory whatever
// the counter of a loop selects.
template <int I, class S, class U>
TRELLIS_INLINE void rotate_row(const U& u, const Hermitian<S>& h, Hermitian<S>& r) {
  const complex<S> x = u(I, 0), y = u(I, 1), z = u(I, 2);
  const complex<S> a = fma_conj(h.o[1], z, fma_conj(h.o[0], y, h.d[0] * x)),
                   b = fma_conj(h.o[2], z, fma(h.d[1], y, h.o[0] * x)), c = fma(h.d[2], z, fma(h.o[2], y, h.o[1] * x));
  r.d[I] = add_real_product(c, z, add_real_product(b, y, add_real_product(a, x, S(scalar_t<S>(0)))));
  const auto with = [&](int j) { return fma_conj(u(j, 2), c, fma_conj(u(j, 1), b, multiply_conj(u(j, 0), a))); };
  if constexpr (I == 0) r.o[0] = with(1);
  if constexpr (I < 2) r.o[I + 1] = with(2);
}
// The same of column j of H U, and the columns i <= j of U.
template <int J, class S, class U>
TRELLIS_INLINE void rotate_column_back(const U& u, const Hermitian<S>& h, Hermitian<S>& r) {
  const complex<S> x = u(0, J), y = u(1, J), z = u(2, J);
  const complex<S> a = fma(h.o[1], z, fma(h.o[0], y, h.d[0] * x)),
                   b = fma(h.o[2], z, fma(h.d[1], y, multiply_conj(h.o[0], x))),
                   c = fma(h.d[2], z, fma_conj(h.o[2], y, multiply_conj(h.o[1], x)));
  r.d[J] = add_real_product(c, z, add_real_product(b, y, add_real_product(a, x, S(scalar_t<S>(0)))));
  const auto with = [&](int i) { return fma_conj(u(2, i), c, fma_conj(u(1, i), b, multiply_conj(u(0, i), a))); };
  if constexpr (J > 0) r.o[J - 1] = with(0);
  if constexpr (J == 2) r.o[2] = with(1);
}
}  // namespace hermitian_detail

// U H U^dagger. U has elements u(row, column).
template <class S, class U>
TRELLIS_INLINE Hermitian<S> rotated(const U& u, const Hermitian<S>& h) {
  Hermitian<S> r;
  hermitian_detail::rotate_row<0>(u, h, r);
  hermitian_detail::rotate_row<1>(u, h, r);
  hermitian_detail::rotate_row<2>(u, h, r);
  return r;
}
// U^dagger H U
template <class S, class U>
TRELLIS_INLINE Hermitian<S> rotated_back(const U& u, const Hermitian<S>& h) {
  Hermitian<S> r;
  hermitian_detail::rotate_column_back<0>(u, h, r);
  hermitian_detail::rotate_column_back<1>(u, h, r);
  hermitian_detail::rotate_column_back<2>(u, h, r);
  return r;
}

// i (A B - B A)
template <class S>
TRELLIS_INLINE Hermitian<S> commutator(const Hermitian<S>& a, const Hermitian<S>& b) {
  const S zero = S(scalar_t<S>(0));
  // Im a_ij b_ji for the three pairs; the diagonal of A B - B A consists of 2 i times sums of these.
  S pair[3];
  for (int k = 0; k < 3; ++k) {
    pair[k] = hermitian_detail::add_imaginary_product(a.o[k], b.o[k], zero);
    pair[k] = pair[k] + pair[k];
  }
  const S a01 = a.d[0] - a.d[1], a02 = a.d[0] - a.d[2], a12 = a.d[1] - a.d[2];
  const S b10 = b.d[1] - b.d[0], b20 = b.d[2] - b.d[0], b21 = b.d[2] - b.d[1];
  complex<S> c01 = fma(a01, b.o[0], b10 * a.o[0]), c02 = fma(a02, b.o[1], b20 * a.o[1]),
             c12 = fma(a12, b.o[2], b21 * a.o[2]);
  c01 = fma_conj(b.o[2], a.o[1], c01) - multiply_conj(a.o[2], b.o[1]);
  c02 = fma(a.o[0], b.o[2], c02) - b.o[0] * a.o[2];
  c12 = fma_conj(a.o[0], b.o[1], c12) - multiply_conj(b.o[0], a.o[1]);
  return {{-(pair[0] + pair[1]), pair[0] - pair[2], pair[1] + pair[2]}, {times_i(c01), times_i(c02), times_i(c12)}};
}

// A B + B A
template <class S>
TRELLIS_INLINE Hermitian<S> anticommutator(const Hermitian<S>& a, const Hermitian<S>& b) {
  S pair[3];
  const S zero = S(scalar_t<S>(0));
  for (int k = 0; k < 3; ++k) {
    pair[k] = hermitian_detail::add_real_product(a.o[k], b.o[k], zero);
    pair[k] = pair[k] + pair[k];
  }
  Hermitian<S> c;
  c.d[0] = fma(a.d[0] + a.d[0], b.d[0], pair[0] + pair[1]);
  c.d[1] = fma(a.d[1] + a.d[1], b.d[1], pair[0] + pair[2]);
  c.d[2] = fma(a.d[2] + a.d[2], b.d[2], pair[1] + pair[2]);
  const complex<S> c01 = fma(a.d[0] + a.d[1], b.o[0], (b.d[0] + b.d[1]) * a.o[0]);
  const complex<S> c02 = fma(a.d[0] + a.d[2], b.o[1], (b.d[0] + b.d[2]) * a.o[1]);
  const complex<S> c12 = fma(a.d[1] + a.d[2], b.o[2], (b.d[1] + b.d[2]) * a.o[2]);
  c.o[0] = fma_conj(a.o[2], b.o[1], fma_conj(b.o[2], a.o[1], c01));
  c.o[1] = fma(b.o[0], a.o[2], fma(a.o[0], b.o[2], c02));
  c.o[2] = fma_conj(a.o[0], b.o[1], fma_conj(b.o[0], a.o[1], c12));
  return c;
}

}  // namespace trellis
