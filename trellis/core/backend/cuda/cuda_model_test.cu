// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Teams, atomics, streams, and memory that both sides can access.
#include <gtest/gtest.h>

#include <cmath>

#include "trellis/core/atomic.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/subview.hpp"

namespace trellis {
namespace cuda_model_test {  // named, and kernels in free functions: CUDA's lambdas cannot be inside a test's body

class CudaModelTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!backend::cuda_available()) GTEST_SKIP() << "no CUDA device";
  }
};

using Member = TeamPolicy<Cuda>::Member;
constexpr Index length = 77;

void work_together(const TeamPolicy<Cuda>& policy, const View<Index**>& scanned, const View<Index*>& totals,
                   const View<int*>& agreed) {
  parallel_for(
      "together", policy, TRELLIS_LAMBDA(const Member& team) {
        const Index t = team.league_rank();
        const auto line = team.template scratch<Index*>(length);
        parallel_for(TeamVectorRange(team, length), [&](Index i) { line(length - 1 - i) = i + t; });
        team.team_barrier();
        Index total = 0;
        parallel_scan(
            TeamThreadRange(team, length),
            [&](Index i, Index& before, bool final) {
              if (final) scanned(t, i) = before;
              before += line(i);
            },
            total);
        Index largest = -1, sum = -1, nested = -1, lane_total = -1, told = team.team_rank();
        parallel_reduce(
            TeamThreadRange(team, length), [&](Index i, Index& m) { m = line(i) > m ? line(i) : m; }, largest,
            Max<Index>{});
        parallel_reduce(TeamVectorRange(team, length), [&](Index i, Index& s) { s += line(i); }, sum);
        // Rows of eleven, each summed by the lanes of one thread.
        parallel_reduce(
            TeamThreadRange(team, length / 11),
            [&](Index row, Index& s) {
              Index of_row = 0;
              parallel_reduce(ThreadVectorRange(team, 11), [&](Index i, Index& r) { r += line(11 * row + i); }, of_row);
              s += of_row;
            },
            nested);
        parallel_scan(
            ThreadVectorRange(team, length), [&](Index i, Index& before, bool) { before += line(i); }, lane_total);
        single(PerTeam(team), [&](Index& value) { value = 100 + t; }, told);
        const bool right =
            total == sum && nested == sum && lane_total == sum && largest == length - 1 + t && told == 100 + t;
        single(PerThread(team), [&] {
          if (right) atomic_add(&agreed(t), 1);
        });
        single(PerTeam(team), [&] { totals(t) = total; });
      });
}

TEST_F(CudaModelTest, ATeamWorksTogether) {
  constexpr Index teams = 300;
  for (const int size : {1, 3, 32, 128}) {
    for (const int lanes : {1, 4, 8}) {
      const View<Index**> scanned("scanned", teams, length);
      const View<Index*> totals("totals", teams);
      const View<int*> agreed("agreed", teams);
      TeamPolicy<Cuda> policy(teams, size, lanes);
      policy.set_scratch_size(scratch_bytes<Index*>(length));
      work_together(policy, scanned, totals, agreed);
      const auto all = create_mirror_view_and_copy(agreed);
      const auto sums = create_mirror_view_and_copy(totals);
      const auto before = create_mirror_view_and_copy(scanned);
      for (Index t = 0; t < teams; ++t) {
        ASSERT_EQ(all(t), size) << size << ' ' << lanes << ' ' << t;
        ASSERT_EQ(sums(t), length * (length - 1) / 2 + length * t);
        Index expected = 0;
        for (Index i = 0; i < length; ++i) {
          ASSERT_EQ(before(t, i), expected);
          expected += length - 1 - i + t;
        }
      }
    }
  }
}

double sum_of_teams(const TeamPolicy<Cuda>& policy) {
  double sum = 0;
  parallel_reduce(
      "rows", policy,
      TRELLIS_LAMBDA(const Member& team, double& s) {
        double row = 0;
        parallel_reduce(
            TeamVectorRange(team, 100),
            [&](Index i, double& r) { r += 1.0 / double(100 * team.league_rank() + i + 1); }, row);
        if (team.team_rank() == 0) s += row;
      },
      sum);
  return sum;
}

TEST_F(CudaModelTest, ReducesOverTheLeague) {
  double expected = 0;
  for (int i = 70000; i > 0; --i) expected += 1.0 / i;
  for (const int lanes : {1, 32}) {
    const TeamPolicy<Cuda> policy(700, AUTO, lanes);
    const double sum = sum_of_teams(policy);
    EXPECT_NEAR(sum, expected, 1e-13 * expected);
    EXPECT_EQ(sum_of_teams(policy), sum) << "the same bits every time";
  }
}

void count_up(const View<int*>& histogram, const View<double>& sum, const View<Index>& largest, Index n) {
  parallel_for(
      "updates", RangePolicy<Cuda>(0, n), TRELLIS_LAMBDA(Index i) {
        atomic_add(&histogram(i % 3), 1);
        atomic_add(&sum(), 0.5);
        atomic_max(&largest(), i);
      });
}

