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

// Throws Error unless these hops can lead from `in` to `out`, or two of them back to its parity.
template <class T, int W, class L>
void require_matching(const StaggeredLinks<L, W>& links, const ColourVectorField<T, W>& in,
                      const ColourVectorField<T, W>& out, bool same_parity) {
  if (!(in.lattice() == links.lattice()) || !(out.lattice() == links.lattice()))
    fail("staggered operator: vectors and links are on different lattices");
  if ((in.parity() == out.parity()) != same_parity || in.count() != out.count())
    fail("staggered operator: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  if (in.count() > maximum_sums) fail("staggered operator: {} vectors at once; at most {}", in.count(), maximum_sums);
}

// How the links of a kind are read.
struct Su3Links {
  using Hops = StaggeredHops;
  static constexpr int numbers = 8 * 12;  // of a site
  template <class L, int W>
  static auto read(const StaggeredLinks<L, W>& links, int parity) {
    return links_of<L, W, 12, RoundedThirdRow>(links.data(), links.lattice(), parity, 8);
  }
};
struct FatLinks {
  using Hops = StaggeredHops;
  static constexpr int numbers = 8 * 18;
  template <class L, int W>
  static auto read(const StaggeredLinks<L, W>& links, int parity) {
    auto fat = spaced_links_of<L, W, 18, 8>(links.data(), links.lattice(), parity, links.reals(), 0);
    if constexpr (is_fixed_point<L>) fat.links.unit = links.units().fat;
    return fat;
  }
};
struct FatAndLongLinks {
  using Hops = NaikHops;
  static constexpr int numbers = 8 * (18 + 14);
  template <class L, int W>
  static auto read(const StaggeredLinks<L, W>& links, int parity) {
    const auto fat = FatLinks::read(links, parity);
    auto far = spaced_links_of<L, W, 14, 8, RoundedThirdRow>(links.data(), links.lattice(), parity, links.reals(),
                                                             FatLinks::numbers);
    if constexpr (is_fixed_point<L>) {
      far.links.unit = links.units().three_steps;
      far.links.third_row_unit = links.units().third_row;
    }
    return TwoStorages<8, std::remove_cv_t<decltype(fat)>, std::remove_cv_t<decltype(far)>>{fat, far};
  }
};

// f.operator()<a type as above>() for these links with the coefficients of a table.
template <int W, class L, class Table, class F>
void with_kind(const StaggeredLinks<L, W>& links, const Table& table, const F& f) {
  const int hops = table.list().pattern().count;
  if (links.kind() == LinkKind::su3 && hops == StaggeredHops::hops) return f.template operator()<Su3Links>();
  if (hops == StaggeredHops::hops) return f.template operator()<FatLinks>();
  if (links.kind() == LinkKind::fat_and_long && table.list().pattern() == NaikHops::pattern)
    return f.template operator()<FatAndLongLinks>();
  fail("staggered operator: coefficients of {} hops, for links without long ones", hops);
}

// The cost of the hops: links of one parity, stored as L, `batches` sets of vectors like x, flops per site and vector
// besides those of the hops.
template <class Kind, class L, class T, int W>
Kernel hop_cost(const char* name, const ColourVectorField<T, W>& x, int batches, double flops) {
  const double sites = double(x.lattice().local_parity_volume());
  const double bytes = sites * (double(Kind::numbers) * sizeof(stored_t<L>) + batches * x.count() * site_bytes<T>(6));
  const double of_hops = Kind::Hops::hops == StaggeredHops::hops ? staggered_flops : naik_flops;
  return {name, bytes, sites * x.count() * (of_hops + flops), is_single<arithmetic_t<T>>};
}

// Of D psi, and of m^2 psi - D D psi with its product with psi, given D psi.
template <class Kind, class L, class T, int W>
Kernel first_hop_cost(const ColourVectorField<T, W>& psi) {
  return hop_cost<Kind, L>("staggered hops", psi, 2, 0);
}
template <class Kind, class L, class T, int W>
Kernel second_hop_cost(const ColourVectorField<T, W>& psi) {
  return hop_cost<Kind, L>("staggered operator", psi, 3, 24);
}

// How many vectors a GPU thread works on: as many vectors side by side as fit in 16 bytes, so that the threads of a
// site read full lines. A hop of several vectors takes as long as several hops of one vector.
template <class T, int W>
inline constexpr int hop_batch = fields_side_by_side<W> && !is_fixed_point<T> ? int(8 / sizeof(stored_t<T>)) : 4;

// The hops of these links on `in`, which `vectors` reads.
template <class Kind, Factors Are, Takes What, int StagesAhead = 1, class T, int W, class L, class Vectors>
auto hop_sum(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table,
             const ColourVectorField<T, W>& in, const Vectors& vectors) {
  const int parity = 1 - in.parity();
  const auto packed = Kind::read(links, parity);
  const auto hops = hops_of<Are, Kind::Hops::hops>(table, parity);
  return HopSum<typename Kind::Hops, Vectors, std::remove_cv_t<decltype(packed)>, std::remove_cv_t<decltype(hops)>,
                PrefetchDistances, What, StagesAhead>{vectors, packed, hops, links.settings().distances(in.count())};
}

// The same for the vectors and factors that they have: f(sum). Only SU(3) links of several vectors have real factors as
// a case of their own: others would take long to compile, and gain nothing.
template <class Kind, class T, int W, class L, class F>
void with_hops(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table,
               const ColourVectorField<T, W>& in, bool in_sums, const F& f) {
  constexpr int batch = hop_batch<T, W>;
  with_vectors<batch, batch, Takes::all_vectors>(
      in, 1 - in.parity(), true, in_sums,
      [&]<Takes takes>(const auto& vectors) {
        if constexpr (std::is_same_v<Kind, Su3Links> || takes == Takes::one_vector)
          if (table.real()) return f(hop_sum<Kind, Factors::real, takes>(links, table, in, vectors));
        f(hop_sum<Kind, Factors::complex, takes>(links, table, in, vectors));
      },
      Kind::Hops::pattern);
}

// m^2 psi - d, and its product with psi.
template <class S>
struct MassTermAndProduct {
  ColourVector<S> result;
  decltype(real_dot(convert<double>(ColourVector<S>()), convert<double>(ColourVector<S>()))) product;
};
template <class S>
TRELLIS_INLINE MassTermAndProduct<S> with_mass_term(scalar_t<S> mass2, const ColourVector<S>& psi,
                                                    const ColourVector<S>& d) {
  const ColourVector<S> result = fma(S(mass2), psi, S(scalar_t<S>(-1)) * d);
  return {result, real_dot(convert<double>(psi), convert<double>(result))};
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
    const auto [result, product] = with_mass_term(mass2, psi, d);
    to.set_vector(tile, n, result);
    return product;
  }
};

