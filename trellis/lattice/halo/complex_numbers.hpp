// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The complex numbers of a field or a message, for kernels that pack less than what is stored: complex number k, for
// all lanes of a tile or of one site.

#include "trellis/core/complex.hpp"

namespace trellis {

// place: as load_complex() takes it.
template <class S, class Place>
struct NumbersOfTile {
  using complex_type = complex<S>;
  Place place;
  TRELLIS_INLINE complex<S> load(int k) const { return load_complex<S>(place, k); }
  TRELLIS_INLINE void store(int k, const complex<S>& v) const { store_complex(place, k, v); }
};

template <class T>
struct NumbersOfSite {
  using complex_type = complex<T>;
  T* first;
  int apart, imaginary;  // distance to the next number, and to the imaginary part
  TRELLIS_INLINE complex<T> load(int k) const { return {first[k * apart], first[k * apart + imaginary]}; }
  TRELLIS_INLINE void store(int k, const complex<T>& v) const {
    first[k * apart] = v.re;
    first[k * apart + imaginary] = v.im;
  }
};

// Of one site of a field whose tiles have W lanes; first: its first number in the field.
template <int W, class T>
TRELLIS_INLINE NumbersOfSite<T> numbers_of_site(T* first) {
  return {first, 2 * W, lane_group == 2 ? 1 : W};
}

}  // namespace trellis
