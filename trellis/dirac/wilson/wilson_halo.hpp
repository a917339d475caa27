// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a hop of the Wilson operator takes of another rank's spinors: (1 -+ gamma_mu) psi, whose two upper components
// say all. Messages have these 12 numbers of a site; a ghost is the spinor that they and lower components of 0 make,
// whose projection they are again, to the last bit: zeros have the sign that changes nothing, not even another zero.
// Spinors of 16 bits go as they are: their half in single precision takes as many bytes.

#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis::dirac {

template <class T, int W>
HaloPart projected_spinors(const SpinorField<T, W>& in, HopSign sign);

// The parts of `in` that the hops of D, or of its adjoint, exchange.
template <class T, int W>
auto wilson_halo(const SpinorField<T, W>& in, [[maybe_unused]] HopSign sign) {
  if constexpr (is_fixed_point<T>)
    return in.halo_parts();
  else
    return std::array<HaloPart, 1>{projected_spinors(in, sign)};
}

}  // namespace trellis::dirac
