// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sum over hops whose links and targets a thread keeps in its own memory (core/device/thread_memory.hpp), for kernels
// that compute it again and again. Only for one vector in full precision, where a thread has one lane; the same bits.

#include "trellis/core/device/thread_memory.hpp"
#include "trellis/dirac/stencil/hop_sum.hpp"
#include "trellis/dirac/stencil/links.hpp"

namespace trellis::dirac::stencil {

// Links of `Hops` hops. Complete: with the rows that they lack, computed once; more memory, and a quarter less to
// compute in each turn.
template <class Links, int Hops, bool Complete = false>
struct KeptLinks {
  using C = typename Links::Raw;
  static_assert(!Links::scaled && Links::parts == 1);
  static constexpr bool scaled = false;
  static constexpr int parts = 1, elements = 1;
  // Of a link, in whole lines of 16 bytes.
  static constexpr int stored = Complete ? 9 : Links::elements;
  static constexpr int numbers = int((stored * sizeof(C) + 15) / 16 * 16 / sizeof(C));
  static constexpr unsigned bytes = Hops * numbers * sizeof(C);
  using Raw = const C*;

  struct Numbers {
    static constexpr bool scaled = false;
    C e[numbers];
    TRELLIS_INLINE C element(int k) const { return e[k]; }
  };

  C* kept;

  TRELLIS_FUNCTION void keep(const Links& links, ThreadMemory& memory, int tile) {
    kept = memory.template take<C>(Hops * numbers);
    TRELLIS_DO_NOT_UNROLL
    for (int k = 0; k < Hops; ++k) {
      C raw[Links::elements];
      links.fetch(Hops * tile, k, raw);
      if constexpr (Complete) {
        const auto rows = links.from_raw(raw);
        const LinkRow<C> row[3] = {rows.template row<0>(), rows.template row<1>(), rows.template row<2>()};
        for (int i = 0; i < stored; ++i) kept[k * numbers + i] = row[i / 3].e[i % 3];
      } else {
        for (int i = 0; i < stored; ++i) kept[k * numbers + i] = raw[i];
      }
    }
  }
  TRELLIS_INLINE void fetch(int, int k, Raw (&raw)[1]) const { raw[0] = kept + k * numbers; }
  // Only now are the numbers loaded, which takes little time.
  TRELLIS_INLINE auto from_raw(const Raw (&raw)[1]) const {
    Numbers own;
    load_line(raw[0], own.e);
    if constexpr (Complete)
      return LinkRows<C, 18, FusedThirdRow, Numbers>{own};
    else
      return Links::rows_from(own);
  }
};

template <int Hops, class First, class Second>
struct KeptLinks<TwoStorages<Hops, First, Second>, 2 * Hops, false> {
  using Near = KeptLinks<First, Hops>;
  using Far = KeptLinks<Second, Hops>;
  using Raw = typename Near::Raw;
  static constexpr bool scaled = false;
  static constexpr int parts = 2, elements = 1;
  static constexpr unsigned bytes = Near::bytes + Far::bytes;

  Near near;
  Far far;

  TRELLIS_FUNCTION void keep(const TwoStorages<Hops, First, Second>& links, ThreadMemory& memory, int tile) {
    near.keep(links.near, memory, tile);
    far.keep(links.far, memory, tile);
  }
  template <int Part>
  TRELLIS_INLINE void fetch(int, int k, Raw (&raw)[1]) const {
    if constexpr (Part == 0)
      near.fetch(0, k, raw);
    else
      far.fetch(0, k - Hops, raw);
  }
  template <int Part>
  TRELLIS_INLINE auto from_raw(const Raw (&raw)[1]) const {
    if constexpr (Part == 0)
      return near.from_raw(raw);
    else
      return far.from_raw(raw);
  }
};

// Where hops lead, and their factors, which all have.
template <class Hops>
struct KeptHops {
  using Factor = typename Hops::Factor;
  static constexpr int count = Hops::count;
  static constexpr Factors factors_are = Hops::factors_are;
  static constexpr bool permutes = Hops::permutes;
  static_assert(factors_are != Factors::marked);
  static constexpr unsigned bytes = count * (sizeof(Factor) + sizeof(std::int32_t));

  Factor* factors;
  std::int32_t* places;  // a tile, and in the low 8 bits how many lanes away

