// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Finish (pass.hpp) that stores the sum over hops and does nothing else.

#include "trellis/dirac/stencil/stores.hpp"
#include "trellis/dirac/stencil/vectors.hpp"

namespace trellis::dirac::stencil {

struct Nothing {};

// `streaming`: bypass the caches.
template <class To>
struct StoreSum {
  To to;
  bool streaming;

  template <bool>
  TRELLIS_INLINE Nothing before(int, int) const {
    return {};
  }
  template <class V>
  TRELLIS_INLINE void operator()(int tile, int n, Nothing, const V& total) const {
    to.store(tile, n, total, streaming);
  }
  template <class V, int N>
  TRELLIS_INLINE void together(int tile, int n, const V (&totals)[N]) const
    requires(To::side_by_side)
  {
    to.store(tile, n, totals, streaming);
  }
  TRELLIS_INLINE auto* memory(int tile) const
    requires(!To::side_by_side && !To::scaled)
  {
    return streaming ? nullptr : to.site(tile, 0).p;
  }
};

}  // namespace trellis::dirac::stencil
