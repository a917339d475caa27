// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/subview.hpp"

#include <gtest/gtest.h>

namespace trellis {
namespace {

using Tensor = View<Index** [4][3]>;
static_assert(std::is_same_v<decltype(subview(Tensor(), 1, ALL, ALL, ALL)), View<Index* [4][3]>>);
static_assert(std::is_same_v<decltype(subview(Tensor(), 1, Range{0, 1}, ALL, ALL)), View<Index* [4][3]>>);
static_assert(std::is_same_v<decltype(subview(Tensor(), ALL, 1, ALL, ALL)), View<Index* [4][3], LayoutStride>>);
static_assert(std::is_same_v<decltype(subview(Tensor(), 1, 1, 1, 1)), View<Index>>);

template <class Layout>
class SubviewTest : public testing::Test {
 protected:
  SubviewTest() {
    for (Index i = 0; i < 11; ++i)
      for (Index j = 0; j < 5; ++j)
        for (Index k = 0; k < 4; ++k) source(i, j, k) = 100 * i + 10 * j + k;
  }
  View<Index** [4], Layout> source { "a", 11, 5 };
};
using Layouts = testing::Types<LayoutRight, LayoutLeft, LayoutTiled<1>, LayoutTiled<4>>;
TYPED_TEST_SUITE(SubviewTest, Layouts);

TYPED_TEST(SubviewTest, EveryMixOfPartsSeesTheSameMemory) {
  const auto& a = this->source;
  const auto ranges = subview(a, Range{3, 9}, Range{1, 4}, ALL);
  const auto first = subview(a, 7, ALL, Range{1, 3});
  const auto middle = subview(a, ALL, 2, ALL);
  const auto last = subview(a, Range{2, 11}, ALL, 3);
  const auto element = subview(a, 10, 4, 2);
  ASSERT_EQ(ranges.extent(0), 6);
  ASSERT_EQ(ranges.extent(1), 3);
  ASSERT_EQ(first.extent(1), 2);
  ASSERT_EQ(last.extent(0), 9);
  for (Index i = 0; i < 11; ++i)
    for (Index j = 0; j < 5; ++j)
      for (Index k = 0; k < 4; ++k) {
        if (i >= 3 && i < 9 && j >= 1 && j < 4) {
          EXPECT_EQ(&ranges(i - 3, j - 1, k), &a(i, j, k));
        }
        if (i == 7 && k >= 1 && k < 3) {
          EXPECT_EQ(&first(j, k - 1), &a(i, j, k));
        }
        if (j == 2) {
          EXPECT_EQ(&middle(i, k), &a(i, j, k));
        }
        if (i >= 2 && k == 3) {
          EXPECT_EQ(&last(i - 2, j), &a(i, j, k));
        }
      }
  EXPECT_EQ(element(), 1042);
}

TYPED_TEST(SubviewTest, OfASubview) {
  const auto outer = subview(this->source, Range{2, 10}, Range{1, 5}, ALL);
  const auto inner = subview(outer, Range{3, 7}, 2, Range{1, 4});
  for (Index i = 0; i < 4; ++i)
    for (Index k = 0; k < 3; ++k) EXPECT_EQ(inner(i, k), 100 * (i + 5) + 30 + k + 1);
  EXPECT_LE(inner.data() + inner.span(), this->source.data() + this->source.span());
}

TYPED_TEST(SubviewTest, KeepsTheMemoryAlive) {
  const auto part = subview(this->source, ALL, 1, 2);
  EXPECT_EQ(this->source.use_count(), 2);
  this->source = {};
  EXPECT_EQ(part(10), 1012);
  EXPECT_EQ(part.label(), "a");
}

TYPED_TEST(SubviewTest, PartsOutsideAreErrors) {
  try {
    subview(this->source, Range{3, 12}, 0, ALL);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "subview of 'a': part [3, 12) of dimension 0 is outside [0, 11)");
  }
  EXPECT_THROW(subview(this->source, 0, 5, ALL), Error);
  EXPECT_THROW(subview(this->source, Range{4, 3}, 0, ALL), Error);
}

}  // namespace
}  // namespace trellis
