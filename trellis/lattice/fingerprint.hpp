// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A 64-bit fingerprint of all bits of a field, to detect changes: the sum over pairs of its 64-bit words, for even n,
// of mix(w_n + 0xd6e8feb86659fd93 w_{n+1} + 0x9e3779b97f4a7c15 n) mod 2^64, where mix is the final bijection of
// splitmix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014). A change of one word always changes it, because the
// factors are odd. Pairs, because a GPU has no 64-bit multiplier. The sum does not depend on the order in which threads
// add. Two different fields have the same fingerprint with probability 2^-64; it is no defence against malice. It
// depends on places in memory, hence on the lane count. Cost: the field is read once.

#include <cstdint>

#include "trellis/lattice/field.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis {

// Of all ranks together, ghosts included.
template <class T, int W>
std::uint64_t fingerprint(const GaugeField<T, W>& u);

// Of the calling rank alone, so that ranks can tell where something changed: of links with their ghosts, of momenta and
// vectors without, because whoever reads the ghosts of those fills them first. No collective operation.
template <class T, int W>
std::uint64_t rank_fingerprint(const GaugeField<T, W>& u);
template <class T, int W>
std::uint64_t rank_fingerprint(const AlgebraField<T, W>& p);
template <class T, int W>
std::uint64_t rank_fingerprint(const ColourVectorField<T, W>& x);

// The part of that of links that ghosts have. What kernels change of the other can be followed while they run
// (followed_fingerprint.hpp).
template <class T, int W>
std::uint64_t ghost_fingerprint(const GaugeField<T, W>& u);

}  // namespace trellis
