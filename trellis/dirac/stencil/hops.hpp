// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the hops of a tile lead and their factors, from the tables of a lattice and a HopTable. Tiles are numbered from
// the first one of the parity written to, targets from the first one of the parity read.

#include "trellis/core/complex.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::dirac::stencil {

// Most hops have the factor 1 and the marked ones another, or all have a factor, real or complex.
enum class Factors { marked, real, complex };

// Count hops per tile. C: the numbers of a register; Broadcast: a factor is the same for all lanes.
template <class C, int Count, Factors What, bool Permutes = (ComplexTraits<C>::width > 1), bool Broadcast = false>
struct TableHops {
  using Traits = ComplexTraits<C>;
  using Real = typename Traits::real;
  using T = typename Traits::scalar;
  using Factor = std::conditional_t<What == Factors::real, Real, C>;
  static constexpr int count = Count;
  static constexpr Factors factors_are = What;
  static constexpr bool permutes = Permutes;
  static constexpr int reals = Broadcast ? 2 : 2 * Traits::width;

  const Hop* hops;              // [tile][hop] of the tiles written to
  const std::uint8_t* exits;    // [tile]: hops that lead out of the column
  const std::uint8_t* marks;    // [tile]: hops that have a factor, if not all do
  const std::int32_t* numbers;  // [tile][hop]: which factor
  const T* factors;             // [number][reals]
  const std::int32_t* lanes;    // [shift][Traits::table_width]
  int in_origin;                // first tile read from
  int last;                     // hop
  int high_bits = 0;            // of lane numbers, where each thread has one lane

  TRELLIS_INLINE Hop operator()(int tile, int k) const {
    const Hop to = hops[Count * tile + k];
    return {to.tile - in_origin, to.shift};
  }
  // Where all hops of a tile lead, and their factors if all have one, for a thread with one lane.
  struct Targets {
    const TableHops& table;
    Hop to[Count];
    std::int32_t number[Count];

    TRELLIS_INLINE int tile(int k) const { return to[k].tile - table.in_origin; }
    TRELLIS_INLINE int displacement(int k) const { return table.displacement(to[k].shift); }
    TRELLIS_INLINE Factor factor(int k) const { return table.factor_of(number[k]); }
  };
  TRELLIS_INLINE Targets targets(int tile) const {
    Targets targets{*this, {}, {}};
    load_line(hops + Count * tile, targets.to);
    if constexpr (What != Factors::marked) load_line(numbers + Count * tile, targets.number);
    return targets;
  }
  // The target tile of hop Count * tile + k; past the end, that of the last hop.
  TRELLIS_INLINE int target(int hop) const { return hops[hop < last ? hop : last].tile - in_origin; }
  // True if the vectors there have not been read yet in this pass; false for tiles past the last one.
  TRELLIS_INLINE bool is_new(int tile, int k) const {
    return Count * tile <= last && (k == 3 || (exits[tile] >> k & 1) != 0);
  }
  TRELLIS_INLINE unsigned marked(int tile) const {
    if constexpr (What == Factors::marked)
      return marks[tile];
    else
      return 0;
  }
  TRELLIS_INLINE Factor factor(int tile, int k) const { return factor_of(numbers[Count * tile + k]); }
  TRELLIS_INLINE Factor factor_of(std::int32_t number) const {
    const T* const p = factors + Index(number) * reals;
    if constexpr (What == Factors::real)
      return load_part<Real>(p, 0);
    else if constexpr (Broadcast)
      return Traits::broadcast(p);
    else
      return Traits::load(p);
  }
  TRELLIS_INLINE const std::int32_t* permutation(int shift) const { return lanes + shift * Traits::table_width; }
  // How many lanes away a hop reads its numbers, where each thread has one lane.
  TRELLIS_INLINE int displacement(int shift) const { return lane_displacement<Real>(high_bits, shift); }
};

}  // namespace trellis::dirac::stencil
