// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The unitary part of any complex matrix: V = W H, W in U(3), H = (V^dagger V)^(1/2) Hermitian and positive. Of all
// unitary matrices W is nearest to V.
//
// Newton's iteration X <- (g X + (X^-1)^dagger / g) / 2 with g^2 = |X^-1| / |X| (N. J. Higham, SIAM J. Sci. Stat.
// Comput. 7 (1986) 1160) takes each singular value s of X to (g s + 1 / (g s)) / 2. It has no eigenvalues, no
// trigonometric functions and no degenerate case, and the same bits on every machine. A polynomial in V^dagger V with
// coefficients from its eigenvalues (A. Hasenfratz, R. Hoffmann and S. Schaefer, hep-lat/0702028) takes fewer
// operations, but V^dagger V has the square of V's condition number, so that small eigenvalues need another method.
//
// Error: a few units of rounding times (largest singular value)^2 / (product of the other two). The lanes stop by
// themselves, each when its last change shows that the next one would be below rounding, so a lane's bits do not depend
// on the others.
//
// Cost: 380 flops a step; 4 or 5 steps for singular values between 0.4 and 1, 6 for any.

#include <limits>

#include "trellis/su3/matrix.hpp"

namespace trellis {

inline constexpr double unitarisation_flops = 5 * 380;  // of a typical sum of paths

namespace unitarisation_detail {

inline constexpr int most_steps = 20;

// |M|^2, the sum of all squares
template <class S>
TRELLIS_INLINE S norm(const Matrix<S>& m) {
  return real_trace_adjoint(m, m);
}

// The conjugate of each element's cofactor: det(M)^* (M^-1)^dagger.
template <class S>
TRELLIS_INLINE Matrix<S> conjugate_cofactors(const Matrix<S>& m) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c.e[i][j] = conj_difference(m.e[i1][j1], m.e[i2][j2], m.e[i1][j2], m.e[i2][j1]);
    }
  return c;
}

template <class S>
struct Inverse {
  Matrix<S> conjugate_cofactors;
  complex<S> determinant;
  S cofactors_norm, determinant_norm;  // |.|^2
};

template <class S>
TRELLIS_INLINE Inverse<S> inverse(const Matrix<S>& m) {
  const Matrix<S> c = conjugate_cofactors(m);
  const complex<S> d =
      fma_conj(c.e[0][2], m.e[0][2], fma_conj(c.e[0][1], m.e[0][1], multiply_conj(c.e[0][0], m.e[0][0])));
  return {c, d, norm(c), trellis::norm(d)};
}

}  // namespace unitarisation_detail

template <class S>
struct UnitaryPart {
  Matrix<S> w;
  // 1 / |V^-1|: at most the smallest singular value of V, and at least 1 / sqrt(3) of it. 0 for a matrix that is
  // singular or not finite, whose w means nothing.
  S smallest;
};

template <class S>
TRELLIS_INLINE UnitaryPart<S> unitary_part(const Matrix<S>& v) {
  using T = scalar_t<S>;
  const S zero = S(T(0)), half = S(T(0.5));
  const S small = S(std::numeric_limits<T>::epsilon() / 4);  // the error after a step is half its change squared
  UnitaryPart<S> result{v, zero};
  Matrix<S>& x = result.w;
  auto running = zero <= zero;
  for (int step = 0; step < unitarisation_detail::most_steps; ++step) {
    const auto i = unitarisation_detail::inverse(x);
    const S inverse_norm = i.cofactors_norm / i.determinant_norm;
    if (step == 0) {
      const S largest = S(std::numeric_limits<T>::max());
      const auto regular = (i.cofactors_norm > zero) & (inverse_norm <= largest);
      result.smallest = select(regular, S(T(1)) / sqrt(inverse_norm), zero);
    }
    const S g2 = sqrt(inverse_norm / unitarisation_detail::norm(x));
    const S g = sqrt(g2);
    const S keep = half * g;
    const complex<S> add = (half / (g * i.determinant_norm)) * i.determinant;  // (X^-1)^dagger = C det / |det|^2
    Matrix<S> next;
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) next.e[k][l] = fma(keep, x.e[k][l], add * i.conjugate_cofactors.e[k][l]);
    const S change = unitarisation_detail::norm(next - x);
    x = select(running, next, x);
    running = running & (change > small);
    if (!any(running)) break;
  }
  return result;
}

}  // namespace trellis
