// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/subview.hpp"

namespace trellis {
namespace cuda_test {  // named, and kernels in free functions: CUDA's lambdas cannot be inside a test's body

template <class T>
using Line = View<T*, LayoutRight, CudaSpace>;

class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!backend::cuda_available()) GTEST_SKIP() << "no CUDA device";
  }
};

void add_squares(const Line<Index>& a, Index begin, Index end) {
  parallel_for("squares", RangePolicy<Cuda>(begin, end), TRELLIS_LAMBDA(Index i) { a(i) += i * i; });
}

TEST_F(CudaTest, ForVisitsEveryIndexOnce) {
  for (const Index n : {1, 255, 256, 257, 100000}) {
    const Line<Index> a("a", n + 3);
    add_squares(a, 3, n + 3);
    const auto h = create_mirror_view_and_copy(a);
    for (Index i = 0; i < n + 3; ++i) ASSERT_EQ(h(i), i < 3 ? 0 : i * i);
  }
}

template <class Layout, class R>
void fill_tiles(const View<Index** [5], Layout, CudaSpace>& a, const std::array<Index, 3>& tile) {
  parallel_for(
      "tiles", MDRangePolicy<Cuda, R>({1, 0, 0}, {a.extent(0), a.extent(1), 5}, tile),
      TRELLIS_LAMBDA(Index i, Index j, Index k) { a(i, j, k) += 100 * i + 10 * j + k; });
}

template <class Layout, class R>
void expect_tiles(const std::array<Index, 3>& tile) {
  const View<Index** [5], Layout, CudaSpace> a("a", 37, 9);
  fill_tiles<Layout, R>(a, tile);
  const auto h = create_mirror_view_and_copy(a);
  for (Index i = 0; i < 37; ++i)
    for (Index j = 0; j < 9; ++j)
      for (Index k = 0; k < 5; ++k) ASSERT_EQ(h(i, j, k), i == 0 ? 0 : 100 * i + 10 * j + k);
}

TEST_F(CudaTest, MDRangeVisitsEveryIndexOnce) {
  expect_tiles<LayoutRight, Rank<3>>({4, 4, 4});
  expect_tiles<LayoutLeft, Rank<3, Iterate::Left>>({32, 2, 1});
  expect_tiles<LayoutTiled<32>, Rank<3, Iterate::Left>>({32, 1, 5});
  EXPECT_THROW((MDRangePolicy<Cuda, Rank<2>>({0, 0}, {64, 64}, {64, 32})), Error);
}

double sum_of(Index n) {
  double sum = 0;
  parallel_reduce(
      "sum", RangePolicy<Cuda>(0, n), TRELLIS_LAMBDA(Index i, double& s) { s += 1.0 / static_cast<double>(i + 1); },
      sum);
  return sum;
}

Index sum_of_pairs(Index n, Index m) {
  Index sum = 0;
  parallel_reduce(
      "pairs", MDRangePolicy<Cuda, Rank<2>>({0, 0}, {n, m}),
      TRELLIS_LAMBDA(Index i, Index j, Index & s) { s += i * j; }, sum);
  return sum;
}

ValueLoc<Index> highest(Index n, Index at) {
  ValueLoc<Index> found{};
  parallel_reduce(
      "highest", RangePolicy<Cuda>(0, n),
      TRELLIS_LAMBDA(Index i, ValueLoc<Index> & m) { MaxLoc<Index>{}.join(m, {i < at ? i : 2 * at - i, i}); }, found,
      MaxLoc<Index>{});
  return found;
}

TEST_F(CudaTest, ReduceIsRightAndRepeatsItself) {
  for (const Index n : {1, 200, 300, 1000000}) {
    double expected = 0;
    for (Index i = n; i > 0; --i) expected += 1.0 / static_cast<double>(i);
    const double sum = sum_of(n);
    EXPECT_NEAR(sum, expected, 1e-14 * expected);
    for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(sum_of(n), sum);
  }
  EXPECT_EQ(sum_of_pairs(100, 77), (99 * 100 / 2) * (76 * 77 / 2));
  EXPECT_EQ(highest(1000000, 654321).index, 654321);
}

Index scan(const Line<Index>& before, Index n) {
  Index total = -1;
  parallel_scan(
      "scan", RangePolicy<Cuda>(0, n),
      TRELLIS_LAMBDA(Index i, Index & sum, bool final) {
        if (final) before(i) = sum;
        sum += i % 5;
      },
      total);
  return total;
}

TEST_F(CudaTest, ScanIsExclusiveWithTotal) {
  for (const Index n : {1, 256, 257, 262144, 262145, 1000003}) {
    const Line<Index> before("before", n);
    const Index total = scan(before, n);
    const auto h = create_mirror_view_and_copy(before);
    Index expected = 0;
    for (Index i = 0; i < n; ++i) {
      ASSERT_EQ(h(i), expected) << i << " of " << n;
      expected += i % 5;
    }
    EXPECT_EQ(total, expected);
  }
}

TEST_F(CudaTest, DeepCopyCrossesSpacesAndLayouts) {
  const HostView<double** [3]> host("host", 33, 4), back("back", 33, 4);
  for (Index i = 0; i < 33; ++i)
    for (Index j = 0; j < 4; ++j)
      for (Index k = 0; k < 3; ++k) host(i, j, k) = static_cast<double>(100 * i + 10 * j + k);
  const View<double***, LayoutTiled<32>, CudaSpace> tiled("tiled", 33, 4, 3);
  const View<double***, LayoutLeft, CudaSpace> left("left", 33, 4, 3);
  deep_copy(tiled, host);
  deep_copy(left, tiled);
  deep_copy(back, left);
  for (Index i = 0; i < 33; ++i)
    for (Index j = 0; j < 4; ++j)
      for (Index k = 0; k < 3; ++k) ASSERT_EQ(back(i, j, k), host(i, j, k));

  const HostView<double*> part("part", 4);
  deep_copy(part, subview(tiled, 30, ALL, 2));
  for (Index j = 0; j < 4; ++j) EXPECT_EQ(part(j), host(30, j, 2));
  deep_copy(subview(left, Range{5, 9}, 1, 1), 7.0);
  deep_copy(back, left);
  EXPECT_EQ(back(4, 1, 1), host(4, 1, 1));
  EXPECT_EQ(back(5, 1, 1), 7.0);
  EXPECT_EQ(back(8, 1, 1), 7.0);
}

TEST_F(CudaTest, MirrorsAllocateOnlyWhereTheyMust) {
  const Line<float> a("a", 10);
  EXPECT_EQ(create_mirror_view(CudaSpace{}, a).data(), a.data());
  const auto h = create_mirror_view(a);
  static_assert(std::is_same_v<std::remove_const_t<decltype(h)>, HostView<float*>>);
  EXPECT_EQ(h.extent(0), 10);
}

TEST_F(CudaTest, FailuresAreNamed) {
  try {
    const Line<double> a("huge", Index{1} << 45);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("View 'huge': cannot allocate 281474976710656 bytes in CudaSpace"),
              std::string::npos)
        << e.what();
  }
  fence();  // the failed allocation leaves no error behind
}

static_assert(can_access<Cuda, CudaSpace> && !can_access<Cuda, HostSpace> && !can_access<OpenMP, CudaSpace>);
static_assert(std::is_same_v<DefaultExecutionSpace, Cuda> && std::is_same_v<DefaultMemorySpace, CudaSpace>);

}  // namespace cuda_test
}  // namespace trellis
