// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers that depend on what they are for, not on the order in which they are drawn: Philox4x32-10
// (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11; Random123), keyed by the seed, counted by
// trajectory, purpose, global site and draw. The same number comes out on any thread, rank or lane, after any restart.

#if !defined(R123_USE_SSE)
#define R123_USE_SSE 0  // its SSE code takes a second to compile, and Philox does not use it
#endif
#include <Random123/philox.h>

#include <array>
#include <cstdint>

#include "trellis/core/math.hpp"

namespace trellis {

// What numbers are used for: streams of different purposes have no numbers in common. A purpose is one byte, and is
// defined beside the code that uses it:
//   inline constexpr RandomPurpose heatbath_purpose{4};
// Those below 128 are Trellis' own; no two are the same (tests/house_test.cmake), and none is ever reused for something
// else, so that old runs keep their bits. Those from 128 on are for users' programs.
enum class RandomPurpose : std::uint8_t { test = 5 };

struct RandomStream {
  std::uint64_t seed = 0;
  std::uint32_t trajectory = 0;
  RandomPurpose purpose = RandomPurpose::test;

  // Four random words for draw number `draw` (below 2^24) of a global site (or of the whole lattice: site 0).
  TRELLIS_FUNCTION std::array<std::uint32_t, 4> words(std::uint64_t site, std::uint32_t draw) const {
    using Generator = r123::Philox4x32_R<10>;
    const Generator::ctr_type counter = {{std::uint32_t(site), std::uint32_t(site >> 32), trajectory,
                                          (static_cast<std::uint32_t>(purpose) << 24) | draw}};
    const Generator::key_type key = {{std::uint32_t(seed), std::uint32_t(seed >> 32)}};
    const auto w = Generator()(counter, key);
    return {w[0], w[1], w[2], w[3]};
  }

  // Two uniform numbers in (0, 1), multiples of 2^-53, never 0 or 1.
  TRELLIS_FUNCTION std::array<double, 2> uniform(std::uint64_t site, std::uint32_t draw) const {
    const auto w = words(site, draw);
    return {to_unit(w[0], w[1]), to_unit(w[2], w[3])};
  }

  TRELLIS_FUNCTION static double to_unit(std::uint32_t high, std::uint32_t low) {
    const std::uint64_t bits = ((std::uint64_t(high) << 32) | low) >> 12;
    return (double(bits) + 0.5) * 0x1p-52;
  }
};

namespace random_detail {
// Philox4x32-10 as in the library, for all lanes at once: the words are the low halves of the counters' 64-bit lanes;
// the high halves do not matter.
template <class I>
TRELLIS_INLINE void philox(std::uint64_t seed, I (&counter)[4]) {
  auto key0 = std::uint32_t(seed), key1 = std::uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const I p = product_of_low_halves(counter[0], I(std::int64_t(PHILOX_M4x32_0)));
    const I q = product_of_low_halves(counter[2], I(std::int64_t(PHILOX_M4x32_1)));
    counter[0] = bit_xor(bit_xor(high_halves(q), counter[1]), I(std::int64_t(key0)));
    counter[2] = bit_xor(bit_xor(high_halves(p), counter[3]), I(std::int64_t(key1)));
    counter[1] = q;
    counter[3] = p;
    key0 += PHILOX_W32_0;
    key1 += PHILOX_W32_1;
  }
}
// As RandomStream::to_unit.
template <class S, class I>
TRELLIS_INLINE S to_unit(const I& high, const I& low) {
  constexpr std::int64_t two_to_52 = std::int64_t(1023 + 52) << 52;  // the bits of 2^52
  const I bits = bit_xor(shift_left<20>(bit_and(high, std::int64_t(0xffffffff))),
                         shift_right<12>(bit_and(low, std::int64_t(0xffffffff))));
  return ((bit_cast_lanes<double>(bit_or(bits, two_to_52)) - S(0x1p52)) + S(0.5)) * S(0x1p-52);
}
}  // namespace random_detail

// Two independent uniform numbers in (0, 1) for each lane; sites[l] is the global site of lane l.
template <class S, class Sites>
TRELLIS_FUNCTION inline void uniform_lanes(const RandomStream& stream, const Sites& sites, std::uint32_t draw, S& a,
                                           S& b) {
  if constexpr (simd_detail::is_own_lane<S>) {
    for (const int l : own_lanes<S>()) {
      const auto u = stream.uniform(std::uint64_t(sites[l]), draw);
      set_lane(a, l, u[0]);
      set_lane(b, l, u[1]);
    }
  } else {
    using I = decltype(bit_cast_lanes<std::int64_t>(a));
    I site(0);
    for (int l = 0; l < lane_count<S>; ++l) site.set(l, std::int64_t(sites[l]));
    I words[4] = {site, high_halves(site), I(std::int64_t(stream.trajectory)),
                  I(std::int64_t((static_cast<std::uint32_t>(stream.purpose) << 24) | draw))};
    random_detail::philox(stream.seed, words);
    a = random_detail::to_unit<S>(words[0], words[1]);
    b = random_detail::to_unit<S>(words[2], words[3]);
  }
}

// Two independent normal numbers of variance 1 for each lane (Box and Muller).
template <class S, class Sites>
TRELLIS_FUNCTION inline void normal_lanes(const RandomStream& stream, const Sites& sites, std::uint32_t draw, S& a,
                                          S& b) {
  S u = S(0.0), v = S(0.0);
  uniform_lanes(stream, sites, draw, u, v);
  const S radius = sqrt(S(-2.0) * log(u));
  sincospi(S(2.0) * v, b, a);
  a = radius * a;
  b = radius * b;
}

}  // namespace trellis
