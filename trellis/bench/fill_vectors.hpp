// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vectors to time kernels with: numbers from -1 to 1 in the order of memory, the same for each call.

#include "trellis/core/parallel.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::bench {

template <class T, int W>
void fill_vectors(const ColourVectorField<T, W>& x) {
  T* const data = x.view().data();
  parallel_for(
      "fill", RangePolicy<FieldSpace>(0, x.view().size()),
      TRELLIS_KERNEL(Index k) { data[k] = T(0.001) * T(k * 7919 % 2003 - 1001); });
}

}  // namespace trellis::bench
