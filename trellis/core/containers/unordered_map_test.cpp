// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/containers/unordered_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/atomic.hpp"

namespace trellis {
namespace {

template <class Exec>
class UnorderedMapTest : public testing::Test {
 protected:
  UnorderedMapTest() { set_thread_count(4); }
  ~UnorderedMapTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(UnorderedMapTest, TestedSpaces);

struct Pair {
  std::int32_t a, b;
  bool operator==(const Pair&) const = default;
};

// What the map holds, read place by place.
template <class Map>
auto contents(const Map& map) {
  std::map<typename Map::key_type, typename Map::value_type> all;
  for (Index place = 0; place < map.capacity(); ++place) {
    if (!map.valid_at(place)) continue;
    EXPECT_TRUE(all.emplace(map.key_at(place), map.value_at(place)).second) << "a key has one place";
    EXPECT_EQ(map.find(map.key_at(place)), place);
  }
  return all;
}

// Counting words: many threads insert the same keys, and add to their values.
TYPED_TEST(UnorderedMapTest, CountsAsAStdMapWould) {
  constexpr Index n = 20000, different = 900;
  const auto key = [](Index i) { return (i * i) % different * 1000003; };
  std::map<Index, int> expected;
  for (Index i = 0; i < n; ++i) ++expected[key(i)];
  const UnorderedMap<Index, int, TypeParam> map("words", 2 * different);
  EXPECT_EQ(map.capacity(), 2048);
  const HostView<Index> inserted("inserted");
  parallel_for("count", RangePolicy<TypeParam>(0, n), [=](Index i) {
    const auto result = map.insert(key(i), 0);
    if (result.inserted()) atomic_add(&inserted(), 1);
    atomic_add(&map.value_at(result.place), 1);
  });
  EXPECT_EQ(contents(map), expected);
  EXPECT_EQ(map.size(), static_cast<Index>(expected.size()));
  EXPECT_EQ(inserted(), map.size());
  EXPECT_EQ(map.failed_inserts(), 0);
  EXPECT_EQ(map.find(17), -1);
  EXPECT_FALSE(map.exists(-1));
}

TYPED_TEST(UnorderedMapTest, FailedInsertsAreCountedAndRehashMakesRoom) {
  constexpr Index n = 100;
  UnorderedMap<std::int32_t, double, TypeParam> map("small", 64);
  const auto fill = [&] {
    parallel_for("fill", RangePolicy<TypeParam>(0, n),
                 [=](Index i) { map.insert(static_cast<std::int32_t>(i), 0.5 * static_cast<double>(i)); });
  };
  fill();
  EXPECT_EQ(map.size(), 64) << "every place is used before an insert fails";
  EXPECT_EQ(map.failed_inserts(), n - 64);
  for (const auto& [key, value] : contents(map)) EXPECT_EQ(value, 0.5 * key);
  map.rehash(2 * map.capacity());
  EXPECT_EQ(map.size(), 64);
  EXPECT_EQ(map.failed_inserts(), 0);
  fill();
  EXPECT_EQ(map.failed_inserts(), 0);
  const auto all = contents(map);
  EXPECT_EQ(all.size(), 100U);
  for (const auto& [key, value] : all) EXPECT_EQ(value, 0.5 * key);
  EXPECT_THROW(map.rehash(99), Error);
  map.clear();
  EXPECT_EQ(map.size(), 0);
}

TYPED_TEST(UnorderedMapTest, ErasedKeysAreGone) {
  constexpr Index n = 600;
  UnorderedMap<Index, Index, TypeParam> map("map", 1024);
  parallel_for("fill", RangePolicy<TypeParam>(0, n), [=](Index i) { map.insert(i, 7 * i); });
  const HostView<Index> erased("erased");
  parallel_for("erase", RangePolicy<TypeParam>(0, n), [=](Index i) {
    // Twice, by different threads: one of them finds it.
    if (map.erase(i - i % 2)) atomic_add(&erased(), 1);
  });
  EXPECT_EQ(erased(), n / 2);
  EXPECT_EQ(map.size(), n / 2);
  for (Index i = 0; i < n; ++i) ASSERT_EQ(map.exists(i), i % 2 == 1) << i;
  EXPECT_FALSE(map.erase(0));
  EXPECT_TRUE(map.insert(0, 5).inserted()) << "again, in another place";
  EXPECT_EQ(map.value_at(map.find(0)), 5);
  map.rehash(512);
  EXPECT_EQ(map.size(), n / 2 + 1);
  EXPECT_EQ(map.value_at(map.find(599)), 7 * 599);
}

// All keys at the same first place.
struct OnePlace {
  TRELLIS_FUNCTION std::uint64_t operator()(const Pair&) const { return 5; }
};

TYPED_TEST(UnorderedMapTest, CollidingKeysAreKeptApart) {
  const UnorderedMap<Pair, NoValue, TypeParam, OnePlace> map("collisions", 128);
  parallel_for("fill", RangePolicy<TypeParam>(0, 1000), [=](Index i) {
    const auto k = static_cast<std::int32_t>(i % 100);
    map.insert({k, -k});
  });
  EXPECT_EQ(map.size(), 100);
  for (std::int32_t k = 0; k < 100; ++k) EXPECT_TRUE(map.exists({k, -k}));
  EXPECT_FALSE(map.exists({1, 1}));
}

TEST(UnorderedMap, HashesSpreadKeys) {
  // 2^12 keys in a line, and 2^12 that differ in high bits only, into 2^12 places: as random keys would, they leave
  // about 1/e of the places empty.
  for (const int shift : {0, 40}) {
    std::vector<int> found(4096);
    for (std::int64_t k = 0; k < 4096; ++k) ++found[HashOf<std::int64_t>{}(k << shift) % 4096];
    EXPECT_NEAR(static_cast<double>(std::ranges::count(found, 0)) / 4096, 0.3679, 0.03);
  }
}

TEST(UnorderedMap, NeedsPlaces) {
  using Map = UnorderedMap<int, int, Serial>;
  EXPECT_THROW(Map("none", 0), Error);
  EXPECT_EQ(Map().find(3), -1);
}

}  // namespace
}  // namespace trellis
