// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stores past the caches, for output that is not read again before the loop ends: memory is not read before it is
// written, which saves a tenth to a half of a kernel's time for fields larger than the caches. The end of the loop
// orders these stores before what follows.

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

template <class T, int Components, int W>
TRELLIS_INLINE void stream_link(const Access<T, Components, W>& to, int tile, int n, const Matrix<lanes_t<T, W>>& u) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) stream_complex(to.at(tile), 9 * n + 3 * i + j, u.e[i][j]);
}
template <class T, int Components, int W>
TRELLIS_INLINE void stream_algebra(const Access<T, Components, W>& to, int tile, int n,
                                   const Algebra<lanes_t<T, W>>& a) {
  for (int k = 0; k < 4; ++k)
    stream_complex(to.at(tile), 4 * n + k, complex<lanes_t<T, W>>{a.p[2 * k], a.p[2 * k + 1]});
}

}  // namespace trellis::gauge
