// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_hops.hpp"
#include "trellis/dirac/stencil/finish.hpp"
#include "trellis/dirac/stencil/link_storage.hpp"
#include "trellis/dirac/stencil/pass.hpp"
#include "trellis/dirac/stencil/select.hpp"

namespace trellis::dirac {

using namespace stencil;

namespace {

constexpr int most_vectors = maximum_sums;
template <class T, int W>
void require_matching(const StaggeredLinks<T, W>& links, const ColourVectorField<T, W>& in,
                      const ColourVectorField<T, W>& out, bool same_parity) {
  if (!(in.lattice() == links.lattice()) || !(out.lattice() == links.lattice()))
    fail("staggered operator: vectors and links are on different lattices");
  if ((in.parity() == out.parity()) != same_parity || in.count() != out.count())
    fail("staggered operator: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  if (in.count() > most_vectors) fail("staggered operator: {} vectors at once; at most {}", in.count(), most_vectors);
}

// The cost of the hops: links of one parity, `batches` sets of vectors like x, flops per site and vector.
template <class T, int W>
Kernel hop_cost(const char* name, const ColourVectorField<T, W>& x, int batches, double flops) {
  const double sites = double(x.lattice().local_parity_volume());
  const double bytes = sites * (96.0 * sizeof(stored_t<T>) + batches * x.count() * site_bytes<T>(6));
  return {name, bytes, sites * x.count() * flops, is_single<arithmetic_t<T>>};
}

// The hops of these links on `in`: f(sum).
template <class T, int W, class F>
void with_hops(const StaggeredLinks<T, W>& links, const HopTable<arithmetic_t<T>, W>& table,
               const ColourVectorField<T, W>& in, bool in_sums, const F& f) {
  // As many vectors side by side as fit in 16 bytes, so that the threads of a site read full lines.
  constexpr int batch = fields_side_by_side<W> && !is_fixed_point<T> ? int(8 / sizeof(stored_t<T>)) : 4;
  // A hop of several vectors takes as long as several hops of one vector.
  using Ahead = SteadyDistances<16, 12, 4>;
  const int parity = 1 - in.parity();
  const auto packed = links_of<T, W, 12, RoundedThirdRow>(links.data(), in.lattice(), parity, StaggeredHops::hops);
  const auto run = [&]<Takes takes>(const auto& vectors) {
    const auto with = [&](const auto& hops) {
      f(HopSum<StaggeredHops, std::remove_cvref_t<decltype(vectors)>, std::remove_cv_t<decltype(packed)>,
               std::remove_cvref_t<decltype(hops)>, Ahead, takes>{vectors, packed, hops, {}});
    };
    if (table.real())
      with(hops_of<Factors::real, StaggeredHops::hops>(table, parity));
    else
      with(hops_of<Factors::complex, StaggeredHops::hops>(table, parity));
  };
  with_vectors<batch, batch, Takes::all_vectors>(in, parity, true, in_sums, run);
}

// Stores m^2 psi - d and returns its product with psi.
template <class T, int W>
struct MassTerm {
  using A = arithmetic_t<T>;
  using S = lanes_t<A, W>;
  A mass2;
  ParityAccess<T, 6, W> from, to;

  // A GPU thread waits less if the psi of a site is loaded before the hops.
  template <bool One>
  TRELLIS_INLINE auto before([[maybe_unused]] int tile, [[maybe_unused]] int n) const {
    if constexpr (One && !fields_on_host)
      return from.vector(tile, n);
    else
      return Nothing{};
  }
  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int n, Nothing, const ColourVector<S>& d) const {
    return (*this)(tile, n, from.vector(tile, n), d);
  }
  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int n, const ColourVector<S>& psi,
                                               const ColourVector<S>& d) const {
    const ColourVector<S> result = fma(S(mass2), psi, S(A(-1)) * d);
    to.set_vector(tile, n, result);
    return real_dot(convert<double>(psi), convert<double>(result));
  }
};

}  // namespace

