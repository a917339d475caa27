// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/mirror.hpp"

#include <gtest/gtest.h>

#include "trellis/core/subview.hpp"

namespace trellis {
namespace {

template <class Layout>
class MirrorTest : public testing::Test {};
using Layouts = testing::Types<LayoutRight, LayoutLeft, LayoutTiled<1>, LayoutTiled<8>>;
TYPED_TEST_SUITE(MirrorTest, Layouts);

template <class V>
void number(const V& a) {
  for (Index i = 0; i < a.extent(0); ++i)
    for (Index j = 0; j < a.extent(1); ++j)
      for (Index k = 0; k < a.extent(2); ++k) a(i, j, k) = 100 * i + 10 * j + k;
}

template <class V>
void expect_numbered(const V& a) {
  for (Index i = 0; i < a.extent(0); ++i)
    for (Index j = 0; j < a.extent(1); ++j)
      for (Index k = 0; k < a.extent(2); ++k) ASSERT_EQ(a(i, j, k), 100 * i + 10 * j + k);
}

TYPED_TEST(MirrorTest, MirrorViewOnTheHostIsTheViewItself) {
  const HostView<double** [3], TypeParam> a("a", 9, 2);
  const auto same = create_mirror_view(a);
  EXPECT_EQ(same.data(), a.data());
  EXPECT_EQ(a.use_count(), 2);
  EXPECT_EQ(create_mirror_view_and_copy(a).data(), a.data());
  const auto copy = create_mirror(HostView<const double** [3], TypeParam>(a));
  static_assert(std::is_same_v<std::remove_const_t<decltype(copy)>, HostView<double** [3], TypeParam>>);
  EXPECT_NE(copy.data(), a.data());
  EXPECT_EQ(copy.extent(0), 9);
  EXPECT_EQ(copy.label(), "a");
}

TYPED_TEST(MirrorTest, DeepCopyRemapsLayouts) {
  const HostView<double** [3], TypeParam> a("a", 13, 4);
  number(a);
  const HostView<double***, LayoutRight> right("right", 13, 4, 3);
  const HostView<double** [3], LayoutLeft> left("left", 13, 4);
  const HostView<double** [3], LayoutTiled<4>> tiled("tiled", 13, 4);
  const HostView<float** [3], LayoutTiled<4>> other("float", 13, 4);
  deep_copy(right, a);
  deep_copy(left, a);
  deep_copy(tiled, HostView<const double** [3], TypeParam>(a));
  deep_copy(other, a);
  expect_numbered(right);
  expect_numbered(left);
  expect_numbered(tiled);
  expect_numbered(other);
  deep_copy(a, a);
  expect_numbered(a);
}

TYPED_TEST(MirrorTest, DeepCopyOfParts) {
  const HostView<double** [3], TypeParam> a("a", 13, 4);
  const HostView<double** [3]> small("small", 5, 2);
  number(small);
  deep_copy(subview(a, Range{6, 11}, Range{1, 3}, ALL), small);
  for (Index i = 0; i < 13; ++i)
    for (Index j = 0; j < 4; ++j)
      for (Index k = 0; k < 3; ++k) {
        const bool inside = i >= 6 && i < 11 && j >= 1 && j < 3;
        ASSERT_EQ(a(i, j, k), inside ? 100 * (i - 6) + 10 * (j - 1) + k : 0);
      }
  expect_numbered(create_mirror_view(subview(a, Range{6, 11}, Range{1, 3}, ALL)));
}

TYPED_TEST(MirrorTest, DeepCopyOfAValueLeavesPaddingAlone) {
  const HostView<int* [2], TypeParam> a("a", 13);
  deep_copy(a, 7);
  Index sum = 0;
  for (Index k = 0; k < a.span(); ++k) sum += a.data()[k];
  EXPECT_EQ(sum, 7 * 26);
}

TYPED_TEST(MirrorTest, SizesThatDifferAreErrorsWithBothLabels) {
  const HostView<double**, TypeParam> to("to", 4, 5);
  const HostView<double**, LayoutRight> from("from", 4, 6);
  try {
    deep_copy(to, from);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "deep_copy of 'from' to 'to': extent of dimension 1 is 6, that of the destination is 5");
  }
}

TEST(Mirror, LargeCopiesAreWhole) {
  const Index n = 100003;
  const HostView<double*> a("a", n), b("b", n);
  for (Index i = 0; i < n; ++i) a(i) = static_cast<double>(i);
  deep_copy(b, a);
  for (Index i = 0; i < n; ++i) ASSERT_EQ(b(i), static_cast<double>(i));
  const HostView<double> scalar("scalar"), other("other");
  deep_copy(scalar, 4.0);
  deep_copy(other, scalar);
  EXPECT_EQ(other(), 4.0);
}

}  // namespace
}  // namespace trellis
