// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the links and vectors of a lattice to the kernel: the types that fit them.

#include "trellis/dirac/wilson.hpp"
#include "trellis/dirac/wilson_access.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

template <class T, int W>
TableHops<complex<lanes_t<arithmetic_t<T>, W>>> table_hops(const WilsonLinks<T, W>& links, int out_parity) {
  const Lattice& lattice = links.lattice();
  const Neighbours neighbours = lattice.neighbours();
  const std::int64_t first = lattice.first_tile(out_parity);
  TableHops<complex<lanes_t<arithmetic_t<T>, W>>> hops;
  hops.hops = neighbours.hops + 8 * first;
  hops.exits = neighbours.exits + first;
  hops.marks = links.marks() + first;
  hops.numbers = links.factors().numbers() + 8 * first;
  hops.factors = links.factors().values();
  hops.lanes = neighbours.lanes;
  hops.in_origin = lattice.first_tile(1 - out_parity);
  hops.last = 8 * (lattice.tiles() / 2) - 1;
  hops.high_bits = neighbours.high_bits;
  return hops;
}

// f(kernel) with the kernel that applies these links to what `vectors` reads of `in`. Vectors that share links
// (shared_links.hpp) have kernels for links of two rows only.
template <bool Adjoint, class T, int W, class In, class F>
auto with_wilson_kernel(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, const In& vectors,
                        const PrefetchDistances& ahead, F&& f) {
  using C = complex<lanes_t<arithmetic_t<T>, W>>;
  const int out_parity = 1 - in.parity();
  const auto run_with = [&](const auto& packed) {
    using Links = std::remove_cvref_t<decltype(packed)>;
    const auto hops = table_hops(links, out_parity);
    return f(WilsonKernel<In, Links, TableHops<C>, Adjoint>{vectors, packed, hops, ahead, in.count()});
  };
  const auto run = [&]<int Reals>() {
    const auto* first = links.data() + std::int64_t(in.lattice().first_tile(out_parity)) * 8 * Reals * W;
    if constexpr (is_fixed_point<T>)
      return run_with(FixedLinkAccess<W, Reals>{first});
    else
      return run_with(LinkAccess<C, Reals>(first, 8 * Index(in.tiles())));
  };
  if constexpr (!wants_shared_links<In>) {
    if (links.format() == LinkFormat::full) return run.template operator()<18>();
    if constexpr (!is_fixed_point<T>)
      if (links.format() == LinkFormat::minimal) return run.template operator()<8>();
  }
  return run.template operator()<12>();
}
template <class T, int W, class F>
auto with_wilson_kernel(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
                        const PrefetchDistances& ahead, F&& f) {
  const auto vectors = spinor_access(in);
  if (sign == HopSign::plain) return with_wilson_kernel<false>(links, in, vectors, ahead, f);
  return with_wilson_kernel<true>(links, in, vectors, ahead, f);
}

}  // namespace trellis::dirac
