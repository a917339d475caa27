// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns the choice of a body into types, for the lists of bodies in this folder.

#include "trellis/bench/study/variant_bodies.hpp"
#include "trellis/bench/study/variant_choices.hpp"
#include "trellis/core/simd/interleaved_complex.hpp"

namespace trellis::bench::study {

template <ComplexForm Form, class T, int W>
struct ComplexOf {
  using type = complex<lanes_t<T, W>>;
};
template <class T, int W>
struct ComplexOf<ComplexForm::interleaved, T, W> {
  using type = interleaved_complex<T, W>;
};
template <class T, BodyChoice Choice, int Parity, bool Adjoint>
struct WilsonBody {
  static constexpr bool broadcast = Choice.filling == Filling::right_hand_sides;
  static constexpr bool permutes = Choice.filling == Filling::virtual_nodes;
  static constexpr bool table = Choice.neighbours == NeighbourSource::table;
  using C = typename ComplexOf<Choice.complex, T, Choice.lanes>::type;
  using Layout = LayoutOf<Choice.layout>;
  using Spinors = stencil::PlainVectors<C, 4, 1, Layout>;
  using Links = stencil::PlainLinks<C, int(Choice.links), stencil::FusedThirdRow, Layout, broadcast>;
  using Table = stencil::TableHops<C, 8, stencil::Factors::marked, permutes, broadcast>;
  using Hops = std::conditional_t<table, Table, ComputedHops<C, Parity, permutes, broadcast>>;

  [[gnu::noinline]] static void run(const BodyArguments<T>& a, int tile) {
    Hops hops;
    static_cast<Table&>(hops) = {a.hops, a.exits, a.marks, a.numbers, a.factors, a.lanes, a.in_origin, 8 * a.tiles - 1};
    if constexpr (!table) hops.node = a.node;
    const Spinors in(a.in, a.tiles), out(a.out, a.tiles);
    using Sum = stencil::HopSum<WilsonHops<Adjoint>, Spinors, Links, Hops, PrefetchDistances, stencil::Takes::batches>;
    const Sum sum{in, Links(a.links, 8 * Index(a.tiles)), hops, a.ahead};
    // A loop of one iteration, for g++ 12: see WilsonTile.
    for (int once = 0; once < 1; ++once) {
      Spinor<C> total[1];
      sum(tile, 0, total);
      out.store(tile, 0, total[0], a.streaming);
    }
  }
};

// A table's pointers start at its parity, so both parities share a body.
template <class T, BodyChoice Choice>
CompiledBody<T> compiled_body() {
  using Traits = ComplexTraits<typename WilsonBody<T, Choice, 0, false>::C>;
  constexpr int odd = Choice.neighbours == NeighbourSource::table ? 0 : 1;
  return {Choice,
          {{WilsonBody<T, Choice, 0, false>::run, WilsonBody<T, Choice, 0, true>::run},
           {WilsonBody<T, Choice, odd, false>::run, WilsonBody<T, Choice, odd, true>::run}},
          Traits::place,
          Traits::table_width};
}

template <class T, BodyChoice... Choices>
void add(CompiledBodies<T>& to) {
  (to.push_back(compiled_body<T, Choices>()), ...);
}

template <class T, BodyChoice Base>
void add_full_and_two_rows(CompiledBodies<T>& to) {
  add<T, with(Base, LinkFormat::full), with(Base, LinkFormat::two_rows)>(to);
}
template <class T, BodyChoice Base>
void add_other_layouts(CompiledBodies<T>& to) {
  add<T, with(Base, SiteLayout::left), with(Base, SiteLayout::tiled)>(to);
}

// The study's comparison of layouts and forms of complex numbers, with 18-number links, and of link formats, where
// numbers fill one register. Two registers of interleaved numbers hold as many sites as two of split ones; one register
// holds half as many.
template <class T, Filling What>
void add_around_native_lanes(CompiledBodies<T>& to) {
  constexpr BodyChoice split{.filling = What, .lanes = simd<T, 64>::native};
  constexpr BodyChoice interleaved = with(split, ComplexForm::interleaved);
  constexpr BodyChoice two_rows = with(split, LinkFormat::two_rows);
  add<T, split, two_rows, with(split, LinkFormat::minimal), interleaved>(to);
  add_other_layouts<T, split>(to);
  if constexpr (is_single<T>) {
    add_other_layouts<T, two_rows>(to);
    add_other_layouts<T, interleaved>(to);
    add<T, with(interleaved, LinkFormat::two_rows)>(to);
    constexpr BodyChoice one_register{.filling = What, .lanes = split.lanes / 2, .complex = ComplexForm::interleaved};
    add<T, one_register>(to);
    add_other_layouts<T, one_register>(to);
  }
}

template <class T, Filling What, int... Lanes>
void add_other_lanes(CompiledBodies<T>& to) {
  const auto add_lanes = [&]<int W>() {
    constexpr BodyChoice split{.filling = What, .lanes = W};
    if constexpr (W != simd<T, 64>::native) add<T, with(split, LinkFormat::two_rows)>(to);
  };
  (add_lanes.template operator()<Lanes>(), ...);
}

}  // namespace trellis::bench::study
