// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/view.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace trellis {
namespace {

static_assert(View<double** [4][3]>::rank == 4 && View<double** [4][3]>::rank_dynamic == 2);
static_assert(View<double* [3]>::static_extent(1) == 3);
static_assert(std::is_same_v<View<double* [3]>::const_type, View<const double* [3]>>);
static_assert(std::is_convertible_v<View<double**>, View<const double**>>);
static_assert(!std::is_convertible_v<View<const double**>, View<double**>>, "const does not go away");
static_assert(!std::is_convertible_v<View<double**, LayoutLeft>, View<double**, LayoutRight>>, "copies are not hidden");
static_assert(!std::is_convertible_v<View<float*>, View<double*>>);
static_assert(!std::is_convertible_v<View<double*, LayoutRight, CudaSpace>, View<double*>>, "nor between spaces");
static_assert(!std::is_constructible_v<View<double**>, const char*, int>, "one argument a run-time extent");
static_assert(std::is_same_v<decltype(View<const int*>()(0)), const int&>);
static_assert(can_access<Serial, HostSpace> && !can_access<Serial, CudaSpace>);

template <class Layout>
class ViewTest : public testing::Test {};
using Layouts = testing::Types<LayoutRight, LayoutLeft, LayoutTiled<1>, LayoutTiled<8>>;
TYPED_TEST_SUITE(ViewTest, Layouts);

TYPED_TEST(ViewTest, IsZeroAlignedAndKnowsItsShape) {
  const View<float** [3], TypeParam> a("a", 13, 5);
  EXPECT_EQ(a.label(), "a");
  EXPECT_TRUE(a.is_allocated());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % memory_alignment, 0U);
  EXPECT_EQ(a.extent(0), 13);
  EXPECT_EQ(a.extent(1), 5);
  EXPECT_EQ(a.extent(2), 3);
  EXPECT_EQ(a.size(), 195);
  EXPECT_GE(a.span(), a.size());
  for (Index k = 0; k < a.span(); ++k) EXPECT_EQ(a.data()[k], 0.0F);
}

TYPED_TEST(ViewTest, HoldsWhatWasWritten) {
  const View<Index** [3], TypeParam> a("a", 13, 5);
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 3; ++k) a(i, j, k) = 100 * i + 10 * j + k;
  const View<const Index***, TypeParam> c = a;
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(c(i, j, k), 100 * i + 10 * j + k);
}

TYPED_TEST(ViewTest, LastViewFrees) {
  View<double*, TypeParam> a("a", 4);
  const double* const memory = a.data();
  a(3) = 7;
  EXPECT_EQ(a.use_count(), 1);
  View<const double*, TypeParam> last;
  {
    View<double*, TypeParam> b = a;
    const View<double*, TypeParam> moved = std::move(b);
    last = moved;
    EXPECT_EQ(a.use_count(), 3);
  }
  a = View<double*, TypeParam>();
  EXPECT_FALSE(a.is_allocated());
  EXPECT_EQ(last.use_count(), 1);
  EXPECT_EQ(last.data(), memory);
  EXPECT_EQ(last(3), 7);
}

TEST(View, LargeMemoryIsZeroToo) {
  const View<char*> a("large", (Index{1} << 22) + 77);  // on huge pages
  Index sum = 0;
  for (Index i = 0; i < a.extent(0); ++i) sum += a(i) != 0;
  EXPECT_EQ(sum, 0);
}

TEST(View, RankZeroHoldsOneValue) {
  const View<double> a("scalar");
  a() = 3;
  EXPECT_EQ(a.size(), 1);
  EXPECT_EQ(a(), 3);
}

TEST(View, EmptyExtentsAreLegal) {
  const View<double**> a("empty", 0, 5);
  EXPECT_EQ(a.size(), 0);
  EXPECT_EQ(View<double*>().extent(0), 0);
}

TEST(View, UnmanagedSharesTheCallersMemory) {
  std::vector<int> memory(12);
  const View<int* [3]> a(memory.data(), 4);
  a(2, 1) = 5;
  EXPECT_EQ(memory[7], 5);
  EXPECT_EQ(a.use_count(), 0);
}

TEST(View, StaticExtentsAreCheckedWhenAssigned) {
  const View<double**> a("loose", 4, 3);
  const View<double* [3]> b = a;
  EXPECT_EQ(&b(2, 1), &a(2, 1));
  try {
    const View<double* [5]> c = a;
    FAIL() << c.extent(1);
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "View 'loose': extent of dimension 1 is 3; the View assigned to has 5");
  }
}

template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(View, FailuresNameTheLabel) {
  EXPECT_EQ(message_of([] { View<double**> a("field", 4, -1); }), "View 'field': extent -1 of dimension 1 is negative");
  EXPECT_EQ(message_of([] { View<double**> a("field", Index{1} << 40, Index{1} << 40); }),
            "View 'field': extents multiply to more than 2^63 bytes");
  EXPECT_EQ(message_of([] { View<double*> a("field", Index{1} << 50); }),
            "View 'field': cannot allocate 9007199254740992 bytes in HostSpace");
}

#if defined(TRELLIS_BOUNDS_CHECK)
TEST(View, IndicesAreChecked) {
  const View<double* [3]> a("field", 4);
  EXPECT_EQ(message_of([&] { a(3, 3) = 1; }), "View 'field': index 3 of dimension 1 is outside [0, 3)");
  EXPECT_EQ(message_of([&] { a(-1, 0) = 1; }), "View 'field': index -1 of dimension 0 is outside [0, 4)");
}
#endif

TEST(View, CountIsSafeAcrossThreads) {
  const View<int*> a("shared", 8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([a] {
      for (int k = 0; k < 2000; ++k) {
        const View<const int*> copy = a;
        EXPECT_EQ(copy(1), 0);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(a.use_count(), 1);
}

}  // namespace
}  // namespace trellis