template <class T, int W>
StaggeredLinks<T, W>::StaggeredLinks(const Lattice& lattice)
    : lattice_(std::make_shared<const Lattice>(lattice)), packed_("packed links", lattice.places()) {
  if (lattice.lanes() != W) fail("packed links: {} lanes, their lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("packed links: their lattice is not in even/odd order");
}

template <class T, int W>
void StaggeredLinks<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& u) const {
  using S = lanes_t<arithmetic_t<T>, W>;
  if (!(u.lattice() == *lattice_)) fail("packed links: the gauge field is on another lattice");
  const auto links = u.access();
  const Access<stored_t<T>, 96, W> to{packed_.data()};
  const Kernel cost{"pack links", bytes_of(u) + double(packed_.size()) * sizeof(stored_t<T>)};
  for_each_tile(
      cost, *lattice_, TRELLIS_KERNEL(int tile) {
        for (int step = 0; step < 8; ++step) {
          const int mu = step % 4;
          const Matrix<S> v =
              step < 4 ? links.link(tile, mu) : adjoint(links.link(links.neighbours(tile, backward(mu)), mu));
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j) store_link_number<T, 12>(to.at(tile) + 12 * W * step, 3 * i + j, v.e[i][j]);
        }
      });
}

template <class T, int W>
void apply_hops(const StaggeredLinks<T, W>& links, const HopTable<arithmetic_t<T>, W>& coefficients,
                const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out, Stores stores) {
  require_matching(links, in, out, false);
  const bool streaming = passes_caches(stores, double(in.tiles()) * W * (96 + 12 * in.count()) * sizeof(stored_t<T>));
  const Kernel cost = hop_cost("staggered hops", in, 2, staggered_flops);
  with_hops(links, coefficients, in, false, [&](const auto& sum) {
    const auto to = vectors_of<1>(out);
    apply(cost, in.halo_parts(), in.lattice(), out.parity(), in.count(), sum, StoreSum<decltype(to)>{to, streaming});
  });
}

template <class T, int W>
StaggeredOperator<T, W>::StaggeredOperator(const StaggeredLinks<T, W>& links, const LinkPhases& phases, double mass)
    : links_(links), table_(links.lattice(), staggered_coefficient(phases, links.lattice().size())), mass_(mass) {
  if (!(mass >= 0)) fail_input("staggered operator: the mass is {}; it must not be negative", mass);
}

template <class T, int W>
StaggeredOperator<T, W> StaggeredOperator<T, W>::with_mass(double mass) const {
  if (!(mass >= 0)) fail_input("staggered operator: the mass is {}; it must not be negative", mass);
  StaggeredOperator other = *this;
  other.mass_ = mass;
  return other;
}

template <class T, int W>
void StaggeredOperator<T, W>::hop(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) const {
  apply_hops(links_, table_, in, out);
}

template <class T, int W>
std::vector<double> StaggeredOperator<T, W>::operator()(const ColourVectorField<T, W>& in,
                                                        const ColourVectorField<T, W>& out) const {
  const FieldSums products(in.count());
  (*this)(in, out, products);
  return products.values();
}

template <class T, int W>
void StaggeredOperator<T, W>::operator()(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out,
                                         const FieldSums& products) const {
  require_matching(links_, in, out, true);
  const ColourVectorField<T, W>& middle = work_(lattice(), 1 - in.parity(), in.count());
  hop(in, middle);
  const Kernel cost = hop_cost("staggered operator", in, 3, staggered_flops + 24);  // the second hop, m^2 and product
  const MassTerm<T, W> finish{arithmetic_t<T>(mass_ * mass_), in.access(), out.access()};
  with_hops(links_, table_, middle, true, [&](const auto& sum) {
    apply_and_sum(cost, middle.halo_parts(), lattice(), in.parity(), in.count(), sum, finish, products);
  });
}

#define TRELLIS_INSTANTIATE(T, W)                                                                  \
  template class StaggeredLinks<T, W>;                                                             \
  template class StaggeredOperator<T, W>;                                                          \
  template void apply_hops<T, W>(const StaggeredLinks<T, W>&, const HopTable<arithmetic_t<T>, W>&, \
                                 const ColourVectorField<T, W>&, const ColourVectorField<T, W>&, Stores);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
