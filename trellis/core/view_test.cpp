// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/view.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "tests/support/message_of.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/subview.hpp"

namespace trellis {
namespace {

static_assert(HostView<double** [4][3]>::rank == 4 && HostView<double** [4][3]>::rank_dynamic == 2);
static_assert(HostView<double* [3]>::static_extent(1) == 3);
static_assert(std::is_same_v<HostView<double* [3]>::const_type, HostView<const double* [3]>>);
static_assert(std::is_convertible_v<HostView<double**>, HostView<const double**>>);
static_assert(!std::is_convertible_v<HostView<const double**>, HostView<double**>>, "const does not go away");
static_assert(!std::is_convertible_v<HostView<double**, LayoutLeft>, HostView<double**, LayoutRight>>,
              "copies are not hidden");
static_assert(!std::is_convertible_v<HostView<float*>, HostView<double*>>);
static_assert(!std::is_convertible_v<View<double*, LayoutRight, CudaSpace>, HostView<double*>>, "nor between spaces");
static_assert(!std::is_constructible_v<HostView<double**>, const char*, int>, "one argument a run-time extent");
static_assert(std::is_same_v<decltype(HostView<const int*>()(0)), const int&>);
static_assert(can_access<Serial, HostSpace> && !can_access<Serial, CudaSpace>);
static_assert(can_access<Serial, CudaHostPinnedSpace> && can_access<Serial, CudaManagedSpace>);

// Properties may come in any order, with the same meaning.
static_assert(std::is_same_v<View<double*, LayoutLeft, HostSpace>, View<double*, HostSpace, LayoutLeft>>);
static_assert(std::is_same_v<View<double*, Serial>, HostView<double*, LayoutRight>>, "a space stands for its memory");
static_assert(std::is_same_v<View<double*>, View<double*, DefaultExecutionSpace>>);
static_assert(std::is_same_v<View<double**, CudaSpace>::layout, LayoutLeft>);
static_assert(std::is_same_v<View<double**, CudaHostPinnedSpace>::layout, LayoutRight>);

// An access trait is a promise about reading: it may be added and removed; the values stay const.
using Random = HostView<const double**, RandomAccess>;
static_assert(std::is_convertible_v<HostView<double**>, Random> && std::is_convertible_v<Random, Random::const_type>);
static_assert(std::is_convertible_v<Random, HostView<const double**>>);
static_assert(!std::is_convertible_v<Random, HostView<double**>>);
static_assert(std::is_same_v<decltype(Random()(0, 0)), double>);

// Layouts convert if the same indices lead to the same places, or if strides can express the places.
static_assert(std::is_convertible_v<HostView<double**, LayoutLeft>, HostView<const double**, LayoutStride>>);
static_assert(std::is_convertible_v<HostView<double*, LayoutLeft>, HostView<double*, LayoutRight>>);
static_assert(!std::is_convertible_v<HostView<double**, LayoutStride>, HostView<double**, LayoutLeft>>);

// Spans: rank 1 and contiguous.
static_assert(std::is_convertible_v<HostView<double*>, std::span<double>>);
static_assert(std::is_convertible_v<HostView<const double*, LayoutTiled<8>>, std::span<const double>>);
static_assert(!std::is_convertible_v<HostView<const double*>, std::span<double>>);
static_assert(!std::is_convertible_v<HostView<double**>, std::span<double>>);
static_assert(!std::is_convertible_v<HostView<double*, LayoutStride>, std::span<double>>);
static_assert(!std::is_convertible_v<View<double*, CudaSpace>, std::span<double>>);
static_assert(!std::is_constructible_v<View<double*, CudaSpace>, std::span<double>>);

template <class Layout>
class ViewTest : public testing::Test {};
using Layouts = testing::Types<LayoutRight, LayoutLeft, LayoutTiled<1>, LayoutTiled<8>>;
TYPED_TEST_SUITE(ViewTest, Layouts);

TYPED_TEST(ViewTest, IsZeroAlignedAndKnowsItsShape) {
  const HostView<float** [3], TypeParam> a("a", 13, 5);
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
  const HostView<Index** [3], TypeParam> a("a", 13, 5);
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 3; ++k) a(i, j, k) = 100 * i + 10 * j + k;
  const HostView<const Index***, TypeParam> c = a;
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(c(i, j, k), 100 * i + 10 * j + k);
}

TYPED_TEST(ViewTest, LastViewFrees) {
  HostView<double*, TypeParam> a("a", 4);
  const double* const memory = a.data();
  a(3) = 7;
  EXPECT_EQ(a.use_count(), 1);
  HostView<const double*, TypeParam> last;
  {
    HostView<double*, TypeParam> b = a;
    const HostView<double*, TypeParam> moved = std::move(b);
    last = moved;
    EXPECT_EQ(a.use_count(), 3);
  }
  a = HostView<double*, TypeParam>();
  EXPECT_FALSE(a.is_allocated());
  EXPECT_EQ(last.use_count(), 1);
  EXPECT_EQ(last.data(), memory);
  EXPECT_EQ(last(3), 7);
}

TEST(View, LargeMemoryIsZeroToo) {
  const HostView<char*> a("large", (Index{1} << 22) + 77);  // on huge pages
  Index sum = 0;
  for (Index i = 0; i < a.extent(0); ++i) sum += a(i) != 0;
  EXPECT_EQ(sum, 0);
}

TEST(View, RankZeroHoldsOneValue) {
  const HostView<double> a("scalar");
  a() = 3;
  EXPECT_EQ(a.size(), 1);
  EXPECT_EQ(a(), 3);
}

TEST(View, EmptyExtentsAreLegal) {
  const HostView<double**> a("empty", 0, 5);
  EXPECT_EQ(a.size(), 0);
  EXPECT_EQ(HostView<double*>().extent(0), 0);
}

TEST(View, UnmanagedSharesTheCallersMemory) {
  std::vector<int> memory(12);
  const HostView<int* [3]> a(memory.data(), 4);
  a(2, 1) = 5;
  EXPECT_EQ(memory[7], 5);
  EXPECT_EQ(a.use_count(), 0);
}

TEST(View, StaticExtentsAreCheckedWhenAssigned) {
  const HostView<double**> a("loose", 4, 3);
  const HostView<double* [3]> b = a;
  EXPECT_EQ(&b(2, 1), &a(2, 1));
  try {
    const HostView<double* [5]> c = a;
    FAIL() << c.extent(1);
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "View 'loose': extent of dimension 1 is 3; the View assigned to has 5");
  }
}

