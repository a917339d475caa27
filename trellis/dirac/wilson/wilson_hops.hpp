// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The physics of a Wilson hop, or of its adjoint, as stencil/hop_sum.hpp needs it: (1 -+ gamma_mu) psi crosses the link
// as a half spinor (su3/spinor.hpp).

#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

template <bool Adjoint>
struct WilsonHops {
  static constexpr HopPattern pattern = nearest_neighbours;
  static constexpr int hops = pattern.count, spins = 4;
  static constexpr bool hops_alike = false;
  template <class C>
  using Site = Spinor<C>;
  template <class C>
  using Crossing = HalfSpinor<C>;

  template <int Step, class C, class Psi>
  TRELLIS_INLINE static HalfSpinor<C> project(const Psi& psi) {
    return spin::project<Step, Adjoint, C>(psi);
  }
  template <int Step, int Colour, bool First, class C>
  TRELLIS_INLINE static void add(const LinkRow<C>& u, const HalfSpinor<C>& h, Spinor<C>& total) {
    const C h0 = fma(u.e[2], h.e[0][2], fma(u.e[1], h.e[0][1], u.e[0] * h.e[0][0]));
    const C h1 = fma(u.e[2], h.e[1][2], fma(u.e[1], h.e[1][1], u.e[0] * h.e[1][0]));
    if constexpr (First)
      spin::begin<Step, Adjoint>(h0, h1, Colour, total);
    else
      spin::reconstruct<Step, Adjoint>(h0, h1, Colour, total);
  }
};

// gamma_5^s of vectors: multiplies the lower two spins by `sign`, 1 or -1, when they are added to the upper ones.
// D^dagger = gamma_5 D gamma_5 then needs no separate kernel, and has the same bits.
template <class Vectors>
struct ChiralVectors : Vectors {
  using C = typename Vectors::complex_type;
  using Real = typename ComplexTraits<C>::real;
  scalar_t<Real> sign;

  TRELLIS_INLINE Real lower_sign() const { return Real(sign); }
  template <int Phase, class Raw>
  TRELLIS_INLINE C combined(const Raw& a, const Raw& b) const
    requires requires(const Vectors& v) { v.template combined<Phase>(1.0f, a, b); }
  {
    return Vectors::template combined<Phase>(sign, a, b);
  }
};

}  // namespace trellis::dirac
