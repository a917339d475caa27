// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mask of some of a tile's lanes.

#include "trellis/core/simd.hpp"

namespace trellis::gauge {

// The lanes l with active[l].
template <class S, class Active>
TRELLIS_INLINE mask_t<S> mask_of(const Active& active) {
  S flags = S(0);
  for (const int l : own_lanes<S>()) set_lane(flags, l, active[l] ? 1 : 0);
  return flags > S(0);
}

}  // namespace trellis::gauge
