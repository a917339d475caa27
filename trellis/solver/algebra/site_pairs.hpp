// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The complex numbers of one vector at the sites of one tile, one after the other, for kernels that need several
// vectors at once:
//   const SitePairs x(x_access, tile, n), y(y_access, tile, n);
//   for (int k = 0; k < Reals / 2; ++k) sum = fma_conj(x.pair(k), y.pair(k), sum);
// A host loads each number where it is used: it has no registers for those of several vectors, which would go to the
// stack and back. On a GPU the numbers of a site are loaded together, in wide pieces.
//
// NewPairs stores numbers in the same order: set(k, z) for each k, then done(). Numbers of the same vector that were
// not set may still be read in between.

#include "trellis/core/complex.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"

namespace trellis::solver {

namespace algebra_detail {

// Numbers that are stored as they are; T is float or double.
template <class T, int Reals, int W>
struct PlacedPairs {
  using S = lanes_t<T, W>;
  decltype(std::declval<const ParityAccess<T, Reals, W>&>().at(0, 0)) place;

  TRELLIS_INLINE PlacedPairs(const ParityAccess<T, Reals, W>& x, int tile, int n) : place(x.at(tile, n)) {}
  TRELLIS_INLINE complex<S> pair(int k) const { return load_complex<S>(place, k); }
  TRELLIS_INLINE void set(int k, const complex<S>& z) const { store_complex(place, k, z); }
  TRELLIS_INLINE void done() const {}
};

// 16-bit integers of a host.
template <int Reals, int W>
struct ScaledPairs {
  using S = lanes_t<float, W>;
  ParityAccess<Fixed16, Reals, W> x;
  int tile, n;
  S unit;

  TRELLIS_INLINE ScaledPairs(const ParityAccess<Fixed16, Reals, W>& vectors, int of_tile, int vector)
      : x(vectors), tile(of_tile), n(vector), unit(vectors.scale(of_tile, vector)) {}
  TRELLIS_INLINE complex<S> pair(int k) const {
    return {x.load_raw(tile, n, 2 * k) * unit, x.load_raw(tile, n, 2 * k + 1) * unit};
  }
};

// All numbers of a site.
template <class T, int Reals, int W>
struct KeptPairs {
  using S = lanes_t<arithmetic_t<T>, W>;
  SiteVector<S, Reals> of;

  TRELLIS_INLINE KeptPairs(const ParityAccess<T, Reals, W>& x, int tile, int n)
      : of(SiteVector<S, Reals>::load(x, tile, n)) {}
  TRELLIS_INLINE complex<S> pair(int k) const { return {of.e[2 * k], of.e[2 * k + 1]}; }
};

// Numbers that are stored together.
template <class T, int Reals, int W>
struct CollectedPairs {
  using S = lanes_t<arithmetic_t<T>, W>;
  ParityAccess<T, Reals, W> x;
  int tile, n;
  SiteVector<S, Reals> of;

  TRELLIS_INLINE CollectedPairs(const ParityAccess<T, Reals, W>& vectors, int of_tile, int vector)
      : x(vectors), tile(of_tile), n(vector) {}
  TRELLIS_INLINE void set(int k, const complex<S>& z) {
    of.e[2 * k] = z.re;
    of.e[2 * k + 1] = z.im;
  }
  TRELLIS_INLINE void done() const { of.store(x, tile, n); }
};

}  // namespace algebra_detail

template <class T, int Reals, int W>
using SitePairs = std::conditional_t<!fields_on_host, algebra_detail::KeptPairs<T, Reals, W>,
                                     std::conditional_t<is_fixed_point<T>, algebra_detail::ScaledPairs<Reals, W>,
                                                        algebra_detail::PlacedPairs<T, Reals, W>>>;
template <class T, int Reals, int W>
using NewPairs = std::conditional_t<fields_on_host && !is_fixed_point<T>, algebra_detail::PlacedPairs<T, Reals, W>,
                                    algebra_detail::CollectedPairs<T, Reals, W>>;

}  // namespace trellis::solver
