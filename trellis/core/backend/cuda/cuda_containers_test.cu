// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Containers, random numbers, policies' properties and tasks on a GPU: the same results as on a host, whose tests have
// oracles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/containers/crs_graph.hpp"
#include "trellis/core/containers/dual_view.hpp"
#include "trellis/core/containers/scatter_view.hpp"
#include "trellis/core/containers/sort.hpp"
#include "trellis/core/containers/unordered_map.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/random/random_numbers.hpp"
#include "trellis/core/tasks/task_graph.hpp"

namespace trellis {
namespace cuda_containers_test {  // named, and kernels in free functions: CUDA's lambdas cannot be inside a test's body

class CudaContainersTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!backend::cuda_available()) GTEST_SKIP() << "no CUDA device";
  }
};

constexpr Index n = 60000;

template <class T>
View<T*> on_device(const HostView<T*>& from) {
  const View<T*> to(uninitialized, from.label(), from.extent(0));
  deep_copy(to, from);
  return to;
}

TEST_F(CudaContainersTest, SortsAsAHost) {
  const HostView<double*> keys("keys", n);
  for (Index i = 0; i < n; ++i) keys(i) = std::round(1000 * std::sin(double(i)));
  const auto order = create_mirror_view_and_copy(HostSpace{}, sort_permutation(on_device(keys)));
  const auto expected = sort_permutation(DefaultHostExecutionSpace{}, keys);
  for (Index i = 0; i < n; ++i) ASSERT_EQ(order(i), expected(i)) << i;
}

TEST_F(CudaContainersTest, GraphsAreThoseOfAHost) {
  constexpr Index rows = 500;
  const HostView<int*> from("from", n);
  const HostView<Index*> to("to", n);
  for (Index e = 0; e < n; ++e) from(e) = int(e * e % rows), to(e) = e * 7 % 321;
  const auto device = crs_from_edges(rows, on_device(from), on_device(to));
  const auto host = crs_from_edges(DefaultHostExecutionSpace{}, rows, from, to);
  const auto row_map = create_mirror_view_and_copy(HostSpace{}, device.row_map);
  const auto entries = create_mirror_view_and_copy(HostSpace{}, device.entries);
  for (Index r = 0; r <= rows; ++r) ASSERT_EQ(row_map(r), host.row_map(r));
  for (Index k = 0; k < n; ++k) ASSERT_EQ(entries(k), host.entries(k)) << k;
  const auto turned = create_mirror_view_and_copy(HostSpace{}, transpose(device, 321).entries);
  const auto host_turned = transpose(host, 321).entries;
  for (Index k = 0; k < n; ++k) ASSERT_EQ(turned(k), host_turned(k)) << k;
}

using Counts = UnorderedMap<Index, int>;
void count(const Counts& counts) {
  parallel_for(
      "count", n, TRELLIS_LAMBDA(Index i) {
        const auto result = counts.insert(i * i % 1009, 0);
        if (!result.failed()) atomic_add(&counts.value_at(result.place), 1);
      });
}
void erase_even(const Counts& counts) {
  parallel_for(
      "erase", 1009, TRELLIS_LAMBDA(Index i) {
        if (i % 2 == 0) counts.erase(i);
      });
}
void look_up(const Counts& counts, const View<int*>& found) {
  parallel_for(
      "look up", found.extent(0), TRELLIS_LAMBDA(Index i) {
        const Index place = counts.find(i);
        found(i) = place < 0 ? 0 : counts.value_at(place);
      });
}

TEST_F(CudaContainersTest, AMapCountsAsAStdMapWould) {
  std::map<Index, int> expected;
  for (Index i = 0; i < n; ++i) ++expected[i * i % 1009];
  Counts counts("counts", 1024);
  count(counts);
  EXPECT_EQ(counts.size(), Index(expected.size()));
  EXPECT_EQ(counts.failed_inserts(), 0);
  counts.rehash(4096);
  const View<int*> found("found", 1009);
  look_up(counts, found);
  auto host = create_mirror_view_and_copy(HostSpace{}, found);
  for (Index i = 0; i < 1009; ++i) ASSERT_EQ(host(i), expected.count(i) ? expected[i] : 0) << i;
  erase_even(counts);
  look_up(counts, found);
  host = create_mirror_view_and_copy(HostSpace{}, found);
  for (Index i = 0; i < 1009; ++i) ASSERT_EQ(host(i), i % 2 == 1 && expected.count(i) ? expected[i] : 0) << i;
  const Counts small("small", 64);
  count(small);
  EXPECT_EQ(small.size(), 64);
  EXPECT_GT(small.failed_inserts(), 0);
}

