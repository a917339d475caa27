// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The physics of a staggered hop, as stencil/hop_sum.hpp needs it: a link times a colour vector.

#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/su3/spinor.hpp"
#include "trellis/su3/vector.hpp"

namespace trellis::dirac {

struct StaggeredHops {
  static constexpr HopPattern pattern = nearest_neighbours;
  static constexpr int hops = pattern.count, spins = 1;
  static constexpr bool hops_alike = true;
  template <class C>
  using Site = ColourVector<typename ComplexTraits<C>::real>;
  template <class C>
  using Crossing = Site<C>;

  template <int, class C, class Psi>
  TRELLIS_INLINE static Crossing<C> project(const Psi& psi) {
    return {{psi.load(0, 0), psi.load(0, 1), psi.load(0, 2)}};
  }
  template <int, int Colour, bool First, class C>
  TRELLIS_INLINE static void add(const LinkRow<C>& u, const Crossing<C>& psi, Site<C>& total) {
    C sum = First ? u.e[0] * psi.e[0] : fma(u.e[0], psi.e[0], total.e[Colour]);
    sum = fma(u.e[1], psi.e[1], sum);
    total.e[Colour] = fma(u.e[2], psi.e[2], sum);
  }
};

// And a long link for three steps.
struct NaikHops : StaggeredHops {
  static constexpr HopPattern pattern = naik_neighbours;
  static constexpr int hops = pattern.count;
};

}  // namespace trellis::dirac