TEST_F(CudaModelTest, NoAtomicUpdateIsLost) {
  const View<int*> histogram("histogram", 3);
  const View<double> sum("sum");
  const View<Index> largest("largest");
  count_up(histogram, sum, largest, 30000);
  EXPECT_EQ(create_mirror_view_and_copy(histogram)(1), 10000);
  EXPECT_EQ(create_mirror_view_and_copy(sum)(), 15000);
  EXPECT_EQ(create_mirror_view_and_copy(largest)(), 29999);
}

template <class V>
void triple(const V& a, const Cuda& space) {
  parallel_for("triple", RangePolicy<Cuda>(space, 0, a.extent(0)), TRELLIS_LAMBDA(Index i) { a(i) = 3 * a(i) + i; });
}

// Memory that both sides can access needs no mirror, only a fence.
template <class Space>
void expect_both_sides_reach() {
  const View<double*, Space> a("both", 5000);
  for (Index i = 0; i < 5000; ++i) a(i) = static_cast<double>(i);
  triple(a, Cuda{});
  fence();
  for (Index i = 0; i < 5000; ++i) ASSERT_EQ(a(i), 4.0 * static_cast<double>(i));
  EXPECT_EQ(create_mirror_view(a).data(), a.data());
  const View<double*> own("own", 5000);
  deep_copy(own, a);
  EXPECT_EQ(create_mirror_view_and_copy(own)(4999), 4.0 * 4999);
}

TEST_F(CudaModelTest, PinnedAndManagedMemoryIsReachedByBothSides) {
  expect_both_sides_reach<CudaHostPinnedSpace>();
  expect_both_sides_reach<CudaManagedSpace>();
}

TEST_F(CudaModelTest, InstancesKeepTheirOwnOrder) {
  const Instances<Cuda> streams(3);
  std::vector<View<double*>> lines;
  for (int s = 0; s < 3; ++s) lines.emplace_back("line", 100000);
  for (int step = 0; step < 4; ++step)
    for (int s = 0; s < 3; ++s) triple(lines[s], streams[s]);
  const View<double*> copy("copy", 100000);
  deep_copy(streams[2], copy, lines[2]);
  streams[2].fence();
  EXPECT_EQ(create_mirror_view_and_copy(copy)(7), 40 * 7);
  fence();
  for (int s = 0; s < 3; ++s) EXPECT_EQ(create_mirror_view_and_copy(lines[s])(99999), 40.0 * 99999);
}

void add_random_reads(const View<double*>& out, const View<const double* [3], RandomAccess>& read) {
  parallel_for(
      "read", RangePolicy<Cuda>(0, out.extent(0)), TRELLIS_LAMBDA(Index i) {
        const Index j = (i * 7919) % out.extent(0);
        out(i) = read(j, 0) + read(j, 1) + read(j, 2);
      });
}

TEST_F(CudaModelTest, RandomAccessReadsTheSame) {
  const View<double* [3]> points("points", 1000);
  const auto host = create_mirror_view(points);
  for (Index i = 0; i < 1000; ++i)
    for (int k = 0; k < 3; ++k) host(i, k) = static_cast<double>(10 * i + k);
  deep_copy(points, host);
  const View<double*> out("out", 1000);
  add_random_reads(out, points);
  const auto found = create_mirror_view_and_copy(out);
  for (Index i = 0; i < 1000; ++i) ASSERT_EQ(found(i), 30 * ((i * 7919) % 1000) + 3);
}

std::vector<double> histogram_of(Index n, std::size_t bins) {
  std::vector<double> sums(bins, -1.0);
  parallel_reduce(
      "histogram", RangePolicy<Cuda>(0, n), TRELLIS_LAMBDA(Index i, double* s) { s[i % bins] += double(i); },
      std::span(sums));
  return sums;
}

TEST_F(CudaModelTest, ReducesArraysOfAnyLength) {
  for (const std::size_t bins : {1, 7, 100}) {
    std::vector<double> expected(bins, 0.0);
    for (Index i = 0; i < 20000; ++i) expected[i % bins] += static_cast<double>(i);
    EXPECT_EQ(histogram_of(20000, bins), expected);
  }
  EXPECT_THROW(histogram_of(100, 1000), Error);
}

TEST(CudaModel, TeamsThatCannotBeAreErrors) {
  EXPECT_THROW(TeamPolicy<Cuda>(4, 2048), Error);
  EXPECT_THROW(TeamPolicy<Cuda>(4, 64, 32), Error);
  EXPECT_THROW(TeamPolicy<Cuda>(4).set_scratch_size(1 << 20), Error);
}

static_assert(can_access<Cuda, CudaManagedSpace> && can_access<Cuda, CudaHostPinnedSpace>);
static_assert(std::is_same_v<View<double**>::memory_space, CudaSpace>);
static_assert(std::is_same_v<View<double**>::layout, LayoutLeft>);

}  // namespace cuda_model_test
}  // namespace trellis
