// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sorting in an execution space, by keys that are numbers (integers or floating point), ascending.
//   sort(keys)                          the keys themselves
//   sort_by_key(keys, values)           values go with their keys, in their old order where keys are equal
//   sort_permutation(keys)              the order: a View p with keys(p(0)) <= keys(p(1)) <= ..., and p(k) < p(k + 1)
//                                       where keys are equal; keys stay as they are
//   ... with a space as the first argument; by default the default execution space
// Keys and values are Views of rank 1 that the space reaches. There is only one such order, so results have the same
// bits for any number of threads and in every space. -0 comes before 0, NaN with a sign before all and others after
// all. Throws Error if keys and values differ in length, or if there are 2^31 or more. Method: radix sort from the
// lowest byte, as many passes as there are bytes in which keys differ. Each pass counts the digits of chunks of keys,
// adds the counts up, and moves each chunk's keys to their places in order. Cost: a pass reads and writes 8 or 12 bytes
// a key, and reads keys once more; memory for two copies of these. On a GPU one thread works through a chunk: the same
// order, but far from as fast as a GPU can sort.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace sort_detail {

// Unsigned numbers in the same order as keys.
template <class T>
using Word = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;

template <class T>
TRELLIS_INLINE Word<T> ordered_word(const T& key) {
  using W = Word<T>;
  constexpr W sign = W{1} << (8 * sizeof(W) - 1);
  if constexpr (std::is_floating_point_v<T>) {
    const W bits = std::bit_cast<W>(key);
    return (bits & sign) != 0 ? static_cast<W>(~bits) : static_cast<W>(bits | sign);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<W>(static_cast<W>(static_cast<std::make_signed_t<W>>(key)) ^ sign);
  } else {
    return static_cast<W>(key);
  }
}

using Place = std::int32_t;

inline constexpr int digits = 256;
template <class W>
TRELLIS_INLINE Index digit_of(W word, int shift) {
  return static_cast<Index>((word >> shift) % W{digits});
}

inline constexpr Index most_chunks = 1024, least_in_chunk = 512;

template <class W, class Exec>
struct Pairs {
  View<W*, Exec> word;
  View<Place*, Exec> from;
};

template <class Keys, class W, class Exec>
struct Prepare {
  Keys keys;
  Pairs<W, Exec> to;
  TRELLIS_FUNCTION void operator()(Index i) const {
    to.word(i) = ordered_word(keys(i));
    to.from(i) = static_cast<Place>(i);
  }
};

// Which bits differ among the words.
template <class W>
struct OrBits {
  using value_type = W;
  TRELLIS_FUNCTION W identity() const { return 0; }
  TRELLIS_FUNCTION void join(W& into, const W& from) const { into |= from; }
};
template <class W, class Exec>
struct Differences {
  View<const W*, Exec> word;
  TRELLIS_FUNCTION void operator()(Index i, W& bits) const { bits |= word(i) ^ word(0); }
};

struct Chunking {
  Index count, length, work;
  TRELLIS_FUNCTION Index begin(Index chunk) const { return chunk * length < work ? chunk * length : work; }
};
inline Chunking chunking(Index work) {
  const Index length = std::max(least_in_chunk, (work + most_chunks - 1) / most_chunks);
  return {(work + length - 1) / length, length, work};
}

// counts(d, c): how many keys of chunk c have digit d.
template <class W, class Exec>
struct CountDigits {
  View<const W*, Exec> word;
  View<Place**, LayoutRight, Exec> counts;
  Chunking chunks;
  int shift;
  TRELLIS_FUNCTION void operator()(Index c) const {
    for (Index i = chunks.begin(c); i < chunks.begin(c + 1); ++i) ++counts(digit_of(word(i), shift), c);
  }
};

// Each count becomes the sum of all before it: smaller digits, and the same digit in earlier chunks.
template <class Exec>
struct AddUp {
  View<Place*, Exec> counts;
  TRELLIS_FUNCTION void operator()(Index k, Place& before, bool final) const {
    const Place own = counts(k);
    if (final) counts(k) = before;
    before += own;
  }
};

template <class W, class Exec>
struct MoveToPlaces {
  Pairs<W, Exec> from, to;
  View<Place**, LayoutRight, Exec> next;
  Chunking chunks;
  int shift;
  TRELLIS_FUNCTION void operator()(Index c) const {
    for (Index i = chunks.begin(c); i < chunks.begin(c + 1); ++i) {
      const W word = from.word(i);
      const Place place = next(digit_of(word, shift), c)++;
      to.word(place) = word;
      to.from(place) = from.from(i);
    }
  }
};

template <class To, class From, class Places>
struct Gather {
  To to;
  From from;
  Places places;
  TRELLIS_FUNCTION void operator()(Index k) const { to(k) = from(places(k)); }
};

