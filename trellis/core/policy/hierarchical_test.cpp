// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/policy/hierarchical.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "trellis/core/atomic.hpp"
#include "trellis/core/error.hpp"

namespace trellis {
namespace {

template <class Exec>
class HierarchicalTest : public testing::Test {};
using Spaces = testing::Types<Serial, DefaultHostExecutionSpace>;
TYPED_TEST_SUITE(HierarchicalTest, Spaces);

// Every work-item has its own ids, in one to three dimensions.
template <int D, class Exec>
void every_work_item_runs_once(const nd_range<D, Exec>& range, Index count, Index in_group) {
  std::vector<Index> seen(static_cast<std::size_t>(count), -1), visits(seen.size(), 0);
  Index *const at = seen.data(), *const visited = visits.data();
  parallel_for_work_group(
      "ids", range, TRELLIS_LAMBDA(const work_group<D>& group) noexcept {
        group.parallel_for_work_item([&](const h_item<D>& item) {
          const Index i = group.group_linear_id() * in_group + item.local_linear_id();
          at[i] = item.global_linear_id();
          atomic_add(&visited[i], Index{1});
        });
      });
  EXPECT_EQ(visits, std::vector<Index>(seen.size(), 1));
  std::vector<Index> sorted = seen;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Index> all(seen.size());
  std::iota(all.begin(), all.end(), Index{0});
  EXPECT_EQ(sorted, all);
  if (D == 1) {
    EXPECT_EQ(seen, all);
  }
}

TYPED_TEST(HierarchicalTest, EveryWorkItemRunsOnce) {
  using Exec = TypeParam;
  every_work_item_runs_once(nd_range<1, Exec>{60, 5}, 60, 5);
  every_work_item_runs_once(nd_range<2, Exec>{{6, 15}, {3, 5}}, 90, 15);
  every_work_item_runs_once(nd_range<3, Exec>{{4, 6, 10}, {2, 3, 5}}, 240, 30);
}

// Each call sees what all work-items wrote in the one before: a tree in the group's memory, a number of each work-item
// that is kept, and one of the group's.
TYPED_TEST(HierarchicalTest, CallsFollowOneAnother) {
  using Exec = TypeParam;
  constexpr Index size = 64, groups = 7;
  std::vector<Index> in(size * groups), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Index>(i * i % 1009);
  const Index* const a = in.data();
  Index* const b = out.data();
  LocalMemory memory;
  const auto array = memory.array<Index>(size);
  parallel_for_work_group(
      "tree", nd_range<1, Exec>{size * groups, size}.with(memory), TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
        Index* const t = group.local(array);
        Index& sum = group.template local<Index>();
        auto mine = group.template private_memory<Index>();
        group.parallel_for_work_item(
            [&](const h_item<1>& item) { t[item.local_id()] = mine(item) = a[item.global_id()]; });
        for (Index distance = size / 2; distance > 0; distance /= 2) {
          group.parallel_for_work_item([&](const h_item<1>& item) {
            if (item.local_id() < distance) t[item.local_id()] += t[item.local_id() + distance];
          });
        }
        group.once([&] { sum = 3 * t[0]; });
        group.parallel_for_work_item([&](const h_item<1>& item) { b[item.global_id()] = sum - mine(item); });
      });
  for (Index g = 0; g < groups; ++g) {
    const auto first = in.begin() + g * size;
    const Index sum = std::accumulate(first, first + size, Index{0});
    for (Index i = g * size; i < (g + 1) * size; ++i) {
      EXPECT_EQ(out[static_cast<std::size_t>(i)], 3 * sum - in[static_cast<std::size_t>(i)]);
    }
  }
}

TYPED_TEST(HierarchicalTest, TooMuchMemoryOfAGroupIsAnError) {
  using Exec = TypeParam;
  struct Large {
    std::byte bytes[700 * 1024];
  };
  const auto launch = [] {
    parallel_for_work_group(
        "large", nd_range<1, Exec>{8, 4}, TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
          group.template local<Large, 0>().bytes[0] = group.template local<Large, 1>().bytes[1];
        });
  };
  EXPECT_THROW(launch(), Error);
  EXPECT_THROW((nd_range<1, Exec>{8, 3}), Error);
}

}  // namespace
}  // namespace trellis
