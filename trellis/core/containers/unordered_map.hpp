// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// UnorderedMap<Key, Value, Exec, Hash>: a hash table into which kernels insert. It has a fixed number of places; what
// finds none is counted, and the host makes room for it:
//   UnorderedMap<Index, double> map("map", 1000);           at least 1000 places
//   parallel_for("fill", n, TRELLIS_LAMBDA(Index i) { map.insert(key(i), value(i)); });
//   if (map.failed_inserts() > 0) { map.rehash(2 * map.capacity()); ...again... }
// Within kernels
//   insert(key, value)      -> InsertResult: at which place, and whether the key was inserted, existed or found no
//                           room. If several threads insert a key at the same time, one inserts it, and its value is
//                           stored.
//   find(key)               -> the place of a key, or -1
//   key_at(place), value_at(place), valid_at(place)     for 0 <= place < capacity(); value_at is a reference, to which
//                           any number of threads may add with atomics
//   erase(key)              -> whether it was there. Its place is used again only after rehash() or clear().
// insert and find may run together in one kernel; so may erase and find, and erase and insert. A place stays a key's
// until it is erased, or rehash() or clear(). Which key has which place depends on the order of threads: loops over
// places meet keys in any order. Keys and values are trivially copyable; keys are compared with ==.
// On the host: size(), failed_inserts() (since the last rehash() or clear()), clear(), and rehash(capacity), which
// throws Error if there are more keys than that. Copies of a map share it, as for Views.
// Cost: half-full tables look at one or two places for each operation; those that are nearly full at many. size() is a
// reduction over all places. Memory: a key, a value and 4 bytes for each place.
// Hash is a functor from a key to 64 bits; by default it mixes the bytes of keys that have no padding.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "trellis/core/backend/thread.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of the word has an effect on all others.
TRELLIS_INLINE std::uint64_t mixed_bits(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

template <class Key>
struct HashOf {
  static_assert(std::has_unique_object_representations_v<Key>,
                "equal keys of this type may have different bytes: give UnorderedMap a Hash");
  TRELLIS_INLINE std::uint64_t operator()(const Key& key) const {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&key);
    std::uint64_t hash = 0x9e3779b97f4a7c15U;
    for (std::size_t begin = 0; begin < sizeof(Key); begin += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = begin; k < sizeof(Key) && k < begin + 8; ++k)
        word |= std::uint64_t{bytes[k]} << (8 * (k - begin));
      hash = mixed_bits(hash + word);
    }
    return hash;
  }
};

struct NoValue {};

enum class Insertion { inserted, existed, failed };
struct InsertResult {
  Index place;  // -1 if it failed
  Insertion what;
  TRELLIS_FUNCTION bool inserted() const { return what == Insertion::inserted; }
  TRELLIS_FUNCTION bool existed() const { return what == Insertion::existed; }
  TRELLIS_FUNCTION bool failed() const { return what == Insertion::failed; }
};

template <class Key, class Value = NoValue, ExecutionSpace Exec = DefaultExecutionSpace, class Hash = HashOf<Key>>
class UnorderedMap {
  // Of a place. It only ever moves to the next of these, until the table is cleared.
  enum State : std::uint32_t { empty, being_written, full, erased };

 public:
  using key_type = Key;
  using value_type = Value;
  using execution_space = Exec;

