// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/fingerprint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"

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

}  // namespace
}  // namespace trellis