  TRELLIS_FUNCTION void keep(const Hops& hops, ThreadMemory& memory, int tile) {
    factors = memory.template take<Factor>(count);
    places = memory.template take<std::int32_t>(count);
    TRELLIS_DO_NOT_UNROLL
    for (int k = 0; k < count; ++k) {
      const Hop to = hops(tile, k);
      factors[k] = hops.factor(tile, k);
      places[k] = to.tile << 8 | (hops.displacement(to.shift) & 0xff);
    }
  }
  TRELLIS_INLINE unsigned marked(int) const { return 0; }
  struct Targets {
    Factor factors[count];
    std::int32_t places[count];
    TRELLIS_INLINE int tile(int k) const { return places[k] >> 8; }
    TRELLIS_INLINE int displacement(int k) const { return static_cast<std::int8_t>(places[k] & 0xff); }
    TRELLIS_INLINE const Factor& factor(int k) const { return factors[k]; }
  };
  TRELLIS_INLINE Targets targets(int) const {
    Targets targets;
    load_line(factors, targets.factors);
    load_line(places, targets.places);
    return targets;
  }
};

// The sum, which is kept if there is room.
template <class Sum>
class MayBeKept;
template <class Operator, class Vectors, class Links, class Hops, class Ahead, int StagesAhead>
class MayBeKept<HopSum<Operator, Vectors, Links, Hops, Ahead, Takes::one_vector, StagesAhead>> {
 public:
  // All vectors are loaded before the first is used.
  static constexpr int stages_ahead = Hops::count < 8 ? Hops::count - 1 : 7;
  using Sum = HopSum<Operator, Vectors, Links, Hops, Ahead, Takes::one_vector, StagesAhead>;
  using Kept =
      HopSum<Operator, Vectors, KeptLinks<Links, Hops::count>, KeptHops<Hops>, Ahead, Takes::one_vector, stages_ahead>;
  using Site = typename Sum::Site;
  static constexpr int lanes = ComplexTraits<typename Vectors::complex_type>::width;
  static_assert(lanes < 128, "lane displacements have eight bits");
  static constexpr unsigned bytes = KeptLinks<Links, Hops::count>::bytes + KeptHops<Hops>::bytes;

  explicit MayBeKept(const Sum& sum) : sum_(sum), kept_{sum.in, {}, {}, sum.ahead} {}

  TRELLIS_FUNCTION void keep(ThreadMemory& memory, int tile) {
    keeps_ = memory.has(bytes);
    if (!keeps_) return;
    kept_.links.keep(sum_.links, memory, tile);
    kept_.hops.keep(sum_.hops, memory, tile);
    backend::hold_loads();  // otherwise the compiler remembers what was stored, for which there are no registers
  }
  TRELLIS_INLINE Site operator()(int tile) const {
    Site total[1];
    if (keeps_)
      kept_(tile, 0, total);
    else
      sum_(tile, 0, total);
    return total[0];
  }

 private:
  Sum sum_;
  Kept kept_;
  bool keeps_ = false;
};

// The sum with complete matrices, for a launch that has room for them. Only for links that lack a row.
template <class Sum>
class KeptWithMatrices;
template <class Operator, class Vectors, class Links, class Hops, class Ahead, int StagesAhead>
class KeptWithMatrices<HopSum<Operator, Vectors, Links, Hops, Ahead, Takes::one_vector, StagesAhead>> {
 public:
  using Sum = HopSum<Operator, Vectors, Links, Hops, Ahead, Takes::one_vector, StagesAhead>;
  using Matrices = KeptLinks<Links, Hops::count, true>;
  using Kept = HopSum<Operator, Vectors, Matrices, KeptHops<Hops>, Ahead, Takes::one_vector, Hops::count - 1>;
  using Site = typename Sum::Site;
  static constexpr unsigned bytes = Matrices::bytes + KeptHops<Hops>::bytes;

  explicit KeptWithMatrices(const Sum& sum) : links_(sum.links), hops_(sum.hops), kept_{sum.in, {}, {}, sum.ahead} {}

  TRELLIS_FUNCTION void keep(ThreadMemory& memory, int tile) {
    if (!memory.has(bytes)) backend::stop_kernel();
    kept_.links.keep(links_, memory, tile);
    kept_.hops.keep(hops_, memory, tile);
    backend::hold_loads();
  }
  TRELLIS_INLINE Site operator()(int tile) const {
    Site total[1];
    kept_(tile, 0, total);
    return total[0];
  }

 private:
  Links links_;
  Hops hops_;
  Kept kept_;
};

}  // namespace trellis::dirac::stencil
