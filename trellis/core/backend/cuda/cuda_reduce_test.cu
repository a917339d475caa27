// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Reductions whose last block joins the results of the others.
#include <array>
#include <cmath>
#include <thread>

#include "tests/support/cuda.cuh"
#include "trellis/core/mirror.hpp"

namespace trellis {
namespace cuda_test {

class CudaReduce : public WithCuda {};

TRELLIS_FUNCTION double term(Index i) { return 1.0 / static_cast<double>(3 * i + 1) * (i % 2 == 0 ? 1 : -0.37); }

double sum_of_terms(Index n, const Cuda& space = {}) {
  double sum = 0;
  parallel_reduce("terms", RangePolicy<Cuda>(space, 0, n), TRELLIS_LAMBDA(Index i, double& s) { s += term(i); }, sum);
  return sum;
}

double tree(std::vector<double> values) {
  for (std::size_t half = values.size() / 2; half > 0; half /= 2)
    for (std::size_t t = 0; t < half; ++t) values[t] += values[t + half];
  return values[0];
}

// The same order of additions, on the host.
double sum_as_on_any_device(Index n) {
  constexpr Index threads = 256;
  const Index blocks = backend::reduce_blocks(n, threads);
  std::vector<double> of_blocks;
  for (Index block = 0; block < blocks; ++block) {
    std::vector<double> values(threads, 0.0);
    for (Index t = 0; t < threads; ++t)
      for (Index i = block * threads + t; i < n; i += blocks * threads) values[t] += term(i);
    of_blocks.push_back(tree(values));
  }
  std::vector<double> values(threads, 0.0);
  for (Index t = 0; t < threads; ++t)
    for (Index block = t; block < blocks; block += threads) values[t] += of_blocks[block];
  return tree(values);
}

TEST_F(CudaReduce, BitsDependOnTheLengthAlone) {
  for (const Index n : {1, 31, 256, 257, 5000, 262144, 262145, 1000003, 9000001})
    EXPECT_EQ(sum_of_terms(n), sum_as_on_any_device(n)) << n;
}

Index count(Index n) {
  Index sum = 0;
  parallel_reduce("count", RangePolicy<Cuda>(0, n), TRELLIS_LAMBDA(Index, Index & s) { s += 1; }, sum);
  return sum;
}

TEST_F(CudaReduce, EveryIndexCountsOnce) {
  for (Index n = 1; n < 20000000; n = n * 3 / 2 + 1) ASSERT_EQ(count(n), n);
  for (int repeat = 0; repeat < 3000; ++repeat) ASSERT_EQ(count(repeat + 1), repeat + 1);
}

TEST_F(CudaReduce, ThreadsAndStreamsDoNotDisturbOneAnother) {
  const double expected = sum_of_terms(100000);
  const Instances<Cuda> streams(2);
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int n = 0; n < 300; ++n) wrong[k] += sum_of_terms(100000, k < 2 ? streams[k] : Cuda{}) != expected;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

using Many = std::array<double, 24>;  // 192 bytes: 256 of them would fill all of the shared memory

Many sums_of_many(Index n) {
  Many sums{};
  parallel_reduce(
      "many", RangePolicy<Cuda>(0, n),
      TRELLIS_LAMBDA(Index i, Many & s) {
        for (int k = 0; k < 24; ++k) s[k] += static_cast<double>(i % (k + 1));
      },
      sums);
  return sums;
}

TEST_F(CudaReduce, LargeValues) {
  const Index n = 100000;
  Many expected{};
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 24; ++k) expected[k] += static_cast<double>(i % (k + 1));
  EXPECT_EQ(sums_of_many(n), expected);
}

// f's writes are complete when the result is, also for the host.
double write_and_sum(const View<double*, CudaManagedSpace>& a) {
  double sum = 0;
  parallel_reduce(
      "write", RangePolicy<Cuda>(0, a.extent(0)),
      TRELLIS_LAMBDA(Index i, double& s) {
        a(i) += 1;
        s += a(i);
      },
      sum);
  return sum;
}

TEST_F(CudaReduce, WhatItWritesIsThere) {
  const View<double*, CudaManagedSpace> a("a", 300000);
  for (int n = 1; n < 20; ++n) {
    EXPECT_EQ(write_and_sum(a), n * 300000.0);
    for (Index i = 0; i < 300000; ++i) ASSERT_EQ(a(i), n);
  }
}

using Team = TeamPolicy<Cuda>::Member;

double sum_over_small_teams(Index teams, int size) {
  double sum = 0;
  parallel_reduce(
      "teams", TeamPolicy<Cuda>(teams, size),
      TRELLIS_LAMBDA(const Team& team, double& s) { s += static_cast<double>(team.league_rank() % 7); }, sum);
  return sum / size;
}

TEST_F(CudaReduce, ManyTeams) {
  for (const Index teams : {Index{1}, Index{1000}, Index{400000}}) {
    double expected = 0;
    for (Index t = 0; t < teams; ++t) expected += static_cast<double>(t % 7);
    EXPECT_EQ(sum_over_small_teams(teams, 1), expected);
    EXPECT_EQ(sum_over_small_teams(teams, 4), expected);
  }
}

// For each index, the largest one before it that counts.
Index last_before(Index n, const View<Index*>& last) {
  Index total = -1;
  parallel_scan(
      "last", RangePolicy<Cuda>(0, n),
      TRELLIS_LAMBDA(Index i, Index & largest, bool final) {
        if (final) last(i) = largest;
        if (i % 1000 == 17) largest = i;
      },
      total, Max<Index>{});
  return total;
}

TEST_F(CudaReduce, ScansOfAnyReducer) {
  const Index n = 700000;
  const View<Index*> last("last", n);
  EXPECT_EQ(last_before(n, last), 699017);
  const auto host = create_mirror_view_and_copy(last);
  for (Index i = 18; i < n; ++i) ASSERT_EQ(host(i), (i - 18) / 1000 * 1000 + 17);
}

}  // namespace cuda_test
}  // namespace trellis
