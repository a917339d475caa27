// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The planes of a site: xy, xz, xt, yz, yt, zt.

#include "trellis/core/simd.hpp"

namespace trellis::gauge {

struct Plane {
  static constexpr int count = 6;
  int mu, nu;  // mu < nu

  TRELLIS_INLINE static constexpr Plane of(int n) {
    const int mu = n < 3 ? 0 : n < 5 ? 1 : 2;
    return {mu, n < 3 ? n + 1 : n < 5 ? n - 1 : 3};
  }
  // The plane of two directions, in any order.
  TRELLIS_INLINE static constexpr int number(int mu, int nu) { return mu + nu - (mu == 0 || nu == 0 ? 1 : 0); }
  // f(n, nu) for the three planes n that contain mu, in order; nu is their other direction.
  template <class F>
  TRELLIS_INLINE static void for_each_with(int mu, const F& f) {
    for (int other = 0; other < 3; ++other) {
      const int nu = other < mu ? other : other + 1;
      f(number(mu, nu), nu);
    }
  }
};

}  // namespace trellis::gauge