// out <- D in.
template <class Kind, class T, int W, class L>
void hop_once(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table,
              const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) {
  const double bytes =
      double(in.tiles()) * W * (double(Kind::numbers) * sizeof(stored_t<L>) + 12.0 * in.count() * sizeof(stored_t<T>));
  const bool streaming = passes_caches(links.settings().stores, bytes);
  Kernel cost = first_hop_cost<Kind, L>(in);
  cost.block_threads = links.settings().block_threads;
  with_hops<Kind>(links, table, in, false, [&](const auto& sum) {
    const auto to = vectors_of<1>(out);
    apply(cost, in.halo_parts(), in.lattice(), out.parity(), in.count(), sum, StoreSum<decltype(to)>{to, streaming});
  });
}

// out <- mass2 in - D middle, and <in, out> in `products`.
template <class Kind, class T, int W, class L>
void hop_back(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& table, double mass2,
              const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& middle,
              const ColourVectorField<T, W>& out, const FieldSums& products) {
  Kernel cost = second_hop_cost<Kind, L>(in);
  cost.block_threads = links.settings().block_threads;
  const MassTerm<T, W> finish{arithmetic_t<T>(mass2), in.access(), out.access()};
  with_hops<Kind>(links, table, middle, true, [&](const auto& sum) {
    apply_and_sum(cost, middle.halo_parts(), in.lattice(), in.parity(), in.count(), sum, finish, products);
  });
}

// Passes with links of other kinds than SU(3) are compiled in files of their own (staggered_naik*.cpp). instantiate:
// `template`, or `extern template`.
#define TRELLIS_PASSES_OF_KIND(instantiate, Kind, T, W, L)                                                           \
  instantiate void hop_once<Kind, T, W, L>(const StaggeredLinks<L, W>&, const HopTable<arithmetic_t<T>, W>&,         \
                                           const ColourVectorField<T, W>&, const ColourVectorField<T, W>&);          \
  instantiate void hop_back<Kind, T, W, L>(const StaggeredLinks<L, W>&, const HopTable<arithmetic_t<T>, W>&, double, \
                                           const ColourVectorField<T, W>&, const ColourVectorField<T, W>&,           \
                                           const ColourVectorField<T, W>&, const FieldSums&);
#define TRELLIS_PASSES_WITH_FAT_LINKS(instantiate, T, W, L) \
  TRELLIS_PASSES_OF_KIND(instantiate, FatLinks, T, W, L)    \
  TRELLIS_PASSES_OF_KIND(instantiate, FatAndLongLinks, T, W, L)

}  // namespace trellis::dirac::staggered_passes