TEST(View, FailuresNameTheLabel) {
  EXPECT_EQ(test::message_of([] { HostView<double**> a("field", 4, -1); }),
            "View 'field': extent -1 of dimension 1 is negative");
  EXPECT_EQ(test::message_of([] { HostView<double**> a("field", Index{1} << 40, Index{1} << 40); }),
            "View 'field': extents multiply to more than 2^63 bytes");
  EXPECT_EQ(test::message_of([] { HostView<double*> a("field", Index{1} << 50); }),
            "View 'field': cannot allocate 9007199254740992 bytes in HostSpace");
}

#if defined(TRELLIS_BOUNDS_CHECK)
TEST(View, IndicesAreChecked) {
  const HostView<double* [3]> a("field", 4);
  EXPECT_EQ(test::message_of([&] { a(3, 3) = 1; }), "View 'field': index 3 of dimension 1 is outside [0, 3)");
  EXPECT_EQ(test::message_of([&] { a(-1, 0) = 1; }), "View 'field': index -1 of dimension 0 is outside [0, 4)");
}
#endif

TEST(View, CountIsSafeAcrossThreads) {
  const HostView<int*> a("shared", 8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([a] {
      for (int k = 0; k < 2000; ++k) {
        const HostView<const int*> copy = a;
        EXPECT_EQ(copy(1), 0);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(a.use_count(), 1);
}

TEST(View, ConvertsToAndFromSpans) {
  std::vector<double> numbers(12, 1.5);
  const std::span<double> all(numbers);
  const HostView<double**> matrix(all, 3, 4);
  matrix(2, 3) = 7;
  EXPECT_EQ(numbers[11], 7);
  const HostView<double* [4]> fixed(all, 3);
  EXPECT_EQ(&fixed(1, 1), &numbers[5]);
  const HostView<const double*> line(std::span<const double>(numbers.data(), 5));
  EXPECT_EQ(line.extent(0), 5);
  const std::span<const double> back = line;
  EXPECT_EQ(back.data(), numbers.data());
  EXPECT_EQ(back.size(), 5U);
  EXPECT_EQ(test::message_of([&] { const HostView<double**> wrong(all, 3, 5); }),
            "View of a span: it has 12 elements, the extents need 15");
  EXPECT_EQ(test::message_of([&] { const HostView<double**, LayoutTiled<8>> wrong(all, 3, 4); }),
            "View of a span: it has 12 elements, the extents need 32");
}

TYPED_TEST(ViewTest, StridesSayWhereElementsAre) {
  if constexpr (std::is_same_v<TypeParam, LayoutRight> || std::is_same_v<TypeParam, LayoutLeft>) {
    const HostView<double***, TypeParam> a("a", 3, 4, 5);
    const HostView<double* [4][5], LayoutStride> strided = a;
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 4; ++j)
        for (Index k = 0; k < 5; ++k) ASSERT_EQ(&strided(i, j, k), &a(i, j, k));
    EXPECT_EQ(a.use_count(), 2);
  }
}

TEST(View, RandomAccessSharesAndReads) {
  const HostView<double* [3]> positions("positions", 5);
  positions(4, 2) = 2.5;
  const HostView<const double* [3], RandomAccess> read = positions;
  EXPECT_EQ(read(4, 2), 2.5);
  EXPECT_EQ(positions.use_count(), 2);
  const HostView<const double* [3]> plain = read;
  EXPECT_EQ(&plain(4, 2), &positions(4, 2));
}

TEST(View, TraitsOfAccessCombine) {
  using Both = HostView<double**, Restrict, LayoutLeft, Aligned>;
  EXPECT_TRUE((std::is_same_v<Both, HostView<double**, Aligned, Restrict, LayoutLeft>>));
  EXPECT_TRUE(Both::access::restricted && Both::access::aligned && !Both::access::atomic && !Both::access::random);
  const HostView<double**, LayoutLeft> a("a", 5, 3);
  const Both both = a;
  both(4, 2) = 7;
  EXPECT_EQ(a(4, 2), 7);
  EXPECT_EQ(a.use_count(), 2);
  const auto part = subview(both, ALL, 1);  // may begin anywhere
  EXPECT_FALSE(decltype(part)::access::aligned);
  EXPECT_TRUE(decltype(part)::access::restricted);
  EXPECT_EQ(&part(3), &a(3, 1));
}

TEST(View, AlignedIsChecked) {
  const HostView<double*> a("a", 64);
  const HostView<double*, Aligned> whole = a;
  EXPECT_EQ(&whole(63), &a(63));
  const auto part = subview(a, Range{1, 64});
  try {
    const HostView<double*, Aligned> wrong = part;
    FAIL() << wrong.data();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("View 'a': its data at "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("is not aligned to 128 bytes"), std::string::npos) << error.what();
  }
  using OfPointer = HostView<double*, Aligned>;
  EXPECT_THROW(OfPointer(a.data() + 1, 3), Error);
  EXPECT_NO_THROW(OfPointer(a.data() + 16, 3));
}

// Copies and parts made within a kernel do not count, and what it passes on does not own.
TEST(View, WithinAKernelOnlyItsOwnMemoryIsCounted) {
  const HostView<int**> a("a", 4, 3);
  HostView<int*> kept;
  parallel_for("copies", RangePolicy<Serial>(0, 4), [a, &kept](Index i) {
    const auto copy = a;
    const auto row = subview(copy, i, ALL);
    row(2) = static_cast<int>(i) + 1;
    EXPECT_EQ(a.use_count(), 2) << "the caller's and the functor's";
    EXPECT_EQ(row.label(), "a");
    HostView<int*> own("own", 2);
    const auto shared = own;
    EXPECT_EQ(own.use_count(), 2);
    own = {};
    EXPECT_EQ(shared.use_count(), 1);
    if (i == 3) kept = shared;
  });
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(a(3, 2), 4);
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_EQ(kept.label(), "own");
}

}  // namespace
}  // namespace trellis
