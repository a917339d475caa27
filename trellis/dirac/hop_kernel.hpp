// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sum over a tile's eight hops, sum_k c_k V_k psi_k, on registers. One vector keeps its sum in registers; with
// several, a matrix (times c) stays in registers while it passes over all of them, and the sums are in the first
// level of cache, or a few of them, known to the compiler, in registers too. Of 16-bit integers the unit of links waits
// with a vector's scale.

#include "trellis/dirac/shared_links.hpp"
#include "trellis/dirac/staggered.hpp"
#include "trellis/lattice/vector_place.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::dirac {

template <class T, int W, bool RealCoefficients>
struct HopKernel {
  using A = arithmetic_t<T>;
  using E = stored_t<T>;
  using S = lanes_t<A, W>;
  static constexpr bool fixed = is_fixed_point<T>;
  // A thread has a lane, or some of the vectors that lie side by side.
  static constexpr bool side_by_side = fields_side_by_side<W>;
  static constexpr bool by_threads = side_by_side || (simd_detail::is_own_lane<S> && W > 1);
  static constexpr bool in_batches = simd_detail::is_own_lane<S>;  // of vectors whose sums are in registers
  static constexpr bool permutes = W > 1 && !simd_detail::is_own_lane<S>;
  static constexpr int link_reals = 12 * W, vector_reals = 6 * W;
  // Hops ahead of which links and vectors are asked for. A hop of several vectors takes as long as several of one.
  static constexpr int link_distance = 16, vector_distance = 12, vector_distance_of_many = 4;

  const E* links;
  Neighbours neighbours;
  const std::int32_t* numbers;
  const A* values;
  ParityAccess<T, 6, W> in;
  int in_origin, out_origin;  // first tile of the parity that is read, and of the one that is written
  int last_hop;

  HopKernel(const StaggeredLinks<T, W>& packed, const HopTable<A, W>& table, const ColourVectorField<T, W>& from)
      : links(packed.data()),
        neighbours(packed.lattice().neighbours()),
        numbers(table.numbers()),
        values(table.values()),
        in(from.access()),
        in_origin(from.first_tile()),
        out_origin(from.lattice().first_tile(1 - from.parity())),
        last_hop(8 * (out_origin + from.tiles()) - 1) {}

  // For one vector a site; tile counts from out_origin.
  TRELLIS_INLINE ColourVector<S> sum(int tile) const {
    if constexpr (by_threads) {
      ColourVector<S> total[1];
      sum(tile, 0, total);
      return total[0];
    }
    ColourVector<S> total = ColourVector<S>::zero();
    const int first = 8 * (out_origin + tile);
    for (int hop = first; hop < first + 8; ++hop) {
      ask_for_links(hop + link_distance);
      ask_for_vector(neighbour_at(hop + vector_distance < last_hop ? hop + vector_distance : last_hop));
      if constexpr (RealCoefficients)
        total = multiply_add(link(hop), scaled(hop, neighbour(hop)), total);
      else  // the rounding of several vectors
        total = multiply_add(scaled(hop, link(hop)), neighbour(hop), total);
    }
    return total;
  }

  // For in.count vectors a site, into totals[vector][real][lane].
  TRELLIS_INLINE void sum(int tile, A* totals) const {
    const int first = 8 * (out_origin + tile);
    for (int k = 0; k < 8; ++k) {
      const int hop = first + k;
      ask_for_links(hop + link_distance);
      const Matrix<S> v = scaled(hop, link(hop));
      const E* next = neighbour_at(hop + vector_distance_of_many < last_hop ? hop + vector_distance_of_many : last_hop);
      if (k == 0)
        pass<true>(v, neighbours.hops[hop], next, totals);
      else
        pass<false>(v, neighbours.hops[hop], next, totals);
    }
  }

