// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/wilson_pass.hpp"

namespace trellis::dirac {

namespace {
template <class T, class Access, int W>
struct StoreHops {
  Access to;
  bool streaming;
  TRELLIS_INLINE void before(int, int) const {}
  TRELLIS_INLINE void operator()(int tile, int n, const Spinor<complex<lanes_t<arithmetic_t<T>, W>>>& result) const {
    to.store(tile, n, result, streaming);
  }
  // Of several that lie side by side.
  template <int N>
  TRELLIS_INLINE void together(int tile, int n, const Spinor<complex<lanes_t<arithmetic_t<T>, W>>> (&results)[N]) const
    requires(fields_side_by_side<W>)
  {
    to.store(tile, n, results, streaming);
  }
};
}  // namespace

template <class T, int W>
void wilson_hops(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, const SpinorField<T, W>& out,
                 HopSign sign, const WilsonSettings& settings) {
  if (!(in.lattice() == links.lattice()) || !(out.lattice() == links.lattice()))
    fail("Wilson operator: vectors and links are on different lattices");
  if (in.parity() == out.parity() || in.count() != out.count())
    fail("Wilson operator: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  const double sites = double(in.lattice().local_volume()) / 2;
  const double bytes = sites * (links.bytes_a_site() + 2 * in.count() * site_bytes<T>(24));
  const bool streaming = passes_caches(settings.stores, bytes);
  const Kernel cost{"Wilson hops", bytes, wilson_flops * sites * in.count(), is_single<arithmetic_t<T>>};
  const auto to = spinor_access(out);
  wilson_pass(cost, links, in, sign, settings.distances(in.count(), bytes),
              StoreHops<T, decltype(to), W>{to, streaming});
}

#define TRELLIS_INSTANTIATE(T, W)                                                                               \
  template void wilson_hops<T, W>(const WilsonLinks<T, W>&, const SpinorField<T, W>&, const SpinorField<T, W>&, \
                                  HopSign, const WilsonSettings&);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