template <class Exec, class Keys>
Pairs<Word<typename Keys::non_const_value_type>, Exec> sorted_pairs(const Exec& space, const Keys& keys) {
  static_assert(Keys::rank == 1 && std::is_arithmetic_v<typename Keys::value_type>,
                "keys are a View of rank 1 of numbers");
  static_assert(sizeof(typename Keys::value_type) <= 8, "keys have at most 8 bytes");
  require_access<Exec, Keys>();
  using W = Word<typename Keys::non_const_value_type>;
  const Index n = keys.extent(0);
  if (n > std::numeric_limits<Place>::max()) fail("sort of '{}': {} keys; at most 2^31 - 1", keys.label(), n);
  const auto make = [n](const char* words, const char* places) {
    return Pairs<W, Exec>{View<W*, Exec>(uninitialized, words, n), View<Place*, Exec>(uninitialized, places, n)};
  };
  Pairs<W, Exec> now = make("sort: keys", "sort: places");
  parallel_for("trellis::sort prepare", RangePolicy<Exec>(space, 0, n), Prepare<Keys, W, Exec>{keys, now});
  W different = 0;
  parallel_reduce("trellis::sort compare", RangePolicy<Exec>(space, 0, n), Differences<W, Exec>{now.word}, different,
                  OrBits<W>{});
  if (different == 0) return now;
  Pairs<W, Exec> other = make("sort: keys moved", "sort: places moved");
  const Chunking chunks = chunking(n);
  const View<Place**, LayoutRight, Exec> counts("sort: counts", digits, chunks.count);
  const View<Place*, Exec> line(counts.data(), digits * chunks.count);
  for (int shift = 0; shift < int(8 * sizeof(W)); shift += 8) {
    if (digit_of(different, shift) == 0) continue;
    const RangePolicy<Exec> each_chunk(space, 0, chunks.count);
    deep_copy(space, counts, Place{0});
    parallel_for("trellis::sort count", each_chunk, CountDigits<W, Exec>{now.word, counts, chunks, shift});
    Place total = 0;
    parallel_scan("trellis::sort add up", RangePolicy<Exec>(space, 0, line.extent(0)), AddUp<Exec>{line}, total);
    parallel_for("trellis::sort move", each_chunk, MoveToPlaces<W, Exec>{now, other, counts, chunks, shift});
    std::swap(now, other);
  }
  return now;
}

// a(k) <- a(places(k)) for all k
template <class Exec, class V, class Places>
void gather(const Exec& space, const V& a, const Places& places) {
  static_assert(V::rank == 1 && !std::is_const_v<typename V::value_type>, "values are a View of rank 1 to write to");
  require_access<Exec, V>();
  using Old = View<typename V::value_type*, Exec>;
  const Old old(uninitialized, "sort: values", a.extent(0));
  deep_copy(space, old, a);
  parallel_for("trellis::sort gather", RangePolicy<Exec>(space, 0, a.extent(0)),
               Gather<V, Old, Places>{a, old, places});
}

// Throws unless there are as many values as keys.
void require_same_length(const std::string& keys, Index count, const std::string& values, Index found);

}  // namespace sort_detail

template <ExecutionSpace Exec, class D, class L, class M, class A>
View<std::int32_t*, Exec> sort_permutation(const Exec& space, const BasicView<D, L, M, A>& keys) {
  return sort_detail::sorted_pairs(space, keys).from;
}
template <ExecutionSpace Exec, class D, class L, class M, class A>
void sort(const Exec& space, const BasicView<D, L, M, A>& keys) {
  sort_detail::gather(space, keys, sort_detail::sorted_pairs(space, keys).from);
}
template <ExecutionSpace Exec, class D, class L, class M, class A, class VD, class VL, class VM, class VA>
void sort_by_key(const Exec& space, const BasicView<D, L, M, A>& keys, const BasicView<VD, VL, VM, VA>& values) {
  sort_detail::require_same_length(keys.label(), keys.extent(0), values.label(), values.extent(0));
  const auto places = sort_detail::sorted_pairs(space, keys).from;
  sort_detail::gather(space, keys, places);
  sort_detail::gather(space, values, places);
}

template <class D, class L, class M, class A>
auto sort_permutation(const BasicView<D, L, M, A>& keys) {
  return sort_permutation(DefaultExecutionSpace{}, keys);
}
template <class D, class L, class M, class A>
void sort(const BasicView<D, L, M, A>& keys) {
  sort(DefaultExecutionSpace{}, keys);
}
template <class D, class L, class M, class A, class VD, class VL, class VM, class VA>
void sort_by_key(const BasicView<D, L, M, A>& keys, const BasicView<VD, VL, VM, VA>& values) {
  sort_by_key(DefaultExecutionSpace{}, keys, values);
}

}  // namespace trellis
