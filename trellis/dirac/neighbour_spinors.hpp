// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What wilson_kernel.hpp asks for, of vectors that lie side by side.

#include "trellis/dirac/spinor_registers.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac {

// Vectors that lie side by side at each site (fields_side_by_side), of which a thread takes N at a time; their count
// is a multiple of N. SharesLinks: see shared_links.hpp.
template <class T, int N, bool SharesLinks = false>
struct NeighbourSpinors {
  static constexpr bool shares_links = SharesLinks;
  using S = arithmetic_t<T>;
  using complex_type = complex<S>;
  static constexpr bool scaled = is_fixed_point<T>;
  static constexpr bool side_by_side = true;
  static constexpr int at_once = N;

  ParityAccess<T, 24, 1, true> vectors;

  struct NoScale {};
  using Raw = std::conditional_t<scaled, Int16Pair, complex_type>;
  using RawScale = std::conditional_t<scaled, S, NoScale>;
  TRELLIS_INLINE void fetch(int tile, int n, int, Raw (&numbers)[N][4][3], RawScale (&scales)[N]) const {
    const auto p = vectors.at(tile, n);
    for (int k = 0; k < 12; ++k) {
      Raw pairs[N];
      load_neighbours<true>(p, k, pairs);
      for (int v = 0; v < N; ++v) numbers[v][k / 3][k % 3] = pairs[v];
    }
    if constexpr (scaled)
      for (int v = 0; v < N; ++v) scales[v] = vectors.scale(tile, n + v);
  }
  TRELLIS_INLINE complex_type number(const Raw& raw) const {
    if constexpr (scaled)
      return raw.template numbers<complex_type>();
    else
      return raw;
  }
  TRELLIS_INLINE S scale_of(const S& scale) const { return scale; }

  TRELLIS_INLINE void store(int tile, int n, const Spinor<complex_type>& v, bool streaming) const {
    const Spinor<complex_type> one[1]{v};
    store(tile, n, one, streaming);
  }
  // M vectors; M divides their count.
  template <int M>
  TRELLIS_INLINE void store(int tile, int n, const Spinor<complex_type> (&spinors)[M], bool streaming) const {
    if constexpr (scaled) {
      for (int v = 0; v < M; ++v) store_spinor(vectors, tile, n + v, spinors[v]);
    } else {
      const auto p = vectors.at(tile, n);
      for (int k = 0; k < 12; ++k) {
        complex_type pairs[M];
        for (int v = 0; v < M; ++v) pairs[v] = spinors[v].e[k / 3][k % 3];
        store_neighbours<true>(p, k, pairs, streaming);
      }
    }
  }
};
// As many as are within 16 bytes, so that the threads of a site read whole lines.
template <class T>
inline constexpr int most_neighbour_spinors = is_fixed_point<T> ? 2 : int(8 / sizeof(stored_t<T>));

}  // namespace trellis::dirac
