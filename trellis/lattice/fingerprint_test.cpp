// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/fingerprint.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "tests/support/flip_bit.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/followed_fingerprint.hpp"

namespace trellis {
namespace {

template <class T>
class Fingerprint : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Fingerprint, Scalars);

TYPED_TEST(Fingerprint, EveryBitCounts) {
  using T = TypeParam;
  const auto u = GaugeField<T, test::wide>::unit(Lattice({4, 4, 4, 4}, test::wide));
  std::set<std::uint64_t> seen{fingerprint(u)};
  const auto links = create_mirror_view_and_copy(HostSpace{}, u.view());
  T* data = links.data();
  const auto changed = [&] {
    deep_copy(u.view(), links);
    return fingerprint(u);
  };
  const std::int64_t count = u.lattice().volume() * 72;
  int changes = 0;
  for (std::int64_t n = 0; n < count; n += 97, ++changes) {
    const T before = data[n];
    data[n] = std::nextafter(before, T(2));
    EXPECT_TRUE(seen.insert(changed()).second) << n;
    data[n] = before;
  }
  EXPECT_EQ(seen.count(changed()), 1u);
  EXPECT_EQ(seen.size(), std::size_t(changes) + 1);
  // swap 1 and 0, the real and imaginary part: the same numbers in other places
  std::swap(data[0], data[place_in_block<typename GaugeField<T, test::wide>::view_type>(1, 0)]);
  EXPECT_TRUE(seen.insert(changed()).second);
}

TYPED_TEST(Fingerprint, IsThatOfTheBitsNotOfTheMemoryOrThreads) {
  const auto u = GaugeField<TypeParam, 1>::unit(Lattice({4, 6, 4, 8}));
  const auto expected = fingerprint(u);
  EXPECT_EQ(fingerprint(u.clone()), expected);
  const int threads_before = concurrency();
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    EXPECT_EQ(fingerprint(u), expected);
  }
  set_thread_count(threads_before);
}

// Momenta and vectors: every number of the rank's own sites counts, ghosts do not.
TYPED_TEST(Fingerprint, OwnSitesCountAndGhostsDoNot) {
  using T = TypeParam;
  const Lattice lattice({4, 4, 4, 8}, 1, SiteOrder::even_odd, {.ghosts = {0, 0, 1, 1}});
  const AlgebraField<T, 1> p(lattice);
  const ColourVectorField<T, 1> x(lattice, 1, 2);
  std::set<std::uint64_t> seen{rank_fingerprint(p)}, seen_vectors{rank_fingerprint(x)};
  std::size_t changes = 1, vector_changes = 1;
  for (std::int64_t n = 0; n < lattice.volume(); n += 7, ++changes) {
    const auto site = lattice.coordinate(n);
    std::array<double, 8> numbers{};
    numbers[std::size_t(n % 8)] = double(n + 1);
    p.set(site, int(n % 4), numbers);
    EXPECT_TRUE(seen.insert(rank_fingerprint(p)).second) << n;
    if ((site[0] + site[1] + site[2] + site[3]) % 2 == 0) continue;
    const std::array<double, 6> vector{0, 0, 1, 0, double(n), 2};
    x.set(site, vector, int(n % 2));
    EXPECT_TRUE(seen_vectors.insert(rank_fingerprint(x)).second) << n;
    ++vector_changes;
  }
  EXPECT_EQ(seen.size(), changes);
  EXPECT_EQ(seen_vectors.size(), vector_changes);
  const auto momenta = rank_fingerprint(p), vectors = rank_fingerprint(x);
  p.exchange();
  exchange_vectors(x);
  EXPECT_EQ(rank_fingerprint(p), momenta);
  EXPECT_EQ(rank_fingerprint(x), vectors);
}

// What kernels change is followed while they write; a bit that flips in a tile before or after a kernel worked on it,
// also while the kernel works on another, remains visible.
TYPED_TEST(Fingerprint, ChangesAreFollowed) {
  using T = TypeParam;
  using S = lanes_t<T, test::wide>;
  if (!fields_on_host) GTEST_SKIP() << "kernels are watched on a host";
  const int threads_before = concurrency();
  const Lattice lattice({4, 4, 4, 8}, test::wide);
  const AlgebraField<T, test::wide> p(lattice);
  const auto momenta = p.access();
  FingerprintChanges changes;
  // Adds to two links of every site; a bit flips while the kernel is at work on the tile 3.
  const auto add = [&](double step, Index flipped_tile) {
    const auto watching = changes.watch(p);
    for_each_tile("add", lattice, [&](int tile) {
      if (tile == 3 && flipped_tile >= 0)
        test::flip_bit(p.view().data(), (flipped_tile * 32 + 9) * test::wide * Index(sizeof(T)) / 8, 17);
      for (int k = 8; k < 24; ++k) momenta.store(tile, k, momenta.load(tile, k) + S(T(step * (k + tile))));
    });
  };
  std::uint64_t known = rank_fingerprint(p);
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    add(0.5 * threads, -1);
    EXPECT_NE(rank_fingerprint(p), known);
    known += changes.take();
    EXPECT_EQ(rank_fingerprint(p), known);
  }
  set_thread_count(1);
  for (const Index tile : {0, 2, 4, 7}) {
    add(1.0, tile);
    known += changes.take();
    EXPECT_NE(rank_fingerprint(p), known) << tile;
    known = rank_fingerprint(p);
  }
  set_thread_count(threads_before);
  // Nobody watches.
  for_each_tile("set", lattice, [&](int tile) { momenta.store(tile, 0, S(T(tile))); });
  EXPECT_EQ(changes.take(), 0U);
  EXPECT_EQ(WatchingTiles::now(), nullptr);
}

}  // namespace
}  // namespace trellis
