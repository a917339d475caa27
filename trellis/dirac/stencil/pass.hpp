// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sum over hops on all sites of a parity, and what is done with the result while it is in registers:
//   apply(cost, halo, lattice, parity, count, sum, finish)
//   apply_and_sum(cost, halo, lattice, parity, count, sum, finish, to)      sums finish's numbers for each vector
// sum: a HopSum, or a type with the same members. Finish:
//   before<one>(tile, n) -> Early        called before the hops, to start loads early; `one`: one vector per site
//   finish(tile, n, early, total)        stores the result; in sums also returns a number for each lane
//   together(tile, n, totals)            optional: finishes several vectors at once
//   memory(tile)                         optional: where all vectors of a tile may be stored unchanged, or null

#include "trellis/dirac/stencil/hop_sum.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac::stencil {

template <class Sum, class Finish, bool InSums>
struct Pass {
  using C = typename Sum::C;
  using Site = typename Sum::Site;
  using D = lanes_t<double, ComplexTraits<C>::width>;
  static constexpr int at_once = Sum::at_once;
  static constexpr bool one = Sum::takes == Takes::one_vector, all = Sum::takes == Takes::all_vectors;
  enum : int { least_blocks = Sum::least_blocks(InSums) };  // nvcc does not see uses of a static member
  Sum sum;
  Finish finish;

  // One vector.
  TRELLIS_INLINE void operator()(int tile) const
    requires(one && !InSums)
  {
    finish_one(tile);
  }
  TRELLIS_INLINE D operator()(int tile, int) const
    requires(one && InSums)
  {
    return finish_one(tile);
  }
  // Vectors first .. last - 1: all of them on a host, those of one thread on a GPU.
  TRELLIS_INLINE void operator()(int tile, int first, int last) const
    requires(!one && !InSums)
  {
    if constexpr (all && requires { finish.memory(tile); })
      if (auto* const memory = finish.memory(tile)) return sum.all_vectors(tile, memory);
    each(tile, first, last, [&](int n, const auto& early, Site& total) { finish(tile, n, early, total); });
  }
  TRELLIS_INLINE void operator()(int tile, int first, int last, ExactAccumulator<D>* sums) const
    requires(!one && InSums)
  {
    each(tile, first, last,
         [&](int n, const auto& early, Site& total) { sums[n - first].add(finish(tile, n, early, total)); });
  }

 private:
  TRELLIS_INLINE auto finish_one(int tile) const {
    Site total[1];
    const auto early = finish.template before<true>(tile, 0);
    sum(tile, 0, total);
    return finish(tile, 0, early, total[0]);
  }
  template <class Take>
  TRELLIS_INLINE void each(int tile, int first, int last, const Take& take) const {
    if constexpr (all) {
      constexpr int numbers = Sum::components * 2 * ComplexTraits<C>::width;
      alignas(64) typename Sum::Scalar room[maximum_sums * numbers];
      sum.all_vectors(tile, room);
      for (int n = first; n < last; ++n) {
        Site total;
        for (int i = 0; i < Sum::components; ++i) total.e[i] = load_complex<typename Sum::Real>(room + n * numbers, i);
        take(n, finish.template before<false>(tile, n), total);
      }
    } else {
      for (int n = first; n < last; n += at_once) {
        Site totals[at_once];
        const auto early = finish.template before<false>(tile, n);
        sum(tile, n, totals);
        if constexpr (Sum::whole_batches && !InSums && requires { finish.together(tile, n, totals); })
          finish.together(tile, n, totals);
        else
          for (int v = 0; v < at_once; ++v)
            if (Sum::whole_batches || n + v < last) take(n + v, early, totals[v]);
        if constexpr (!fields_on_host) break;  // a thread has all its vectors in registers
      }
    }
  }
};

template <class Sum, class Finish>
void apply(const Kernel& cost, std::span<const HaloPart> halo, const Lattice& lattice, int parity, int count,
           const Sum& sum, const Finish& finish) {
  const Pass<Sum, Finish, false> pass{sum, finish};
  if constexpr (Sum::takes == Takes::one_vector)
    for_each_half_tile_of_stencil(cost, halo, lattice, parity, pass, Sum::pattern);
  else
    for_each_batch_of_stencil<Sum::at_once>(cost, halo, lattice, parity, count, pass, Sum::pattern);
}
template <class Sum, class Finish>
void apply_and_sum(const Kernel& cost, std::span<const HaloPart> halo, const Lattice& lattice, int parity, int count,
                   const Sum& sum, const Finish& finish, const FieldSums& to) {
  using Pass = stencil::Pass<Sum, Finish, true>;
  if constexpr (Sum::takes == Takes::one_vector)
    sum_over_vectors_of_stencil<typename Pass::D>(cost, halo, lattice, parity, 1, Pass{sum, finish}, to, Sum::pattern);
  else
    sum_over_batches_of_stencil<typename Pass::D, Sum::at_once>(cost, halo, lattice, parity, count, Pass{sum, finish},
                                                                to, Sum::pattern);
}

}  // namespace trellis::dirac::stencil