void scatter(const View<double*>& sums, const View<double*>& products) {
  using Sums = ScatterView<double*>;
  using Products = ScatterView<double*, Cuda, Prod<double>>;
  parallel_scatter("sum", n, Sums(sums), TRELLIS_LAMBDA(Index i, const Sums::Access& to) { to(i % 7) += double(i); });
  parallel_scatter(
      "product", 70, Products(products), TRELLIS_LAMBDA(Index i, const Products::Access& to) { to(i % 7).join(2.0); });
}

TEST_F(CudaContainersTest, ScattersAddUp) {
  const View<double*> sums("sums", 7), products("products", 7);
  deep_copy(products, 1.0);
  scatter(sums, products);
  std::vector<double> expected(7);
  for (Index i = 0; i < n; ++i) expected[std::size_t(i % 7)] += double(i);
  const auto host = create_mirror_view_and_copy(HostSpace{}, sums);
  for (Index k = 0; k < 7; ++k) {
    EXPECT_EQ(host(k), expected[std::size_t(k)]);
    EXPECT_EQ(create_mirror_view_and_copy(HostSpace{}, products)(k), 1024);
  }
}

TEST_F(CudaContainersTest, DualViewsHaveTwoSides) {
  const DualView<double*> x("x", 100);
  x.modify_host();
  x.host()(99) = 5;
  EXPECT_THROW(x.modify_device(), Error);
  x.sync_device();
  x.modify_device();
  deep_copy(Cuda{}, x.device(), 3.0);
  x.sync_host();
  EXPECT_EQ(x.host()(99), 3);
}

struct Draw {
  struct Fill {};
  struct Sum {};
  View<double**> drawn;
  TRELLIS_FUNCTION void operator()(Fill, Index i) const {
    const RandomNumbers numbers(7, 3);
    auto sequence = numbers.sequence(std::uint64_t(i));
    drawn(i, 0) = numbers.normal(std::uint64_t(i), 5);
    drawn(i, 1) = sequence.uniform() + double(sequence.integer(1000)) + sequence.normal();
  }
  TRELLIS_FUNCTION void operator()(Sum, Index i, Index& sum) const { sum += Index(1000 * drawn(i, 1)); }
  TRELLIS_FUNCTION void operator()(Fill, const TeamPolicy<Cuda>::Member& team) const {
    if (team.team_rank() == 0) drawn(team.league_rank(), 0) = 1;
  }
};

// Also: tags and bounds do not change what runs.
TEST_F(CudaContainersTest, RandomNumbersAreThoseOfAHost) {
  const Draw draw{View<double**>("drawn", 3000, 2)};
  parallel_for("draw", RangePolicy<Cuda, Draw::Fill, LaunchBounds<128, 4>, Schedule<Dynamic>>(0, 3000), draw);
  const auto host = create_mirror_view_and_copy(HostSpace{}, draw.drawn);
  const RandomNumbers numbers(7, 3);
  Index expected = 0, sum = 0;
  for (Index i = 0; i < 3000; ++i) {
    auto sequence = numbers.sequence(std::uint64_t(i));
    ASSERT_EQ(host(i, 0), numbers.normal(std::uint64_t(i), 5)) << i;
    double all = sequence.uniform();
    all += double(sequence.integer(1000));
    all += sequence.normal();
    ASSERT_EQ(host(i, 1), all) << i;
    expected += Index(1000 * all);
  }
  parallel_reduce("sum", RangePolicy<Cuda, Draw::Sum>(0, 3000), draw, sum);
  EXPECT_EQ(sum, expected);
  parallel_for("teams", TeamPolicy<Cuda, Draw::Fill, LaunchBounds<256>>(3000, 64), draw);
  EXPECT_EQ(create_mirror_view_and_copy(HostSpace{}, draw.drawn)(2999, 0), 1);
  using TooSmall = TeamPolicy<Cuda, Draw::Fill, LaunchBounds<32>>;
  EXPECT_THROW(parallel_for("teams", TooSmall(3000, 64), draw), Error);
}

void add(const Cuda& space, const View<double*>& a, const View<const double*>& b) {
  parallel_for("add", RangePolicy<Cuda>(space, 0, n), TRELLIS_LAMBDA(Index i) { a(i) += b(i); });
}

TEST_F(CudaContainersTest, TasksKeepTheirOrder) {
  const View<double*> a("a", n), b("b", n);
  TaskGraph<> graph;
  const Task make_a = graph.add("a", [=](const Cuda& space) { deep_copy(space, a, 1.0); });
  const Task make_b = graph.add("b", [=](const Cuda& space) { deep_copy(space, b, 2.0); });
  const Task sum = graph.add("a + b", [=](const Cuda& space) { add(space, a, b); }, {make_a, make_b});
  graph.add("b + a", [=](const Cuda& space) { add(space, b, a); }, {sum});
  for (int turn = 0; turn < 3; ++turn) {
    graph.run(TaskOrder::side_by_side);
    EXPECT_EQ(create_mirror_view_and_copy(HostSpace{}, b)(n - 1), 5);
  }
}

}  // namespace cuda_containers_test
}  // namespace trellis