  // For vectors first .. first + N - 1 of those that lie side by side, in whole batches of N whose threads share
  // links.
  template <int N>
  TRELLIS_INLINE void sum_with_shared_links(int tile, int first_vector, ColourVector<S> (&totals)[N]) const {
    using Shared = SharedLinks<complex<S>>;
    Hop to[8];
    load_line(neighbours.hops + 8 * std::int64_t(out_origin + tile), to);
    typename Shared::Room own;
    const int batches = in.count / N;
    Raw pairs[3][N];
    fetch_pairs(to[0], first_vector, pairs);
    const complex<S>* shared = Shared::fill(tile, first_vector / N, batches, 0, TimesCoefficient{*this}, own);
    TRELLIS_UNROLL
    for (int k = 0; k < 8; ++k) {
      if (k > 0) fetch_pairs(to[k], first_vector, pairs);
      if (k == 4 && Shared::in_halves(batches))
        shared = Shared::fill(tile, first_vector / N, batches, 4, TimesCoefficient{*this}, own);
      Matrix<S> v;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) v.e[i][j] = shared[9 * k + 3 * i + j];
      TRELLIS_UNROLL
      for (int n = 0; n < N; ++n) {
        ColourVector<S> psi;
        for (int i = 0; i < 3; ++i) psi.e[i] = number(pairs[i][n]);
        if constexpr (fixed) psi = scale(to[k], first_vector + n) * psi;
        totals[n] = k == 0 ? v * psi : multiply_add(v, psi, totals[n]);
      }
    }
  }

  // For vectors first .. first + N - 1 of a site, where a thread has one lane; those past the last one are the last
  // once more. Numbers of the next hop are on their way while one is worked on.
  template <int N>
  TRELLIS_INLINE void sum(int tile, int first_vector, ColourVector<S> (&totals)[N]) const {
    Hop to[8];
    std::int32_t which[8];
    load_line(neighbours.hops + 8 * std::int64_t(out_origin + tile), to);
    load_line(numbers + 8 * std::int64_t(out_origin + tile), which);
    const E* const u = links + 8 * std::int64_t(out_origin + tile) * link_reals;
    Stage<N> now = fetch<N>(u, to[0], which[0], first_vector);
    TRELLIS_UNROLL
    for (int k = 0; k < 8; ++k) {
      const int following = k < 7 ? k + 1 : 7;
      const Stage<N> next =
          k < 7 ? fetch<N>(u + following * link_reals, to[following], which[following], first_vector) : now;
      Matrix<S> v;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) v.e[i][j] = number(now.link[3 * i + j]);
      complete(v);
      if constexpr (N > 1 || !RealCoefficients) v = now.coefficient * v;
      TRELLIS_UNROLL
      for (int n = 0; n < N; ++n) {
        ColourVector<S> psi;
        for (int i = 0; i < 3; ++i) psi.e[i] = number(now.vectors[n][i]);
        if constexpr (fixed) psi = now.scales[n] * psi;
        if constexpr (N == 1 && RealCoefficients) psi = now.coefficient * psi;
        totals[n] = k == 0 ? v * psi : multiply_add(v, psi, totals[n]);
      }
      now = next;
    }
  }

 private:
  // Numbers as they are in memory.
  using Raw = std::conditional_t<fixed, Int16Pair, complex<S>>;
  template <int N>
  TRELLIS_INLINE void fetch_pairs(Hop to, int first_vector, Raw (&pairs)[3][N]) const {
    const auto from = in.at(to.tile - in_origin, first_vector);
    for (int i = 0; i < 3; ++i) load_neighbours<true>(from, i, pairs[i]);
  }
  // The matrix of a hop times its coefficient.
  struct TimesCoefficient {
    const HopKernel& kernel;
    TRELLIS_INLINE void operator()(int tile, int k, complex<S> (&e)[9]) const {
      const int hop = 8 * (kernel.out_origin + tile) + k;
      const Matrix<S> v = kernel.scaled(hop, kernel.link(hop));
      for (int n = 0; n < 9; ++n) e[n] = v.e[n / 3][n % 3];
    }
  };
  using Coefficient = std::conditional_t<RealCoefficients, S, complex<S>>;
  template <int N>
  struct Stage {
    Raw link[6];
    Raw vectors[N][3];
    S scales[fixed ? N : 1];  // times the unit of links
    Coefficient coefficient;
  };
  template <int N>
  TRELLIS_INLINE Stage<N> fetch(const E* u, Hop to, std::int32_t which, int first_vector) const {
    Stage<N> stage;
    if constexpr (fixed && !side_by_side) {
      // Products of 32 bits, since instructions are what counts here.
      const int own = simd_detail::own_place<S>() / lane_group;
      const Index lane = unsigned(own + neighbours.template displacement<S>(to.shift));
      TRELLIS_UNROLL
      for (int n = 0; n < N; ++n) {
        const int vector = N == 1 || first_vector + n < in.count ? first_vector + n : in.count - 1;
        const Index place = unsigned((to.tile - in_origin) * in.count + vector);
        load_int16_pairs<6, W>(in.data + place * vector_reals + lane * lane_group, stage.vectors[n]);
        stage.scales[n] = S(fixed_link_unit) * S((in.scales + place * W)[lane]);
      }
      load_int16_pairs_once<12, W>(u + Index(own) * int16_group<12>, stage.link);
    } else {
      TRELLIS_UNROLL
      for (int n = 0; n < N; ++n) {
        const int vector = first_vector + n < in.count ? first_vector + n : in.count - 1;
        const auto from = neighbour_at(to, vector);
        for (int i = 0; i < 3; ++i) stage.vectors[n][i] = raw(from, i);
        if constexpr (fixed) stage.scales[n] = scale(to, vector);
      }
      if constexpr (fixed)
        load_int16_pairs_once<12, W>(u, stage.link);
      else
        for (int k = 0; k < 6; ++k) stage.link[k] = ComplexTraits<complex<S>>::load_once(u + 2 * k * W);
    }
    const A* const c = values + std::int64_t(which) * (2 * W);
    if constexpr (RealCoefficients)
      stage.coefficient = load_part<S>(c, 0);
    else
      stage.coefficient = load_complex<S>(c, 0);
    return stage;
  }
  template <bool First>
  TRELLIS_INLINE void pass(const Matrix<S>& v, Hop to, const E* next, A* totals) const {
    for (int n = 0; n < in.count; ++n) {
      ask_for_vector(next + n * vector_reals);
      A* total = totals + n * vector_reals;
      ColourVector<S> psi = vector(to, n);
      if (to.shift != 0) [[unlikely]]
        psi = permuted(psi, to.shift);
      if constexpr (First)
        store(total, v * psi);
      else
        store(total, multiply_add(v, psi, ParityAccess<A, 6, W>::load_vector(total)));
    }
  }
  // Complex number k of a vector as it is in memory, and as what it is.
  template <class Place>
  TRELLIS_INLINE static Raw raw(const Place& p, int k) {
    if constexpr (fixed)
      return load_raw_int16<W>(p.pair(k));
    else
      return load_complex<S>(p, k);
  }
  TRELLIS_INLINE static complex<S> number(const Raw& raw) {
    if constexpr (fixed)
      return raw.template numbers<complex<S>>();
    else
      return raw;
  }
  // Of a 16-bit vector where a hop leads, times the unit of links.
  TRELLIS_INLINE S scale(Hop to, int n) const {
    const float* p = in.scale_at(to.tile - in_origin, n) + neighbours.template displacement<S>(to.shift);
    return S(fixed_link_unit) * load_lanes<S>(p);
  }
  // Vector n where the hop leads.
  TRELLIS_INLINE ColourVector<S> vector(Hop to, int n) const {
    const auto from = neighbour_at(to, n);
    if constexpr (fixed) {
      ColourVector<S> v;
      for (int i = 0; i < 3; ++i) v.e[i] = load_complex_int16<S>(from, i);
      return scale(to, n) * v;
    } else {
      return ParityAccess<T, 6, W>::load_vector(from);
    }
  }
  // The third row of two; of integers it is a product of two units.
  TRELLIS_INLINE static void complete(Matrix<S>& u) {
    complete_third_row(u);
    if constexpr (fixed)
      for (complex<S>& x : u.e[2]) x = S(fixed_link_unit) * x;
  }
  TRELLIS_INLINE static void store(A* p, const ColourVector<S>& v) {
    for (int i = 0; i < 3; ++i) store_complex(p, i, v.e[i]);
  }
  TRELLIS_INLINE ColourVector<S> permuted(const ColourVector<S>& v, int shift) const {
    const std::int32_t* lanes = neighbours.permutation(shift);
    ColourVector<S> w;
    for (int i = 0; i < 3; ++i) w.e[i] = {permute(v.e[i].re, lanes), permute(v.e[i].im, lanes)};
    return w;
  }
  // Vector n of the tile that a hop leads to, that of the lane where lanes are threads.
  TRELLIS_INLINE auto neighbour_at(Hop to, int n) const {
    if constexpr (side_by_side)
      return in.at(to.tile - in_origin, n);
    else
      return in.at(to.tile - in_origin, n) + lane_group * neighbours.template displacement<S>(to.shift);
  }
  // What to ask for early.
  TRELLIS_INLINE const E* neighbour_at(int hop) const {
    if constexpr (by_threads)
      return in.data;
    else
      return neighbour_at(neighbours.hops[hop], 0);
  }
  TRELLIS_INLINE ColourVector<S> neighbour(int hop) const {
    const Hop to = neighbours.hops[hop];
    const ColourVector<S> v = vector(to, 0);
    if constexpr (permutes) {
      if (to.shift != 0) [[unlikely]]
        return permuted(v, to.shift);
    }
    return v;
  }
  TRELLIS_INLINE Matrix<S> link(int hop) const {
    const E* p = links + std::int64_t(hop) * link_reals;
    Matrix<S> u;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        if constexpr (fixed)
          u.e[i][j] = load_complex_int16<S>(p, 3 * i + j);
        else
          u.e[i][j] = ComplexTraits<complex<S>>::load_once(p + 2 * (3 * i + j) * W);
      }
    complete(u);
    return u;
  }
  // c times a vector or a matrix.
  template <class V>
  TRELLIS_INLINE V scaled(int hop, const V& v) const {
    const A* c = values + std::int64_t(numbers[hop]) * (2 * W);
    if constexpr (RealCoefficients)
      return load_part<S>(c, 0) * v;
    else
      return load_complex<S>(c, 0) * v;
  }
  TRELLIS_INLINE void ask_for_links(int hop) const {
    const char* p = reinterpret_cast<const char*>(links + std::int64_t(hop) * link_reals);
    for (int line = 0; line < int(sizeof(E)) * link_reals; line += 64) prefetch(p + line);
  }
  TRELLIS_INLINE static void ask_for_vector(const E* vector) {
    const char* p = reinterpret_cast<const char*>(vector);
    for (int line = 0; line < int(sizeof(E)) * vector_reals; line += 64) prefetch(p + line);
  }
};

}  // namespace trellis::dirac
