// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers for any program: they depend on a seed, a stream, an index and a draw, all of the user's choice, and
// on nothing else, so they are the same on any number of threads, in any order, and in every space.
//   const RandomNumbers noise(seed, 1);           stream 1 of this seed; any other number is another stream
//   noise.uniform(i, k), noise.normal(i, k)       draw k of index i, which may be a particle, a site, a sample
//   noise.integer(n, i, k)                        one of 0 ... n - 1
//   auto random = noise.sequence(i);              draws one after another: random.uniform(), random.normal(), ...
// uniform is in (0, 1), a multiple of 2^-53, never 0 or 1; normal has mean 0 and variance 1 (Box and Muller). uniform,
// normal, integer, words and sequence have no numbers in common, nor have two seeds or two streams, nor any of these
// with Trellis' own numbers (random.hpp): they come from Philox4x64-10 (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC11; Random123), and those from Philox4x32-10, whatever their purposes and seeds. A sequence is a
// UniformRandomBitGenerator of 64 bits, for std::shuffle and the distributions of <random>, on a host. Cost: one Philox
// call, about 40 multiplications, makes four words; uniform(i, k) and normal(i, k) use one of them. uniforms(i, k),
// normals(i, k) return all four: draws 4 k to 4 k + 3. A sequence uses each word.

#if !defined(R123_USE_SSE)
#define R123_USE_SSE 0  // as in random.hpp
#endif
#include <Random123/philox.h>

#include <array>
#include <cstdint>
#include <limits>

#include "trellis/core/math.hpp"
#include "trellis/core/random.hpp"

namespace trellis {

class RandomNumbers;

namespace random_detail {

// What words are for: a part of their counter.
enum class Use : std::uint64_t { words, uniform, normal, integer, sequence };

using Words = std::array<std::uint64_t, 4>;

TRELLIS_FUNCTION inline Words philox_words(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                                           std::uint64_t block, Use use) {
  using Generator = r123::Philox4x64_R<10>;
  const Generator::ctr_type counter = {{index, block, static_cast<std::uint64_t>(use), 0}};
  const Generator::key_type key = {{seed, stream}};
  const auto w = Generator()(counter, key);
  return {w[0], w[1], w[2], w[3]};
}

TRELLIS_FUNCTION inline double to_unit(std::uint64_t word) {
  return RandomStream::to_unit(std::uint32_t(word >> 32), std::uint32_t(word));
}

// Two normal numbers from two words.
TRELLIS_FUNCTION inline std::array<double, 2> normal_pair(std::uint64_t first, std::uint64_t second) {
  const double radius = sqrt(-2.0 * log(to_unit(first)));
  double sine = 0, cosine = 0;
  sincospi(2.0 * to_unit(second), sine, cosine);
  return {radius * cosine, radius * sine};
}

// The high and low halves of a * b.
TRELLIS_FUNCTION inline std::uint64_t product(std::uint64_t a, std::uint64_t b, std::uint64_t& low) {
  std::uint64_t high = 0;
  low = mulhilo64(a, b, &high);
  return high;
}

// Whether `low` is one of the products that would make some numbers below `bound` more likely than others (Lemire,
// "Fast random integer generation in an interval", ACM TOMACS 2019).
TRELLIS_FUNCTION inline bool is_surplus(std::uint64_t low, std::uint64_t bound) {
  return low < bound && low < (std::uint64_t{0} - bound) % bound;
}

}  // namespace random_detail

// Draws of one index in their order.
class RandomSequence {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  TRELLIS_FUNCTION RandomSequence(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
      : seed_(seed), stream_(stream), index_(index) {}

  TRELLIS_FUNCTION result_type operator()() {
    if (used_ == 4) {
      words_ = random_detail::philox_words(seed_, stream_, index_, block_++, random_detail::Use::sequence);
      used_ = 0;
    }
    return words_[used_++];
  }
  TRELLIS_FUNCTION double uniform() { return random_detail::to_unit((*this)()); }
  // Two words make two numbers, of which the second waits for the next call.
  TRELLIS_FUNCTION double normal() {
    if (has_normal_) {
      has_normal_ = false;
      return normal_;
    }
    const std::uint64_t first = (*this)(), second = (*this)();
    const auto pair = random_detail::normal_pair(first, second);
    normal_ = pair[1];
    has_normal_ = true;
    return pair[0];
  }
  // One of 0 ... bound - 1, each exactly as likely as the others; bound >= 1.
  TRELLIS_FUNCTION std::uint64_t integer(std::uint64_t bound) {
    for (;;) {
      std::uint64_t low = 0;
      const std::uint64_t number = random_detail::product((*this)(), bound, low);
      if (!random_detail::is_surplus(low, bound)) return number;
    }
  }

 private:
  std::uint64_t seed_, stream_, index_, block_ = 0;
  random_detail::Words words_{};
  unsigned used_ = 4;
  bool has_normal_ = false;
  double normal_ = 0;
};

class RandomNumbers {
 public:
  using Words = random_detail::Words;

