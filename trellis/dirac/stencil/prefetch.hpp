// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far ahead a sum over hops prefetches. ask<k>(sum, tile, n) is called before hop k of vector n; where a link is
// applied to all vectors of a tile in turn, ask_for_link(sum, hop) is called once.

#include "trellis/core/simd.hpp"

namespace trellis::dirac {

// 0 leaves it to the hardware. `links`: hops ahead, into the second-level cache; `spinors`: hops ahead (with several
// vectors: the next vector), into the first-level cache; `fresh`: tiles ahead, into the second-level cache, for vectors
// that have not been read yet: a step forward in t, which runs outermost, and steps into other columns. The best values
// depend on the machine, so they are tuned.
struct PrefetchDistances {
  int links = 0;
  int spinors = 0;
  int fresh = 0;
  bool operator==(const PrefetchDistances&) const = default;

  // Each of several vectors prefetches for its own place, and a part of a later link.
  template <int K, class Sum>
  TRELLIS_INLINE void ask(const Sum& sum, int tile, int n) const {
    using Links = decltype(sum.links);
    const int hop = Sum::hop_count * tile + K, count = sum.in.count;
    constexpr bool may_be_fresh = K != 0 && K != 4 && K != 7;
    if (may_be_fresh && fresh > 0 && sum.hops.is_new(tile + fresh, K))
      sum.in.template prefetch<false>(sum.hops.target(hop + Sum::hop_count * fresh), n);
    if (links > 0) {
      if (count == 1)
        sum.links.prefetch(hop + links);
      else
        for (int line = n; line < Links::lines; line += count) sum.links.prefetch(hop + links, line, 1);
    }
    if (spinors > 0) {
      if (count == 1)
        sum.in.template prefetch<true>(sum.hops.target(hop + spinors), 0);
      else if (n + 1 < count)
        sum.in.template prefetch<true>(sum.hops.target(hop), n + 1);
    }
  }
};

// Fixed distances, in hops: links into the second-level cache, the only vector into the first-level one, one of several
// into the second.
template <int Links, int Vectors, int VectorsOfMany>
struct SteadyDistances {
  static constexpr int vectors_of_many = VectorsOfMany;

  template <class Sum>
  TRELLIS_INLINE void ask(const Sum& sum, int hop) const {
    sum.links.prefetch(hop + Links);
    sum.in.template prefetch<true>(sum.hops.target(hop + Vectors), 0);
  }
  template <class Sum>
  TRELLIS_INLINE void ask_for_link(const Sum& sum, int hop) const {
    sum.links.prefetch(hop + Links);
  }
};

}  // namespace trellis::dirac
