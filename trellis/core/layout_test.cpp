// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace trellis {
namespace {

constexpr Index dyn = dynamic_extent;

static_assert(std::is_same_v<data_type_value<const double** [4][3]>, const double>);
static_assert(std::is_same_v<data_type_extents<const double** [4][3]>, Extents<dyn, dyn, 4, 3>>);
static_assert(std::is_same_v<data_type_extents<float>, Extents<>>);
static_assert(std::is_same_v<data_type_extents<int[2][5]>, Extents<2, 5>>);
static_assert(std::is_same_v<data_type_of<int, Extents<dyn, dyn, 4, 3>>, int** [4][3]>);
static_assert(data_type_extents<float********>::rank == 8);
static_assert(sizeof(Extents<dyn, 4, 3>) == sizeof(Index), "static extents take no room");

// The mappings are usable at compile time, and static extents are constants.
constexpr LayoutRight::Mapping<Extents<dyn, 4, 3>> right{{{5}}};
static_assert(right(2, 1, 2) == (2 * 4 + 1) * 3 + 2 && right.span() == 60 && right.stride(0) == 12);
constexpr LayoutLeft::Mapping<Extents<dyn, 4, 3>> left{{{5}}};
static_assert(left(2, 1, 2) == 2 + 5 * (1 + 4 * 2) && left.span() == 60 && left.stride(2) == 20);
constexpr LayoutTiled<8>::Mapping<Extents<dyn, 4, 3>> tiled{{{13}}};
static_assert(tiled(11, 1, 2) == ((11 / 8) * 12 + (1 * 3 + 2)) * 8 + 11 % 8 && tiled.span() == 16 * 12);
constexpr LayoutSideBySide<2>::Mapping<Extents<dyn, 4, 3, 2>> pairs{{{13}}};
static_assert(pairs(11, 1, 2, 1) == ((11 * 3 + 2) * 4 + 1) * 2 + 1 && pairs.span() == 13 * 24);
constexpr LayoutTiled<4>::Mapping<Extents<dyn>> line{{{6}}};
static_assert(line(5) == 5 && line.span() == 8);
static_assert(LayoutRight::Mapping<Extents<>>{}() == 0 && LayoutTiled<4>::Mapping<Extents<>>{}.span() == 1);
static_assert(LayoutTiled<4>::Mapping<Extents<dyn, 3>>{}.span() == 0);

// W = 1 is an array of structures, W = volume a structure of arrays.
static_assert(LayoutTiled<1>::Mapping<Extents<6, 4, 3>>{}(5, 2, 1) ==
              LayoutRight::Mapping<Extents<6, 4, 3>>{}(5, 2, 1));
static_assert(LayoutTiled<6>::Mapping<Extents<6, 4>>{}(5, 3) == LayoutLeft::Mapping<Extents<6, 4>>{}(5, 3));

template <class Layout>
class LayoutTest : public testing::Test {};
using Layouts =
    testing::Types<LayoutRight, LayoutLeft, LayoutTiled<1>, LayoutTiled<4>, LayoutTiled<7>, LayoutSideBySide<1>>;
TYPED_TEST_SUITE(LayoutTest, Layouts);

// Every index has a distinct offset within the span, whichever extents are static.
template <class Mapping>
void expect_one_to_one(const Mapping& m) {
  std::set<Index> seen;
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 2; ++j)
      for (Index k = 0; k < 5; ++k)
        for (Index l = 0; l < 3; ++l) {
          const Index at = m(i, j, k, l);
          EXPECT_GE(at, 0);
          EXPECT_LT(at, m.span());
          EXPECT_TRUE(seen.insert(at).second) << i << ' ' << j << ' ' << k << ' ' << l;
        }
  EXPECT_EQ(seen.size(), 9U * 2 * 5 * 3);
}

TYPED_TEST(LayoutTest, IsOneToOneForAnyMixOfExtents) {
  using Static = Extents<9, 2, 5, 3>;
  using Mixed = Extents<dyn, dyn, 5, 3>;
  using Dynamic = Extents<dyn, dyn, dyn, dyn>;
  const typename TypeParam::template Mapping<Static> fixed{};
  const typename TypeParam::template Mapping<Mixed> mixed{{{9, 2}}};
  const typename TypeParam::template Mapping<Dynamic> free{{{9, 2, 5, 3}}};
  expect_one_to_one(fixed);
  expect_one_to_one(mixed);
  expect_one_to_one(free);
  EXPECT_EQ(fixed(8, 1, 3, 2), free(8, 1, 3, 2));
  EXPECT_EQ(mixed(8, 1, 3, 2), free(8, 1, 3, 2));
  EXPECT_EQ(mixed.span(), free.span());
}

TYPED_TEST(LayoutTest, ReachesRankEight) {
  const typename TypeParam::template Mapping<Extents<dyn, 2, 2, 2, 2, 2, 2, 2>> m{{{3}}};
  std::set<Index> seen;
  for (Index i = 0; i < 3; ++i)
    for (Index b = 0; b < 128; ++b)
      seen.insert(m(i, b & 1, b >> 1 & 1, b >> 2 & 1, b >> 3 & 1, b >> 4 & 1, b >> 5 & 1, b >> 6 & 1));
  EXPECT_EQ(seen.size(), 3U * 128);
  EXPECT_LT(*seen.rbegin(), m.span());
}

}  // namespace
}  // namespace trellis
