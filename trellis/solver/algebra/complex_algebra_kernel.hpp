// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The complex algebra on one vector of one tile, and sums for many vectors.

#include <bit>
#include <complex>

#include "trellis/core/complex.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"

namespace trellis::solver {

namespace algebra_detail {

std::vector<double> real_parts(std::span<const std::complex<double>> values);
std::vector<double> imaginary_parts(std::span<const std::complex<double>> values);

// Vectors first <= n < first + count, a bit mask (bit n - first) of the active ones, and how many sums each has.
struct MovingGroup {
  std::uint64_t moving;
  int first, count, each;
};
// Divides the vectors into groups whose sums, `each` per vector, fit in the available space, and combines the results
// [n - first][k] of sums_of(group) into [k][n]. They are 0 where on_n is 0.
std::vector<std::vector<double>> sums_of_groups(int count, std::span<const double> on, int each,
                                                FunctionRef<std::vector<double>(const MovingGroup&)> sums_of);

}  // namespace algebra_detail

// A complex coefficient for each vector.
template <class T>
struct ComplexPerVector {
  PerVector<T> re, im;

  explicit ComplexPerVector(std::span<const std::complex<double>> values)
      : re(algebra_detail::real_parts(values)), im(algebra_detail::imaginary_parts(values)) {}
  TRELLIS_INLINE bool rests(int n) const { return re[n] == 0 && im[n] == 0; }
  template <class S>
  TRELLIS_INLINE complex<S> get(int n) const {
    return {S(re[n]), S(im[n])};
  }
  int moving(int count) const {
    int found = 0;
    for (int n = 0; n < count; ++n) found += rests(n) ? 0 : 1;
    return found;
  }
};

// y + a x
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> fma(const complex<S>& a, const SiteVector<S, Reals>& x,
                                        const SiteVector<S, Reals>& y) {
  SiteVector<S, Reals> v;
  for (int k = 0; k < Reals; k += 2) {
    v.e[k] = negated_fma(a.im, x.e[k + 1], fma(a.re, x.e[k], y.e[k]));
    v.e[k + 1] = fma(a.im, x.e[k], fma(a.re, x.e[k + 1], y.e[k + 1]));
  }
  return v;
}

// <x, y> at each site, in double precision.
template <class S, int Reals>
TRELLIS_INLINE auto complex_dot(const SiteVector<S, Reals>& x, const SiteVector<S, Reals>& y) {
  using D = lanes_t<double, lane_count<S>>;
  complex<D> sum{D(0.0), D(0.0)};
  for (int k = 0; k < Reals; k += 2) {
    const complex<D> a{convert<double>(x.e[k]), convert<double>(x.e[k + 1])};
    const complex<D> b{convert<double>(y.e[k]), convert<double>(y.e[k + 1])};
    sum = fma_conj(a, b, sum);
  }
  return sum;
}

// Whether one thread of a kernel goes through all vectors of a tile, rather than a thread each.
inline constexpr bool thread_has_all_vectors = fields_on_host;

// f(tile, n, sums) for the active vectors of a group; a batch of sums covers all vectors, or the K sums of one.
template <int K, class F>
struct MovingVectors {
  F f;
  algebra_detail::MovingGroup group;

  TRELLIS_EITHER_SIDE
  template <class D>
  TRELLIS_INLINE void operator()(int tile, int begin, int, ExactAccumulator<D>* sums) const {
    if constexpr (thread_has_all_vectors) {
      for (int n = 0; n < group.count; ++n)
        if ((group.moving >> n & 1) != 0) f(tile, group.first + n, sums + n * group.each);
    } else if ((group.moving >> begin / K & 1) != 0) {
      f(tile, group.first + begin / K, sums);
    }
  }
};

// K sums for each of the vectors of x: f(tile, n, sums). They are 0 where on_n is 0. Works in groups of as many vectors
// as there is room for; if a thread has all vectors, only the first `wanted` of the K count. Returns [k][n]. `vectors`
// are read or written for each n, with this many flops per number.
template <int K, class T, int Reals, int W, class F>
std::vector<std::vector<double>> sums_of_vectors(const char* name, const ParityField<T, Reals, W>& x,
                                                 std::span<const double> on, double vectors, double flops, const F& f,
                                                 int wanted = K) {
  const int each = thread_has_all_vectors ? wanted : K;
  return algebra_detail::sums_of_groups(x.count(), on, each, [&](const algebra_detail::MovingGroup& group) {
    return sum_over_batches<lanes_t<double, W>, K>(vector_kernel(name, x, vectors, flops, std::popcount(group.moving)),
                                                   x.lattice(), group.count * group.each,
                                                   MovingVectors<K, F>{f, group});
  });
}

template <class Sums, class D>
TRELLIS_INLINE void add_complex(Sums* sums, const complex<D>& term) {
  sums[0].add(term.re);
  sums[1].add(term.im);
}

std::vector<std::complex<double>> as_complex(const std::vector<double>& re, const std::vector<double>& im);

}  // namespace trellis::solver
