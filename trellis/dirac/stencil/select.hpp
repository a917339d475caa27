// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses the types that suit given fields and tables.

#include "trellis/dirac/stencil/hop_sum.hpp"
#include "trellis/dirac/stencil/hop_table.hpp"
#include "trellis/dirac/stencil/links.hpp"
#include "trellis/dirac/stencil/vectors.hpp"

namespace trellis::dirac::stencil {

// Calls f.template operator()<takes>(vectors), where `vectors` reads this field for tiles of out_parity. in_sums: the
// kernel sums over vectors. Batch: how many vectors a GPU thread holds in registers; SharedBatch: the same where it
// shares links with others, if `may_share`.
template <int Batch, int SharedBatch, Takes OfSeveralOnHost, class T, int Reals, int W, class F>
auto with_vectors(const ParityField<T, Reals, W>& in, [[maybe_unused]] int out_parity, [[maybe_unused]] bool may_share,
                  [[maybe_unused]] bool in_sums, const F& f,
                  [[maybe_unused]] const HopPattern& pattern = nearest_neighbours) {
  if constexpr (OfSeveralOnHost == Takes::all_vectors || Batch > 1)
    if (in.count() == 1) return f.template operator()<Takes::one_vector>(vectors_of<1>(in));
  if constexpr (fields_on_host && !fields_side_by_side<W>) {
    return f.template operator()<OfSeveralOnHost>(vectors_of<1>(in));
  } else {
    if constexpr (fields_side_by_side<W>)
      if (may_share && in.count() % SharedBatch == 0 &&
          links_are_shared(in.lattice(), pattern, out_parity, in.count() / SharedBatch, in_sums))
        return f.template operator()<Takes::batches>(NeighbourVectors<T, Reals / 6, SharedBatch, true>(in.access()));
    return f.template operator()<Takes::batches>(vectors_of<Batch>(in));
  }
}

// A reader of packed links for the sites of a parity; `count` hops per tile.
template <class T, int W, int Reals, class ThirdRow = FusedThirdRow>
auto links_of(const stored_t<T>* packed, const Lattice& lattice, int out_parity, int count) {
  const auto* const first = packed + std::int64_t(lattice.first_tile(out_parity)) * count * Reals * W;
  if constexpr (is_fixed_point<T>)
    return FixedLinks<W, Reals, ThirdRow>{first};
  else
    return PlainLinks<complex<lanes_t<T, W>>, Reals, ThirdRow>(first, count * Index(lattice.tiles() / 2));
}

// The same where a tile has `reals` numbers in each lane, and these links begin at number `begin` of them.
template <class T, int W, int Reals, int Hops, class ThirdRow = FusedThirdRow>
auto spaced_links_of(const stored_t<T>* packed, const Lattice& lattice, int out_parity, int reals, int begin) {
  const auto* const first = packed + (std::int64_t(lattice.first_tile(out_parity)) * reals + begin) * W;
  const Index skip = Index(reals - Hops * Reals) * W;
  if constexpr (is_fixed_point<T>) {
    return SpacedLinks<Hops, FixedLinks<W, Reals, ThirdRow>>{{first}, skip};
  } else {
    using Links = PlainLinks<complex<lanes_t<T, W>>, Reals, ThirdRow>;
    return SpacedLinks<Hops, Links>{Links(first, Hops * Index(lattice.tiles() / 2)), skip};
  }
}

// The hops of a table from the tiles of out_parity. marks: [tile of the lattice], needed if not all hops have factors.
template <Factors What, int Count, class T, int W>
auto hops_of(const HopTable<T, W>& table, int out_parity, const std::uint8_t* marks = nullptr) {
  const Lattice& lattice = table.list().lattice();
  const auto neighbours = table.list().template hops<Count>();
  const std::int64_t first = lattice.first_tile(out_parity);
  TableHops<complex<lanes_t<T, W>>, Count, What> hops;
  hops.hops = neighbours.hops + Count * first;
  hops.exits = lattice.neighbours().exits + first;
  hops.marks = marks == nullptr ? nullptr : marks + first;
  hops.numbers = table.numbers() + Count * first;
  hops.factors = table.values();
  hops.lanes = neighbours.lanes;
  hops.in_origin = lattice.first_tile(parity_after(table.list().pattern(), out_parity));
  hops.last = Count * (lattice.tiles() / 2) - 1;
  hops.high_bits = neighbours.high_bits;
  return hops;
}

}  // namespace trellis::dirac::stencil
