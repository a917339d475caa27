// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One pass of the hops over a lattice, and what follows them while the result is in registers:
//   wilson_pass(cost, links, in, sign, ahead, finish)        finish.before(tile, n), then finish(tile, n, result)
//   wilson_pass_sums(cost, links, in, sign, ahead, finish, to)   finish returns a number for each lane: their sums
// On a host hops are a function behind a pointer (wilson_tile.hpp). A GPU has them in line, so that registers hold the
// result; there the adjoint is gamma_5 D gamma_5, for one kernel instead of two.

#include "trellis/dirac/wilson_driver.hpp"
#include "trellis/dirac/wilson_halo.hpp"
#include "trellis/dirac/wilson_tile.hpp"

namespace trellis::dirac {

// total <- gamma_5 D gamma_5 in or D in, by the kernel of D for a ChiralAccess.
template <class Kernel>
struct ChiralHops {
  using C = typename Kernel::C;
  static constexpr int at_once = Kernel::at_once;
  static constexpr int least_blocks = Kernel::shares_links ? 3 : 0;
  Kernel kernel;

  TRELLIS_INLINE void operator()(int tile, int n, Spinor<C> (&totals)[at_once]) const {
    kernel.sum(tile, n, totals);
    const typename Kernel::Real sign = kernel.in.sign;
    for (Spinor<C>& total : totals)
      for (int s = 2; s < 4; ++s)
        for (C& x : total.e[s]) x = sign * x;
  }
};

// f(hops) with the hops of these links on `in`, for a loop or for sums.
template <class T, int W, class F>
auto with_hops(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
               const PrefetchDistances& ahead, [[maybe_unused]] bool in_sums, F&& f) {
  if constexpr (can_access<FieldSpace, HostSpace> && !fields_side_by_side<W>) {
    return f(WilsonTile<T, W>(links, in, sign, ahead));
  } else {
    const auto run = [&]<class Vectors>(const Vectors& vectors) {
      const ChiralAccess<Vectors> signed_vectors{vectors, sign == HopSign::plain ? 1.0f : -1.0f};
      return with_wilson_kernel<false>(links, in, signed_vectors, ahead, [&](const auto& kernel) {
        return f(ChiralHops<std::remove_cvref_t<decltype(kernel)>>{kernel});
      });
    };
    if constexpr (fields_side_by_side<W>) {
      constexpr int most = most_neighbour_spinors<T>;
      if (links.format() == LinkFormat::two_rows && in.count() % most == 0 &&
          links_are_shared(in.lattice(), 1 - in.parity(), in.count() / most, in_sums))
        return run(NeighbourSpinors<T, most, true>{in.access()});
    }
    return run(spinor_access(in));
  }
}

template <class Hops, class Finish>
struct WilsonPass {
  using C = typename Hops::C;
  using D = lanes_t<double, ComplexTraits<C>::width>;
  static constexpr int at_once = Hops::at_once;
  static constexpr int least_blocks = Hops::least_blocks;
  Hops hops;
  Finish finish;

  TRELLIS_INLINE void operator()(int tile, int first, int last) const {
    if constexpr (!can_access<FieldSpace, HostSpace>) last = first + at_once;  // in registers
    Spinor<C> results[at_once];
    for (int n = first; n < last; n += at_once) {
      finish.before(tile, n);
      hops(tile, n, results);
      if constexpr (requires { finish.together(tile, n, results); })
        finish.together(tile, n, results);
      else
        for (int v = 0; v < at_once; ++v) finish(tile, n + v, results[v]);
    }
  }
  TRELLIS_INLINE void operator()(int tile, int first, int last, ExactAccumulator<D>* sums) const {
    if constexpr (!can_access<FieldSpace, HostSpace>) last = first + at_once;  // in registers
    Spinor<C> results[at_once];
    for (int n = first; n < last; n += at_once) {
      finish.before(tile, n);
      hops(tile, n, results);
      for (int v = 0; v < at_once; ++v) sums[n + v - first].add(finish(tile, n + v, results[v]));
    }
  }
};

template <class T, int W, class Finish>
void wilson_pass(const Kernel& cost, const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
                 const PrefetchDistances& ahead, const Finish& finish) {
  with_hops(links, in, sign, ahead, false, [&](const auto& hops) {
    using Pass = WilsonPass<std::remove_cvref_t<decltype(hops)>, Finish>;
    for_each_batch_of_stencil<Pass::at_once>(cost, wilson_halo(in, sign), in.lattice(), 1 - in.parity(), in.count(),
                                             Pass{hops, finish});
  });
}

template <class T, int W, class Finish>
void wilson_pass_sums(const Kernel& cost, const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
                      const PrefetchDistances& ahead, const Finish& finish, const FieldSums& to) {
  with_hops(links, in, sign, ahead, true, [&](const auto& hops) {
    using Pass = WilsonPass<std::remove_cvref_t<decltype(hops)>, Finish>;
    sum_over_batches_of_stencil<typename Pass::D, Pass::at_once>(cost, wilson_halo(in, sign), in.lattice(),
                                                                 1 - in.parity(), in.count(), Pass{hops, finish}, to);
  });
}

}  // namespace trellis::dirac
