// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether the hops of a pattern fetch what coordinate arithmetic predicts: the random numbers of the target site.
// Mistakes are counted: a rank that finds some continues, since the others wait for its messages.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "tests/support/ghost_paths.hpp"
#include "trellis/lattice/halo/hop_list.hpp"

namespace trellis::testing {

inline Coordinate moved(const Lattice& lattice, Coordinate x, const PatternHop& hop) {
  for (int n = 0; n < hop.distance; ++n) x = moved(lattice, x, hop.step);
  return x;
}

// A site's numbers, the same on all ranks.
inline std::array<double, 6> random_numbers(const Lattice& lattice, const Coordinate& x, int vector) {
  std::minstd_rand generator(unsigned(lattice.lexicographic(x) * 64 + vector + 1));
  generator.discard(3);
  std::uniform_real_distribution<double> between(-1, 1);
  std::array<double, 6> numbers;
  for (double& number : numbers) number = between(generator);
  return numbers;
}

template <class F>
void for_each_own_site(const Lattice& lattice, int parity, const F& f) {
  for_each_own_site(lattice, [&](const Coordinate& x) {
    if ((x[0] + x[1] + x[2] + x[3]) % 2 == parity) f(x);
  });
}

// Its ghosts are 0 until they are exchanged.
template <int W>
ColourVectorField<double, W> random_vectors(const Lattice& lattice, int parity, int count) {
  const ColourVectorField<double, W> field(lattice, parity, count);
  for_each_own_site(lattice, parity, [&](const Coordinate& x) {
    for (int n = 0; n < count; ++n) field.set(x, random_numbers(lattice, x, n), n);
  });
  return field;
}

// Vector k of the result is what hop k fetches. Inner tiles run before messages arrive, and there is one exchange.
template <int W, int Count>
void expect_hops(const Lattice& lattice, const HopPattern& pattern) {
  const HopList list(lattice, pattern);
  const auto hops = list.hops<Count>();
  for (const int parity : {0, 1}) {
    const auto in = random_vectors<W>(lattice, parity_after(pattern, parity), 1);
    const ColourVectorField<double, W> out(lattice, parity, Count);
    const auto from = in.access(), to = out.access();
    const int origin = in.first_tile(), own = out.first_tile();
    for_each_batch_of_stencil<1>(
        "look", in.halo_parts(), lattice, parity, Count,
        TRELLIS_KERNEL(int tile, int first, int last) {
          using S = lanes_t<double, W>;
          for (int k = first; k < last; ++k) {
            const Hop hop = hops(own + tile, k);
            S numbers[6], here[6];
            from.load(hop.tile - origin, 0, numbers);
            for (int c = 0; c < 6; ++c) here[c] = permute(numbers[c], hops.permutation(hop.shift));
            to.store(tile, k, here);
          }
        },
        pattern);
    std::array<int, Count> mistakes{};
    for_each_own_site(lattice, parity, [&](const Coordinate& x) {
      for (int k = 0; k < Count; ++k)
        if (out.at(x, k) != random_numbers(lattice, moved(lattice, x, pattern.hops[std::size_t(k)]), 0))
          ++mistakes[std::size_t(k)];
    });
    EXPECT_EQ(mistakes, (std::array<int, Count>{})) << "hop by hop, to sites of parity " << parity;
  }
}

inline double weight_of(const PatternHop& hop) {
  return (hop.step < 4 ? 1 : -1) * (hop.distance == 1 ? 9.0 / 8 : hop.distance == 2 ? 0.25 : -1.0 / 24);
}

// out(x) = sum over hops of weight * in(x + hop), together with the squares of out, which also go over tiles as they
// become ready.
template <int W, int Count>
void expect_sum_over_hops(const Lattice& lattice, const HopPattern& pattern) {
  using S = lanes_t<double, W>;
  constexpr int count = 2;
  const HopList list(lattice, pattern);
  const auto hops = list.hops<Count>();
  std::array<double, Count> weights;
  for (int k = 0; k < Count; ++k) weights[std::size_t(k)] = weight_of(pattern.hops[std::size_t(k)]);
  for (const int parity : {0, 1}) {
    const auto in = random_vectors<W>(lattice, parity_after(pattern, parity), count);
    const ColourVectorField<double, W> out(lattice, parity, count);
    const auto from = in.access(), to = out.access();
    const int origin = in.first_tile(), own = out.first_tile();
    const FieldSums squares(count);
    sum_over_vectors_of_stencil<S>(
        "sum over hops", in.halo_parts(), lattice, parity, count,
        TRELLIS_KERNEL(int tile, int n) {
          S sum[6], square(0.0);
          for (S& number : sum) number = S(0.0);
          for (int k = 0; k < Count; ++k) {
            const Hop hop = hops(own + tile, k);
            S numbers[6];
            from.load(hop.tile - origin, n, numbers);
            for (int c = 0; c < 6; ++c)
              sum[c] += S(weights[std::size_t(k)]) * permute(numbers[c], hops.permutation(hop.shift));
          }
          to.store(tile, n, sum);
          for (const S& number : sum) square += number * number;
          return square;
        },
        squares, pattern);
    std::array<double, count> expected{};
    double most = 0;  // largest error of a number
    for (std::int64_t site = 0; site < lattice.volume(); ++site) {
      const Coordinate x = lattice.coordinate(site);
      if ((x[0] + x[1] + x[2] + x[3]) % 2 != parity) continue;
      for (int n = 0; n < count; ++n) {
        std::array<double, 6> sum{};
        for (const PatternHop& hop : pattern.all()) {
          const auto there = random_numbers(lattice, moved(lattice, x, hop), n);
          for (std::size_t c = 0; c < 6; ++c) sum[c] += weight_of(hop) * there[c];
        }
        for (const double number : sum) expected[std::size_t(n)] += number * number;
        if (!lattice.owns(x)) continue;
        const auto found = out.at(x, n);
        for (std::size_t c = 0; c < 6; ++c) most = std::max(most, std::abs(found[c] - sum[c]));
      }
    }
    EXPECT_LT(most, 1e-13);
    for (int n = 0; n < count; ++n)
      EXPECT_NEAR(squares.values()[std::size_t(n)], expected[std::size_t(n)], 1e-10 * double(lattice.volume()));
  }
}

// A few hops that do not form a symmetric set.
inline constexpr HopPattern lopsided_hops{3, {{{3, 3}, {0, 1}, {6, 3}}}};

// f.template operator()<Count>(pattern) for patterns that lead to one parity and reach at most this far.
template <class F>
void for_each_pattern(int most, const F& f) {
  f.template operator()<8>(nearest_neighbours);
  if (most >= 2) f.template operator()<8>(second_neighbours);
  if (most < 3) return;
  f.template operator()<16>(naik_neighbours);
  f.template operator()<8>(straight_hops({3}));
  f.template operator()<3>(lopsided_hops);
}

template <int W>
void expect_patterns(const Lattice& lattice) {
  for_each_pattern(lattice.vector_reach(), [&]<int Count>(const HopPattern& pattern) {
    SCOPED_TRACE(::testing::Message() << Count << " hops, " << pattern.reach() << " steps on a lattice with ghosts "
                                      << lattice.vector_reach() << " deep");
    expect_hops<W, Count>(lattice, pattern);
    expect_sum_over_hops<W, Count>(lattice, pattern);
  });
}

}  // namespace trellis::testing
