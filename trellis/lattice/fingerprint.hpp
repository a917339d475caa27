// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Has a field changed? A 64-bit number of all its bits: sum over its 64-bit words w_n of mix(w_n + n
// 0x9e3779b97f4a7c15) mod 2^64, where mix is the bijection that ends splitmix64 (G. L. Steele, D. Lea, C. H. Flood,
// OOPSLA 2014). The sum does not depend on order, so threads need not agree on one. Two fields that differ have the
// same number by chance only, 2^-64; no defence against malice. It belongs to the place in memory: another lane count,
// another number. Cost: the field is read once.

#include <cstdint>

#include "trellis/lattice/field.hpp"

namespace trellis {

template <class T, int W>
std::uint64_t fingerprint(const GaugeField<T, W>& u);

}  // namespace trellis
