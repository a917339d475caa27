// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One pass of the hops over a lattice, and what follows them while the result is in registers:
//   wilson_pass(cost, links, in, sign, ahead, finish)        finish.before(tile, n), then finish(tile, n, result)
//   wilson_pass_sums(cost, links, in, sign, ahead, finish, to)   finish returns a number for each lane: their sums
// On a host hops are a function behind a pointer (wilson_tile.hpp). A GPU has them in line, so that registers hold the
// result; there the adjoint is gamma_5 D gamma_5, for one kernel instead of two.

#include "trellis/dirac/wilson_driver.hpp"
#include "trellis/dirac/wilson_tile.hpp"

namespace trellis::dirac {

// total <- gamma_5 D gamma_5 in or D in, by the kernel of D for a ChiralAccess.
template <class Kernel>
struct ChiralHops {
  using C = typename Kernel::C;
  Kernel kernel;

  TRELLIS_INLINE void operator()(int tile, int n, Spinor<C>& total) const {
    kernel.sum(tile, n, total);
    const typename Kernel::Real sign = kernel.in.sign;
    for (int s = 2; s < 4; ++s)
      for (C& x : total.e[s]) x = sign * x;
  }
};

// f(hops) with the hops of these links on `in`.
template <class T, int W, class F>
auto with_hops(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
               const PrefetchDistances& ahead, F&& f) {
  if constexpr (can_access<FieldSpace, HostSpace>) {
    return f(WilsonTile<T, W>(links, in, sign, ahead));
  } else {
    using Vectors = decltype(spinor_access(in));
    const ChiralAccess<Vectors> vectors{spinor_access(in), sign == HopSign::plain ? 1.0f : -1.0f};
    return with_wilson_kernel<false>(links, in, vectors, ahead, [&](const auto& kernel) {
      return f(ChiralHops<std::remove_cvref_t<decltype(kernel)>>{kernel});
    });
  }
}

template <class Hops, class Finish>
struct WilsonPass {
  using C = typename Hops::C;
  using D = lanes_t<double, ComplexTraits<C>::width>;
  Hops hops;
  Finish finish;

  TRELLIS_INLINE void operator()(int tile, int first, int last) const {
    Spinor<C> result;
    for (int n = first; n < last; ++n) {
      finish.before(tile, n);
      hops(tile, n, result);
      finish(tile, n, result);
    }
  }
  TRELLIS_INLINE void operator()(int tile, int first, int last, ExactAccumulator<D>* sums) const {
    Spinor<C> result;
    for (int n = first; n < last; ++n) {
      finish.before(tile, n);
      hops(tile, n, result);
      sums[n - first].add(finish(tile, n, result));
    }
  }
};

template <class T, int W, class Finish>
void wilson_pass(const Kernel& cost, const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
                 const PrefetchDistances& ahead, const Finish& finish) {
  with_hops(links, in, sign, ahead, [&](const auto& hops) {
    for_each_batch<1>(cost, in.lattice(), in.count(),
                      WilsonPass<std::remove_cvref_t<decltype(hops)>, Finish>{hops, finish});
  });
}

template <class T, int W, class Finish>
void wilson_pass_sums(const Kernel& cost, const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
                      const PrefetchDistances& ahead, const Finish& finish, const FieldSums& to) {
  with_hops(links, in, sign, ahead, [&](const auto& hops) {
    using Pass = WilsonPass<std::remove_cvref_t<decltype(hops)>, Finish>;
    sum_over_batches<typename Pass::D, 1>(cost, in.lattice(), in.count(), Pass{hops, finish}, to);
  });
}

}  // namespace trellis::dirac
