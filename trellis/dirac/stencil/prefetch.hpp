// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far ahead a sum over hops prefetches. ask<k>(sum, tile, n) is called before hop k of vector n. Where all hops are
// alike, ask_for_hop(sum, hop) is, and if a link is applied to all vectors of a tile in turn, ask_for_link(sum, hop)
// once and ask_for_vector(sum, later, n) for each.

#include "trellis/core/simd.hpp"

namespace trellis::dirac {

// 0 leaves it to the hardware. `links`: hops ahead, into the second-level cache; `vectors`: hops ahead, into the
// first-level cache (with several vectors: the next vector; if all hops are alike, into the second-level one);
// `fresh`: tiles ahead, into the second-level cache, for vectors that have not been read yet: a step forward in t,
// which runs outermost, and steps into other columns; not if all hops are alike. The best values depend on the machine,
// so they are tuned.
struct PrefetchDistances {
  int links = 0;
  int vectors = 0;
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
    if (vectors > 0) {
      if (count == 1)
        sum.in.template prefetch<true>(sum.hops.target(hop + vectors), 0);
      else if (n + 1 < count)
        sum.in.template prefetch<true>(sum.hops.target(hop), n + 1);
    }
  }

  template <class Sum>
  TRELLIS_INLINE void ask_for_hop(const Sum& sum, int hop) const {
    ask_for_link(sum, hop);
    if (vectors > 0) sum.in.template prefetch<true>(sum.hops.target(hop + vectors), 0);
  }
  template <class Sum>
  TRELLIS_INLINE void ask_for_link(const Sum& sum, int hop) const {
    if (links > 0) sum.links.prefetch(hop + links);
  }
  // later: the tile to which the hop leads that is `vectors` hops ahead.
  template <class Sum>
  TRELLIS_INLINE void ask_for_vector(const Sum& sum, int later, int n) const {
    if (vectors > 0) sum.in.template prefetch<false>(later, n);
  }
};

}  // namespace trellis::dirac
