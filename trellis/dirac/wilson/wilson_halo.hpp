// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a hop of the Wilson operator needs of another rank's spinors: (1 -+ gamma_mu) psi, which is determined by its
// two upper spins. Messages carry these 12 numbers per site; a ghost is the spinor made of them and of zero lower
// spins, whose projection they are, to the last bit: the zeros have the sign that changes nothing, not even another
// zero. Spinors of 16 bits are sent complete: half of one in single precision takes as many bytes.

#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis::dirac {

template <class T, int W>
HaloPart projected_spinors(const SpinorField<T, W>& in, HopSign sign);

// The parts of `in` that are exchanged for the hops of D or of its adjoint.
template <class T, int W>
auto wilson_halo(const SpinorField<T, W>& in, [[maybe_unused]] HopSign sign) {
  if constexpr (is_fixed_point<T>)
    return in.halo_parts();
  else
    return std::array<HaloPart, 1>{projected_spinors(in, sign)};
}

}  // namespace trellis::dirac
