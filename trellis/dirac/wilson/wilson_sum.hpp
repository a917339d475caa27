// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses the sum over Wilson hops that suits a lattice's links and vectors.

#include "trellis/dirac/stencil/pass.hpp"
#include "trellis/dirac/stencil/select.hpp"
#include "trellis/dirac/wilson/wilson_hops.hpp"
#include "trellis/dirac/wilson/wilson_tile.hpp"

namespace trellis::dirac {

// f(sum) with a HopSum of these links and `vectors`, which reads `in`. Vectors that share links (shared_links.hpp) need
// links of two rows.
template <bool Adjoint, class T, int W, class Vectors, class F>
auto with_wilson_sum(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, const Vectors& vectors,
                     const PrefetchDistances& ahead, const F& f) {
  using namespace stencil;
  using Operator = WilsonHops<Adjoint>;
  const int parity = 1 - in.parity();
  const auto run = [&]<int Reals>() {
    const auto packed = links_of<T, W, Reals>(links.data(), in.lattice(), parity, Operator::hops);
    const auto hops = hops_of<Factors::marked, Operator::hops>(links.factors(), parity, links.marks());
    return f(HopSum<Operator, Vectors, std::remove_cv_t<decltype(packed)>, std::remove_cv_t<decltype(hops)>,
                    PrefetchDistances, Takes::batches>{vectors, packed, hops, ahead});
  };
  if constexpr (!Vectors::shares_links) {
    if (links.format() == LinkFormat::full) return run.template operator()<18>();
    if constexpr (!is_fixed_point<T>)
      if (links.format() == LinkFormat::minimal) return run.template operator()<8>();
  }
  return run.template operator()<12>();
}

// total <- gamma_5 D gamma_5 in or D in, using the sum of D on ChiralVectors.
template <class Sum>
struct ChiralSum : Sum {
  using Site = typename Sum::Site;

  TRELLIS_INLINE void operator()(int tile, int n, Site (&totals)[Sum::at_once]) const {
    Sum::operator()(tile, n, totals);
    const typename Sum::Real sign = this->in.sign;
    for (Site& total : totals)
      for (int s = 2; s < 4; ++s)
        for (auto& x : total.e[s]) x = sign * x;
  }
};

// f(sum) with the hops of these links on `in`; in_sums: for sums over vectors. On a host they are called through a
// pointer (wilson_tile.hpp). On a GPU they are inlined, so that the result stays in registers; the adjoint is then
// gamma_5 D gamma_5, so that one kernel serves both.
template <class T, int W, class F>
auto with_hops(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
               const PrefetchDistances& ahead, [[maybe_unused]] bool in_sums, const F& f) {
  if constexpr (fields_on_host && !fields_side_by_side<W>) {
    return f(WilsonTile<T, W>(links, in, sign, ahead));
  } else {
    constexpr int shared_batch = is_fixed_point<T> ? 2 : int(8 / sizeof(stored_t<T>));  // within 16 bytes
    const auto run = [&]<stencil::Takes, class Vectors>(const Vectors& vectors) {
      const ChiralVectors<Vectors> signed_vectors{vectors, sign == HopSign::plain ? 1.0f : -1.0f};
      return with_wilson_sum<false>(links, in, signed_vectors, ahead,
                                    [&]<class Sum>(const Sum& sum) { return f(ChiralSum<Sum>{sum}); });
    };
    const bool may_share = links.format() == LinkFormat::two_rows;
    return stencil::with_vectors<1, shared_batch, stencil::Takes::batches>(in, 1 - in.parity(), may_share, in_sums,
                                                                           run);
  }
}

}  // namespace trellis::dirac
