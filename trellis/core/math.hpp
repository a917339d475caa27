// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Special functions that enter a trajectory. They are our own so that their bits do not depend on the C library,
// compiler or lane count: additions, multiplications and fused multiply-adds in a fixed order. S is a lane type over
// double.

#include "trellis/core/simd.hpp"

namespace trellis {

// Natural logarithm of a positive normal number; relative error below 2^-51.
// x = 2^e m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh((m-1)/(m+1)) by its series.
template <class S>
TRELLIS_INLINE S log(const S& x) {
  constexpr std::int64_t mantissa = (std::int64_t(1) << 52) - 1;
  constexpr std::int64_t one = std::int64_t(1023) << 52;
  const auto bits = bit_cast_lanes<std::int64_t>(x);
  S m = bit_cast_lanes<double>(bit_or(bit_and(bits, mantissa), one));
  S e = convert<double>(shift_right<52>(bits)) - S(1023.0);
  const auto large = m > S(1.4142135623730951);
  m = select(large, S(0.5) * m, m);
  e = select(large, e + S(1.0), e);

  const S f = (m - S(1.0)) / (m + S(1.0));
  const S f2 = f * f;
  S series = S(1.0 / 23);
  for (int k = 21; k >= 3; k -= 2) series = fma(series, f2, S(1.0 / k));
  // log m = 2 f + 2 f^3 series; log 2 is split in two parts, of which the first times e is exact.
  const S two_f = S(2.0) * f;
  const S low = fma(two_f * f2, series, e * S(1.90821492927058770002e-10));
  return fma(e, S(6.93147180369123816490e-01), two_f + low);
}

// sin(pi u) and cos(pi u) for 0 <= u <= 2; absolute error below 2^-52.
template <class S>
TRELLIS_INLINE void sincospi(const S& u, S& sine, S& cosine) {
  const double shift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  const S k = (S(2.0) * u + S(shift)) - S(shift);
  const S x = fma(S(-0.5), k, u) * S(3.14159265358979323846);  // |x| <= pi/4
  const S x2 = x * x;

  S s = S(1.0 / 355687428096000.0);
  s = fma(s, x2, S(-1.0 / 1307674368000.0));
  s = fma(s, x2, S(1.0 / 6227020800.0));
  s = fma(s, x2, S(-1.0 / 39916800.0));
  s = fma(s, x2, S(1.0 / 362880.0));
  s = fma(s, x2, S(-1.0 / 5040.0));
  s = fma(s, x2, S(1.0 / 120.0));
  s = fma(s, x2, S(-1.0 / 6.0));
  s = fma(s * x2, x, x);

  S c = S(1.0 / 20922789888000.0);
  c = fma(c, x2, S(-1.0 / 87178291200.0));
  c = fma(c, x2, S(1.0 / 479001600.0));
  c = fma(c, x2, S(-1.0 / 3628800.0));
  c = fma(c, x2, S(1.0 / 40320.0));
  c = fma(c, x2, S(-1.0 / 720.0));
  c = fma(c, x2, S(1.0 / 24.0));
  c = fma(c, x2, S(-0.5));
  c = fma(c, x2, S(1.0));

  // Quarter turns k = 0..4: (s, c), (c, -s), (-s, -c), (-c, s), (s, c).
  const auto odd = ((k > S(0.5)) & (k < S(1.5))) | ((k > S(2.5)) & (k < S(3.5)));
  const S a = select(odd, c, s);
  const S b = select(odd, s, c);
  const auto sine_negative = (k > S(1.5)) & (k < S(3.5));
  const auto cosine_negative = (k > S(0.5)) & (k < S(2.5));
  sine = select(sine_negative, -a, a);
  cosine = select(cosine_negative, -b, b);
}

}  // namespace trellis
