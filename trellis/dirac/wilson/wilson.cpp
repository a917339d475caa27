// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/wilson.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/stencil/finish.hpp"
#include "trellis/dirac/wilson/wilson_halo.hpp"
#include "trellis/dirac/wilson/wilson_sum.hpp"

namespace trellis::dirac {

template <class T, int W>
void wilson_hops(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, const SpinorField<T, W>& out,
                 HopSign sign, const HopSettings& settings) {
  if (!(in.lattice() == links.lattice()) || !(out.lattice() == links.lattice()))
    fail("Wilson operator: vectors and links are on different lattices");
  if (in.parity() == out.parity() || in.count() != out.count())
    fail("Wilson operator: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  const double sites = double(in.lattice().local_volume()) / 2;
  const double bytes = sites * (links.bytes_per_site() + 2 * in.count() * site_bytes<T>(24));
  const bool streaming = passes_caches(settings.stores, bytes);
  Kernel cost{"Wilson hops", bytes, wilson_flops * sites * in.count(), is_single<arithmetic_t<T>>};
  cost.block_threads = settings.block_threads;
  with_hops(links, in, sign, settings.distances(in.count(), bytes), false, [&](const auto& sum) {
    const auto to = stencil::vectors_of<1>(out);
    stencil::apply(cost, wilson_halo(in, sign), in.lattice(), out.parity(), in.count(), sum,
                   stencil::StoreSum<decltype(to)>{to, streaming});
  });
}

#define TRELLIS_INSTANTIATE(T, W)                                                                               \
  template void wilson_hops<T, W>(const WilsonLinks<T, W>&, const SpinorField<T, W>&, const SpinorField<T, W>&, \
                                  HopSign, const HopSettings&);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
