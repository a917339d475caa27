// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The vector algebra on one vector of one tile.

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::solver {

using trellis::fma;  // for numbers, in addition to those for vectors below
using trellis::negated_fma;

// Parts that do not depend on the fields' types, compiled once (vector_algebra_kernel.cpp).
namespace algebra_detail {
// Sets the first of maximum_sums numbers; the others are unchanged.
void set_numbers(float* numbers, std::span<const double> values);
void set_numbers(double* numbers, std::span<const double> values);
int count_moving(const float* numbers);
int count_moving(const double* numbers);
void set_places(int* places, std::span<const int> values);
Kernel vector_cost(const char* name, const Lattice& lattice, double vectors, double bytes, int reals, double flops,
                   int n, bool single);
}  // namespace algebra_detail

// A coefficient for each vector, by value, in the precision of arithmetic on vectors of T.
template <class T>
struct PerVector {
  using Number = arithmetic_t<T>;
  Number value[maximum_sums]{};

  explicit PerVector(std::span<const double> values) { algebra_detail::set_numbers(value, values); }
  TRELLIS_INLINE Number operator[](int n) const { return value[n]; }
  // The number of active vectors.
  int moving() const { return algebra_detail::count_moving(value); }
};

// Coefficients f(n), where f can be called by kernels: on a host it is evaluated once, before the kernel.
template <class T, class F>
struct ComputedPerVector {
  F f;
  TRELLIS_INLINE arithmetic_t<T> operator[](int n) const { return arithmetic_t<T>(f(n)); }
};
template <class T, class F>
auto per_vector([[maybe_unused]] int count, const F& f) {
  if constexpr (fields_on_host) {
    std::vector<double> values;
    for (int n = 0; n < count; ++n) values.push_back(f(n));
    return PerVector<T>(values);
  } else {
    return ComputedPerVector<T, F>{f};
  }
}

// A place for each vector, by value.
struct VectorPlaces {
  int place[maximum_sums]{};

  explicit VectorPlaces(std::span<const int> places) { algebra_detail::set_places(place, places); }
  TRELLIS_INLINE int operator[](int n) const { return place[n]; }
};

// The type in which sums of vectors are accumulated, site by site, and that of their terms.
template <int W>
using VectorSum = ExactAccumulator<lanes_t<double, W>>;
template <int W>
using Term = lanes_t<double, W>;

// The cost of a kernel that moves this many vectors (read or written) and does this many flops per number, for each of
// n vectors like x.
template <class T, int Reals, int W>
Kernel vector_kernel(const char* name, const ParityField<T, Reals, W>& x, double vectors, double flops, int n) {
  return algebra_detail::vector_cost(name, x.lattice(), vectors, site_bytes<T>(Reals), Reals, flops, n,
                                     is_single<arithmetic_t<T>>);
}
template <class T, int Reals, int W>
Kernel vector_kernel(const char* name, const ParityField<T, Reals, W>& x, double vectors, double flops) {
  return vector_kernel(name, x, vectors, flops, x.count());
}
// One that moves this many vectors like p and this many like x, which may be stored differently.
template <class T, class X, int Reals, int W>
Kernel update_kernel(const char* name, const ParityField<T, Reals, W>& p, double vectors,
                     const ParityField<X, Reals, W>& x, double solutions, double flops, int n) {
  Kernel kernel = vector_kernel(name, p, vectors, flops, n);
  kernel.bytes += vector_kernel(name, x, solutions, 0, n).bytes;
  return kernel;
}

// The numbers of one vector at the sites of one tile.
template <class S, int Reals>
struct SiteVector {
  S e[Reals];

  TRELLIS_INLINE static SiteVector zero() {
    SiteVector v;
    for (S& number : v.e) number = S(scalar_t<S>(0));
    return v;
  }

  template <class T, int W>
  TRELLIS_INLINE static SiteVector load(const ParityAccess<T, Reals, W>& x, int tile, int n) {
    SiteVector v;
    x.load(tile, n, v.e);
    return v;
  }
  template <class T, int W>
  TRELLIS_INLINE void store(const ParityAccess<T, Reals, W>& x, int tile, int n) const {
    x.store(tile, n, e);
  }
};

// y + a x
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> fma(const S& a, const SiteVector<S, Reals>& x, const SiteVector<S, Reals>& y) {
  SiteVector<S, Reals> v;
  for (int k = 0; k < Reals; ++k) v.e[k] = fma(a, x.e[k], y.e[k]);
  return v;
}
// y - a x
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> negated_fma(const S& a, const SiteVector<S, Reals>& x,
                                                const SiteVector<S, Reals>& y) {
  SiteVector<S, Reals> v;
  for (int k = 0; k < Reals; ++k) v.e[k] = negated_fma(a, x.e[k], y.e[k]);
  return v;
}
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> operator-(const SiteVector<S, Reals>& x, const SiteVector<S, Reals>& y) {
  SiteVector<S, Reals> v;
  for (int k = 0; k < Reals; ++k) v.e[k] = x.e[k] - y.e[k];
  return v;
}
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> operator+(const SiteVector<S, Reals>& x, const SiteVector<S, Reals>& y) {
  SiteVector<S, Reals> v;
  for (int k = 0; k < Reals; ++k) v.e[k] = x.e[k] + y.e[k];
  return v;
}
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> operator*(const S& a, const SiteVector<S, Reals>& x) {
  SiteVector<S, Reals> v;
  for (int k = 0; k < Reals; ++k) v.e[k] = a * x.e[k];
  return v;
}
// Re <x, y> at each site, in double precision.
template <class S, int Reals>
TRELLIS_INLINE auto dot(const SiteVector<S, Reals>& x, const SiteVector<S, Reals>& y) {
  auto sum = convert<double>(x.e[0]) * convert<double>(y.e[0]);
  for (int k = 1; k < Reals; ++k) sum = fma(convert<double>(x.e[k]), convert<double>(y.e[k]), sum);
  return sum;
}
template <class S, int Reals>
TRELLIS_INLINE auto norm(const SiteVector<S, Reals>& x) {
  return dot(x, x);
}

}  // namespace trellis::solver
