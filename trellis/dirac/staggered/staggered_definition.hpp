// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hops and the operator of staggered quarks, for the two files that instantiate them, because they take long to
// compile.

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_passes.hpp"

namespace trellis::dirac {

using namespace staggered_passes;

namespace staggered_passes {
#define TRELLIS_DECLARE(W)                                          \
  TRELLIS_PASSES_WITH_FAT_LINKS(extern template, float, W, float)   \
  TRELLIS_PASSES_WITH_FAT_LINKS(extern template, float, W, Fixed16) \
  TRELLIS_PASSES_WITH_FAT_LINKS(extern template, Fixed16, W, Fixed16)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_DECLARE)
#undef TRELLIS_DECLARE
#define TRELLIS_DECLARE(W) TRELLIS_PASSES_WITH_FAT_LINKS(extern template, double, W, double)
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_DECLARE)
#undef TRELLIS_DECLARE
}  // namespace staggered_passes

template <class T, int W, class L>
void apply_hops(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& coefficients,
                const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) {
  require_matching(links, in, out, false);
  with_kind(links, coefficients, [&]<class Kind>() { hop_once<Kind>(links, coefficients, in, out); });
}

// hop_back for the kind of these links. Not a member of the operator, where nvcc compiles no lambda with types of its
// own.
template <class T, int W, class L>
void apply_hops_back(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table, double mass2,
                     const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& middle,
                     const ColourVectorField<T, W>& out, const FieldSums& products) {
  with_kind(links, table, [&]<class Kind>() { hop_back<Kind>(links, table, mass2, in, middle, out, products); });
}

template <class T, int W, class L>
StaggeredOperator<T, W, L>::StaggeredOperator(const StaggeredLinks<L, W>& links, const LinkPhases& phases, double mass)
    : links_(links),
      table_(links.lattice(), staggered_coefficient(phases, links.lattice().size()), links.pattern()),
      mass_(mass) {
  if (!(mass >= 0)) fail_input("staggered operator: the mass is {}; it must not be negative", mass);
}

template <class T, int W, class L>
StaggeredOperator<T, W, L> StaggeredOperator<T, W, L>::with_mass(double mass) const {
  if (!(mass >= 0)) fail_input("staggered operator: the mass is {}; it must not be negative", mass);
  StaggeredOperator other = *this;
  other.mass_ = mass;
  return other;
}

template <class T, int W, class L>
void StaggeredOperator<T, W, L>::hop(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) const {
  apply_hops(links_, table_, in, out);
}

template <class T, int W, class L>
std::vector<double> StaggeredOperator<T, W, L>::operator()(const ColourVectorField<T, W>& in,
                                                           const ColourVectorField<T, W>& out) const {
  const FieldSums products(in.count());
  (*this)(in, out, products);
  return products.values();
}

template <class T, int W, class L>
void StaggeredOperator<T, W, L>::operator()(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out,
                                            const FieldSums& products) const {
  require_matching(links_, in, out, true);
  const ColourVectorField<T, W>& middle = work_(lattice(), 1 - in.parity(), in.count());
  hop(in, middle);
  apply_hops_back(links_, table_, mass_ * mass_, in, middle, out, products);
}

#define TRELLIS_INSTANTIATE_OPERATOR(T, W, L)                                                         \
  template class StaggeredOperator<T, W, L>;                                                          \
  template void apply_hops<T, W, L>(const StaggeredLinks<L, W>&, const HopTable<arithmetic_t<T>, W>&, \
                                    const ColourVectorField<T, W>&, const ColourVectorField<T, W>&);

}  // namespace trellis::dirac
