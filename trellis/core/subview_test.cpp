// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/subview.hpp"

#include <gtest/gtest.h>

namespace trellis {
namespace {

using Tensor = HostView<Index** [4][3]>;
static_assert(std::is_same_v<decltype(subview(Tensor(), 1, ALL, ALL, ALL)), HostView<Index* [4][3]>>);
static_assert(std::is_same_v<decltype(subview(Tensor(), 1, Range{0, 1}, ALL, ALL)), HostView<Index* [4][3]>>);
static_assert(std::is_same_v<decltype(subview(Tensor(), ALL, 1, ALL, ALL)), HostView<Index* [4][3], LayoutStride>>);
static_assert(std::is_same_v<decltype(subview(Tensor(), 1, 1, 1, 1)), HostView<Index>>);

template <class Layout>
class SubviewTest : public testing::Test {
 protected:
  SubviewTest() {
    for (Index i = 0; i < 11; ++i)
      for (Index j = 0; j < 5; ++j)
        for (Index k = 0; k < 4; ++k) source(i, j, k) = 100 * i + 10 * j + k;
  }
  HostView<Index** [4], Layout> source{"a", 11, 5};
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

TYPED_TEST(SubviewTest, EverySoManieth) {
  const auto part = subview(this->source, Range{1, 9}, Strided{0, 5, 2}, Strided{1, 4, 2});
  ASSERT_EQ(part.extent(0), 8);
  ASSERT_EQ(part.extent(1), 3);
  ASSERT_EQ(part.extent(2), 2);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 2; ++k) EXPECT_EQ(&part(i, j, k), &this->source(i + 1, 2 * j, 2 * k + 1));
  const auto twice = subview(part, 3, Strided{0, 3, 2}, ALL);
  ASSERT_EQ(twice.extent(0), 2);
  EXPECT_EQ(&twice(1, 1), &this->source(4, 4, 3));
  EXPECT_EQ(subview(this->source, 0, Strided{2, 2, 3}, 0).extent(0), 0);
  try {
    subview(this->source, 0, Strided{0, 5, 0}, ALL);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "subview of 'a': step 0 of dimension 1; it must be at least 1");
  }
  EXPECT_THROW(subview(this->source, 0, Strided{0, 6, 2}, ALL), Error);
}

// A column of a LayoutLeft matrix is contiguous, like a row of a LayoutRight one: both become spans.
TEST(Subview, LinesStayLines) {
  const HostView<double**, LayoutLeft> left("left", 6, 4);
  const auto columns = subview(left, ALL, Range{1, 3});
  static_assert(std::is_same_v<decltype(columns)::layout, LayoutLeft>);
  const auto column = subview(columns, Range{2, 5}, 1);
  static_assert(std::is_same_v<decltype(column)::layout, LayoutLeft>);
  const std::span<double> line = column;
  EXPECT_EQ(line.size(), 3U);
  EXPECT_EQ(line.data(), &left(2, 2));
  static_assert(std::is_same_v<decltype(subview(left, 1, ALL))::layout, LayoutStride>);
  static_assert(std::is_same_v<decltype(subview(left, Range{0, 2}, ALL))::layout, LayoutStride>);
  static_assert(std::is_same_v<decltype(subview(left, ALL, Strided{0, 4, 2}))::layout, LayoutStride>);
}

}  // namespace
}  // namespace trellis