  UnorderedMap() = default;
  UnorderedMap(std::string_view label, Index capacity, const Hash& hash = {}) : hash_(hash) {
    if (capacity < 1) fail("UnorderedMap '{}': {} places; there must be at least one", label, capacity);
    constexpr Index most = Index{1} << 40;
    if (capacity > most) fail("UnorderedMap '{}': {} places; there can be at most {}", label, capacity, most);
    const auto places = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(capacity)));
    state_ = View<std::uint32_t*, Exec>(label, places);
    keys_ = View<Key*, Exec>(uninitialized, label, places);
    values_ = View<Value*, Exec>(uninitialized, label, places);
    failed_ = View<Index, Exec>(label);
  }

  TRELLIS_FUNCTION Index capacity() const { return state_.extent(0); }

  TRELLIS_FUNCTION InsertResult insert(const Key& key, const Value& value = {}) const {
    const Index places = capacity();
    Index place = first_place(key);
    for (Index tried = 0; tried < places; ++tried, place = (place + 1) & (places - 1)) {
      std::uint32_t* const state = &state_(place);
      std::uint32_t seen = backend::load_word_acquire(state);
      if (seen == empty) {
        seen = backend::compare_exchange_word(state, std::uint32_t{empty}, std::uint32_t{being_written});
        if (seen == empty) {
          keys_(place) = key;
          values_(place) = value;
          backend::store_word_release(state, std::uint32_t{full});
          return {place, Insertion::inserted};
        }
        seen = backend::load_word_acquire(state);  // a failed exchange does not make the other's key visible
      }
      while (seen < full) seen = backend::load_word_acquire(state);  // another thread is about to write its key
      if (seen == full && keys_(place) == key) return {place, Insertion::existed};
    }
    atomic_add(&failed_(), 1);
    return {-1, Insertion::failed};
  }

  TRELLIS_FUNCTION Index find(const Key& key) const {
    const Index places = capacity();
    Index place = places > 0 ? first_place(key) : 0;
    for (Index tried = 0; tried < places; ++tried, place = (place + 1) & (places - 1)) {
      const std::uint32_t state = backend::load_word_acquire(&state_(place));
      if (state == empty) return -1;
      if (state == full && keys_(place) == key) return place;
    }
    return -1;
  }
  TRELLIS_FUNCTION bool exists(const Key& key) const { return find(key) >= 0; }

  TRELLIS_FUNCTION bool erase(const Key& key) const {
    const Index place = find(key);
    return place >= 0 &&
           backend::compare_exchange_word(&state_(place), std::uint32_t{full}, std::uint32_t{erased}) == full;
  }

  TRELLIS_FUNCTION bool valid_at(Index place) const { return backend::load_word_acquire(&state_(place)) == full; }
  TRELLIS_FUNCTION const Key& key_at(Index place) const { return keys_(place); }
  TRELLIS_FUNCTION Value& value_at(Index place) const { return values_(place); }

  Index size() const {
    Index count = 0;
    parallel_reduce("trellis::UnorderedMap size", RangePolicy<Exec>(0, capacity()), CountFull{*this}, count);
    return count;
  }
  Index failed_inserts() const { return create_mirror_view_and_copy(HostSpace{}, failed_)(); }
  std::string label() const { return state_.label(); }

  // All copies of the map become empty.
  void clear() const {
    deep_copy(state_, std::uint32_t{empty});
    deep_copy(failed_, Index{0});
  }

  // Copies of the map keep its old table. Failed inserts are forgotten.
  void rehash(Index capacity) {
    const Index keys = size();
    if (capacity < keys) {
      fail("UnorderedMap '{}': it has {} keys, and rehash({}) would not leave them room", label(), keys, capacity);
    }
    const UnorderedMap larger(label(), capacity, hash_);
    parallel_for("trellis::UnorderedMap rehash", RangePolicy<Exec>(0, this->capacity()), InsertInto{*this, larger});
    *this = larger;
  }

  // For kernels of the map itself.
  struct CountFull {
    UnorderedMap map;
    TRELLIS_FUNCTION void operator()(Index place, Index& count) const { count += map.valid_at(place) ? 1 : 0; }
  };
  struct InsertInto {
    UnorderedMap from, to;
    TRELLIS_FUNCTION void operator()(Index place) const {
      if (from.valid_at(place)) to.insert(from.key_at(place), from.value_at(place));
    }
  };

 private:
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>);

  TRELLIS_FUNCTION Index first_place(const Key& key) const {
    return static_cast<Index>(hash_(key) & static_cast<std::uint64_t>(capacity() - 1));
  }

  [[no_unique_address]] Hash hash_;
  View<std::uint32_t*, Exec> state_;
  View<Key*, Exec> keys_;
  View<Value*, Exec> values_;
  View<Index, Exec> failed_;
};

}  // namespace trellis
