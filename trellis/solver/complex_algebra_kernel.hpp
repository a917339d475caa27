// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the complex algebra does with one vector of one tile, and sums for many vectors.

#include <bit>
#include <complex>

#include "trellis/core/complex.hpp"
#include "trellis/solver/vector_algebra_kernel.hpp"

namespace trellis::solver {

// A complex coefficient for each vector.
template <class T>
struct ComplexPerVector {
  PerVector<T> re, im;

  explicit ComplexPerVector(std::span<const std::complex<double>> values)
      : re(part(values, [](auto z) { return z.real(); })), im(part(values, [](auto z) { return z.imag(); })) {}
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

 private:
  template <class F>
  static std::vector<double> part(std::span<const std::complex<double>> values, const F& f) {
    std::vector<double> numbers;
    for (const auto& z : values) numbers.push_back(f(z));
    return numbers;
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

// Does one thread of a kernel go through all vectors of a tile, or a thread each?
inline constexpr bool thread_has_all_vectors = can_access<DefaultHostExecutionSpace, FieldMemory>;

// f(tile, n, sums) for those of the vectors first <= n < first + count that move; a batch of sums is all, or a vector's
// K.
template <int K, class F>
struct MovingVectors {
  F f;
  std::uint64_t moving;  // bit n - first
  int first, count, each;

  TRELLIS_EITHER_SIDE
  template <class D>
  TRELLIS_INLINE void operator()(int tile, int begin, int, ExactAccumulator<D>* sums) const {
    if constexpr (thread_has_all_vectors) {
      for (int n = 0; n < count; ++n)
        if ((moving >> n & 1) != 0) f(tile, first + n, sums + n * each);
    } else if ((moving >> begin / K & 1) != 0) {
      f(tile, first + begin / K, sums);
    }
  }
};

// K sums for each of the vectors of x: f(tile, n, sums). Where on_n is 0 they are 0. In groups of vectors, as many as
// there is room for; where a thread has all vectors, with only the first `wanted` of the K. Returns [k][n]. `vectors`
// are read or written for each n, with so many flops a number.
template <int K, class T, int Reals, int W, class F>
std::vector<std::vector<double>> sums_of_vectors(const char* name, const ParityField<T, Reals, W>& x,
                                                 std::span<const double> on, double vectors, double flops, const F& f,
                                                 int wanted = K) {
  const int count = x.count(), each = thread_has_all_vectors ? wanted : K, room = maximum_sums / each;
  std::vector<std::vector<double>> totals(each, std::vector<double>(count));
  for (int first = 0; first < count; first += room) {
    const int group = std::min(room, count - first);
    std::uint64_t moving = 0;
    for (int n = 0; n < group; ++n) moving |= std::uint64_t(on[first + n] != 0) << n;
    if (moving == 0) continue;
    const Kernel kernel = vector_kernel(name, x, vectors, flops, std::popcount(moving));
    const std::vector<double> sums = sum_over_batches<lanes_t<double, W>, K>(
        kernel, x.lattice(), group * each, MovingVectors<K, F>{f, moving, first, group, each});
    for (int n = 0; n < group; ++n)
      for (int k = 0; k < each; ++k) totals[k][first + n] = sums[n * each + k];
  }
  return totals;
}

template <class Sums, class D>
TRELLIS_INLINE void add_complex(Sums* sums, const complex<D>& term) {
  sums[0].add(term.re);
  sums[1].add(term.im);
}

inline std::vector<std::complex<double>> as_complex(const std::vector<double>& re, const std::vector<double>& im) {
  std::vector<std::complex<double>> z;
  for (std::size_t n = 0; n < re.size(); ++n) z.emplace_back(re[n], im[n]);
  return z;
}

}  // namespace trellis::solver