  TRELLIS_FUNCTION explicit RandomNumbers(std::uint64_t seed, std::uint64_t stream = 0)
      : seed_(seed), stream_(stream) {}

  TRELLIS_FUNCTION std::uint64_t seed() const { return seed_; }
  TRELLIS_FUNCTION std::uint64_t stream() const { return stream_; }

  // Four words of 64 random bits.
  TRELLIS_FUNCTION Words words(std::uint64_t index, std::uint64_t draw = 0) const {
    return block(index, draw, random_detail::Use::words);
  }

  TRELLIS_FUNCTION double uniform(std::uint64_t index, std::uint64_t draw = 0) const {
    return random_detail::to_unit(block(index, draw / 4, random_detail::Use::uniform)[draw % 4]);
  }
  TRELLIS_FUNCTION std::array<double, 4> uniforms(std::uint64_t index, std::uint64_t draw = 0) const {
    const Words w = block(index, draw, random_detail::Use::uniform);
    return {random_detail::to_unit(w[0]), random_detail::to_unit(w[1]), random_detail::to_unit(w[2]),
            random_detail::to_unit(w[3])};
  }

  TRELLIS_FUNCTION double normal(std::uint64_t index, std::uint64_t draw = 0) const {
    const Words w = block(index, draw / 4, random_detail::Use::normal);
    const unsigned pair = draw % 4 / 2;
    return random_detail::normal_pair(w[2 * pair], w[2 * pair + 1])[draw % 2];
  }
  TRELLIS_FUNCTION std::array<double, 4> normals(std::uint64_t index, std::uint64_t draw = 0) const {
    const Words w = block(index, draw, random_detail::Use::normal);
    const auto a = random_detail::normal_pair(w[0], w[1]), b = random_detail::normal_pair(w[2], w[3]);
    return {a[0], a[1], b[0], b[1]};
  }

  // One of 0 ... bound - 1; bound >= 1. Their probabilities differ by less than 2^-128 of themselves for bounds up to
  // 2^32. A sequence has no such limit, as it draws until it has a fair word.
  TRELLIS_FUNCTION std::uint64_t integer(std::uint64_t bound, std::uint64_t index, std::uint64_t draw = 0) const {
    const Words w = block(index, draw, random_detail::Use::integer);
    std::uint64_t number = 0, low = 0;
    for (const std::uint64_t word : w) {
      number = random_detail::product(word, bound, low);
      if (!random_detail::is_surplus(low, bound)) break;
    }
    return number;
  }

  TRELLIS_FUNCTION RandomSequence sequence(std::uint64_t index) const { return {seed_, stream_, index}; }

 private:
  TRELLIS_FUNCTION Words block(std::uint64_t index, std::uint64_t number, random_detail::Use use) const {
    return random_detail::philox_words(seed_, stream_, index, number, use);
  }

  std::uint64_t seed_, stream_;
};

}  // namespace trellis
