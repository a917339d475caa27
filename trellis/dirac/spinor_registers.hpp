// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Spinors of a field to registers and back, in any storage: those of Fixed16 are rounded when they are stored.

#include "trellis/lattice/parity_field.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

template <class T, int W>
TRELLIS_INLINE Spinor<complex<lanes_t<arithmetic_t<T>, W>>> load_spinor(const ParityAccess<T, 24, W>& from, int tile,
                                                                        int n) {
  lanes_t<arithmetic_t<T>, W> values[24];
  from.load(tile, n, values);
  Spinor<complex<lanes_t<arithmetic_t<T>, W>>> psi;
  for (int k = 0; k < 12; ++k) psi.e[k / 3][k % 3] = {values[2 * k], values[2 * k + 1]};
  return psi;
}
template <class T, int W, class S>
TRELLIS_INLINE void store_spinor(const ParityAccess<T, 24, W>& to, int tile, int n, const Spinor<complex<S>>& psi) {
  S values[24];
  for (int k = 0; k < 12; ++k) {
    values[2 * k] = psi.e[k / 3][k % 3].re;
    values[2 * k + 1] = psi.e[k / 3][k % 3].im;
  }
  to.store(tile, n, values);
}

}  // namespace trellis::dirac
