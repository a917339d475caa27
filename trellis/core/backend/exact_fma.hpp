// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// a b + c of two doubles or four floats, rounded once, in programs for x86 processors without an FMA instruction: the
// bits are those of std::fma, whose software version takes some thirty times as long. If the processor does have the
// instruction, it is used.
//
// The exact sum of three numbers is rounded correctly by the final addition, if the two small ones are first added and
// rounded to odd (an inexact result takes the neighbour whose last bit is one): S. Boldo and G. Melquiond, "Emulation
// of a FMA and correctly rounded sums", IEEE Trans. Comput. 57, 462 (2008). For floats the product is exact in double
// precision.

#include <immintrin.h>

#include <cmath>

namespace trellis::backend {

namespace exact_fma_detail {
struct Pair {
  __m128d high, low;
};
// a + b and its rounding error (Knuth); exact for all sizes unless the sum is not finite.
__attribute__((always_inline)) inline Pair two_sum(__m128d a, __m128d b) {
  const __m128d sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}
// The same for a product (Dekker), for sizes that neither overflow nor underflow on the way.
__attribute__((always_inline)) inline Pair two_product(__m128d a, __m128d b) {
  const __m128d splitter = _mm_set1_pd(0x1p27 + 1), product = a * b;
  const __m128d large_a = splitter * a, large_b = splitter * b;
  const __m128d a1 = large_a - (large_a - a), b1 = large_b - (large_b - b), a2 = a - a1, b2 = b - b1;
  return {product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)};
}
__attribute__((always_inline)) inline __m128d size(__m128d a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
// high + low of a two_sum, rounded to odd: one step towards zero if low points there, and the last bit set.
__attribute__((always_inline)) inline __m128d rounded_to_odd(const Pair& sum) {
  const __m128i inexact = _mm_castpd_si128(_mm_cmplt_pd(_mm_setzero_pd(), size(sum.low)));
  const __m128i signs = _mm_srai_epi32(_mm_castpd_si128(_mm_xor_pd(sum.high, sum.low)), 31);
  const __m128i inwards = _mm_and_si128(_mm_shuffle_epi32(signs, 0xf5), inexact);
  const __m128i bits = _mm_add_epi64(_mm_castpd_si128(sum.high), inwards);
  return _mm_castsi128_pd(_mm_or_si128(bits, _mm_srli_epi64(inexact, 63)));
}
[[gnu::noinline, gnu::cold]] inline __m128d by_lanes(__m128d a, __m128d b, __m128d c) {
  return _mm_setr_pd(std::fma(_mm_cvtsd_f64(a), _mm_cvtsd_f64(b), _mm_cvtsd_f64(c)),
                     std::fma(_mm_cvtsd_f64(_mm_unpackhi_pd(a, a)), _mm_cvtsd_f64(_mm_unpackhi_pd(b, b)),
                              _mm_cvtsd_f64(_mm_unpackhi_pd(c, c))));
}
__attribute__((always_inline)) inline __m128d widened_fma(__m128d a, __m128d b, __m128d c) {
  return rounded_to_odd(two_sum(a * b, c));
}
}  // namespace exact_fma_detail

// Not inlined: it has a hundred instructions, and a kernel would contain hundreds of copies.
[[gnu::noinline]] inline __m128d fma_by_parts(__m128d a, __m128d b, __m128d c) {
  using namespace exact_fma_detail;
  const Pair product = two_product(a, b);
  // No step overflows, nor does the product's low part underflow, unless the product is zero because a factor is.
  const __m128d most = _mm_set1_pd(0x1p990), of_a = size(a), of_b = size(b), of_product = size(product.high);
  const __m128d small =
      _mm_and_pd(_mm_cmplt_pd(_mm_max_pd(_mm_max_pd(of_a, of_b), of_product), most), _mm_cmplt_pd(size(c), most));
  const __m128d large = _mm_or_pd(_mm_cmpge_pd(of_product, _mm_set1_pd(0x1p-900)),
                                  _mm_cmpeq_pd(_mm_min_pd(of_a, of_b), _mm_setzero_pd()));
  if (_mm_movemask_pd(_mm_and_pd(small, large)) != 3) [[unlikely]]
    return by_lanes(a, b, c);
  const Pair low = two_sum(c, product.low), high = two_sum(product.high, low.high);
  const __m128d sum = high.high + rounded_to_odd(two_sum(low.low, high.low));
  const __m128d zero = _mm_cmpeq_pd(sum, _mm_setzero_pd());  // has the sign of product + c, which is exact then
  return _mm_or_pd(_mm_andnot_pd(zero, sum), _mm_and_pd(zero, product.high + c));
}

[[gnu::noinline]] inline __m128 fma_by_parts(__m128 a, __m128 b, __m128 c) {
  using namespace exact_fma_detail;
  const __m128d low = widened_fma(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c));
  const __m128d high = widened_fma(_mm_cvtps_pd(_mm_movehl_ps(a, a)), _mm_cvtps_pd(_mm_movehl_ps(b, b)),
                                   _mm_cvtps_pd(_mm_movehl_ps(c, c)));
  return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

namespace exact_fma_detail {
inline const bool has_instruction = __builtin_cpu_supports("fma");
[[gnu::target("fma")]] inline __m128d by_instruction(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
[[gnu::target("fma")]] inline __m128 by_instruction(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
}  // namespace exact_fma_detail

inline __m128d exact_fma(__m128d a, __m128d b, __m128d c) {
  return exact_fma_detail::has_instruction ? exact_fma_detail::by_instruction(a, b, c) : fma_by_parts(a, b, c);
}
inline __m128 exact_fma(__m128 a, __m128 b, __m128 c) {
  return exact_fma_detail::has_instruction ? exact_fma_detail::by_instruction(a, b, c) : fma_by_parts(a, b, c);
}

}  // namespace trellis::backend
