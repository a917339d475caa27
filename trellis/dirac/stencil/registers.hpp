// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vectors of a site in registers, Spinor or ColourVector: loading them from a field and storing them. Those of Fixed16
// are rounded when stored.

#include "trellis/lattice/parity_field.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

template <class C>
TRELLIS_INLINE const C& number_of(const Spinor<C>& v, int spin, int colour) {
  return v.e[spin][colour];
}
template <class S>
TRELLIS_INLINE const complex<S>& number_of(const ColourVector<S>& v, int, int colour) {
  return v.e[colour];
}

template <class T, int W>
TRELLIS_INLINE Spinor<complex<lanes_t<arithmetic_t<T>, W>>> load_spinor(const ParityAccess<T, 24, W>& from, int tile,
                                                                        int n) {
  lanes_t<arithmetic_t<T>, W> values[24];
  from.load(tile, n, values);
  Spinor<complex<lanes_t<arithmetic_t<T>, W>>> psi;
  for (int k = 0; k < 12; ++k) psi.e[k / 3][k % 3] = {values[2 * k], values[2 * k + 1]};
  return psi;
}
template <class T, int Reals, int W, class V>
TRELLIS_INLINE void store_vector(const ParityAccess<T, Reals, W>& to, int tile, int n, const V& v) {
  typename ParityAccess<T, Reals, W>::S values[Reals];
  for (int k = 0; k < Reals / 2; ++k) {
    values[2 * k] = number_of(v, k / 3, k % 3).re;
    values[2 * k + 1] = number_of(v, k / 3, k % 3).im;
  }
  to.store(tile, n, values);
}

}  // namespace trellis::dirac
