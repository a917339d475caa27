// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The passes over a lattice that the staggered operator consists of, as functors: the hops of D, and the end of
// m^2 - D D.

#include <type_traits>

#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_hops.hpp"
#include "trellis/dirac/stencil/finish.hpp"
#include "trellis/dirac/stencil/pass.hpp"
#include "trellis/dirac/stencil/select.hpp"

namespace trellis::dirac::staggered_passes {

using namespace stencil;

// The cost of the hops: links of one parity, stored as L, `batches` sets of vectors like x, flops per site and vector.
template <class L, class T, int W>
Kernel hop_cost(const char* name, const ColourVectorField<T, W>& x, int batches, double flops) {
  const double sites = double(x.lattice().local_parity_volume());
  const double bytes = sites * (96.0 * sizeof(stored_t<L>) + batches * x.count() * site_bytes<T>(6));
  return {name, bytes, sites * x.count() * flops, is_single<arithmetic_t<T>>};
}

// Of D psi, and of m^2 psi - D D psi with its product with psi, given D psi.
template <class L, class T, int W>
Kernel first_hop_cost(const ColourVectorField<T, W>& psi) {
  return hop_cost<L>("staggered hops", psi, 2, staggered_flops);
}
template <class L, class T, int W>
Kernel second_hop_cost(const ColourVectorField<T, W>& psi) {
  return hop_cost<L>("staggered operator", psi, 3, staggered_flops + 24);
}

// How many vectors a GPU thread works on: as many vectors side by side as fit in 16 bytes, so that the threads of a
// site read full lines. A hop of several vectors takes as long as several hops of one vector.
template <class T, int W>
inline constexpr int hop_batch = fields_side_by_side<W> && !is_fixed_point<T> ? int(8 / sizeof(stored_t<T>)) : 4;

// The hops of these links on `in`, which `vectors` reads.
template <Factors Are, Takes What, int StagesAhead = 1, class T, int W, class L, class Vectors>
auto hop_sum(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table,
             const ColourVectorField<T, W>& in, const Vectors& vectors) {
  using Ahead = SteadyDistances<16, 6, 4>;
  const int parity = 1 - in.parity();
  const auto packed = links_of<L, W, 12, RoundedThirdRow>(links.data(), in.lattice(), parity, StaggeredHops::hops);
  const auto hops = hops_of<Are, StaggeredHops::hops>(table, parity);
  return HopSum<StaggeredHops, Vectors, std::remove_cv_t<decltype(packed)>, std::remove_cv_t<decltype(hops)>, Ahead,
                What, StagesAhead>{vectors, packed, hops, {}};
}

// The same for the vectors and factors that they have: f(sum).
template <class T, int W, class L, class F>
void with_hops(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table,
               const ColourVectorField<T, W>& in, bool in_sums, const F& f) {
  constexpr int batch = hop_batch<T, W>;
  with_vectors<batch, batch, Takes::all_vectors>(in, 1 - in.parity(), true, in_sums,
                                                 [&]<Takes takes>(const auto& vectors) {
                                                   if (table.real())
                                                     f(hop_sum<Factors::real, takes>(links, table, in, vectors));
                                                   else
                                                     f(hop_sum<Factors::complex, takes>(links, table, in, vectors));
                                                 });
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

}  // namespace trellis::dirac::staggered_passes
