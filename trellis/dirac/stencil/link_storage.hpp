// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How packed links store a number: as it is, or in 16 bits in units of fixed_link_unit, or of another unit.

#include "trellis/core/complex.hpp"
#include "trellis/lattice/fixed_point.hpp"

namespace trellis::dirac {

// Stores complex number k of a link that begins at `to` and has this many reals. per_unit: one over the unit.
template <class T, int Reals, class S>
TRELLIS_INLINE void store_link_number(stored_t<T>* to, int k, const complex<S>& x,
                                      [[maybe_unused]] float per_unit = 32767.0f) {
  if constexpr (is_fixed_point<T> && ComplexTraits<complex<S>>::by_threads) {
    const auto pair = Int16Pair::of(nearest_int16(per_unit * x.re.v), nearest_int16(per_unit * x.im.v));
    *reinterpret_cast<Int16Pair*>(to + int16_place<Reals, lane_count<S>>(2 * k, S::own())) = pair;
  } else if constexpr (is_fixed_point<T>) {
    store_int16(to, 2 * k, S(per_unit) * x.re);
    store_int16(to, 2 * k + 1, S(per_unit) * x.im);
  } else {
    store_complex(to, k, x);
  }
}

}  // namespace trellis::dirac
