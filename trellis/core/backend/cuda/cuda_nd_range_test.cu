// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Work-group kernels on a GPU: the same source, and the same bits, as on a host.
#include <gtest/gtest.h>

#include <cmath>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/nd_range.hpp"
#include "trellis/core/policy/hierarchical.hpp"

namespace trellis {
namespace cuda_nd_range_test {  // named, and kernels in free functions: CUDA's lambdas cannot be inside a test's
                                // body

class CudaNdRangeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!backend::cuda_available()) GTEST_SKIP() << "no CUDA device";
  }
};

template <class Exec, class T>
using Line = View<T*, typename Exec::memory_space>;

// For every work-item: reductions and scans of its group and sub-group, and values from other work-items.
constexpr Index results = 12;

template <class Exec>
void algorithms(Index size, const Line<Exec, double>& in, const Line<Exec, double>& out) {
  const Index n = 3 * size;
  parallel_for(
      "algorithms", nd_range<1, Exec>{n, size}, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        const double x = in(item.global_id());
        const auto sub_group = item.sub_group();
        const Index id = item.local_id(), at = results * item.global_id();
        out(at) = item.reduce(x);
        out(at + 1) = item.inclusive_scan(x);
        out(at + 2) = item.broadcast(x, size / 3);
        out(at + 3) = item.exclusive_scan(x);
        out(at + 4) = sub_group.reduce(x);
        out(at + 5) = sub_group.inclusive_scan(x);
        out(at + 6) = sub_group.exclusive_scan(x);
        out(at + 7) = sub_group.broadcast(x, sub_group.local_range() / 2);
        out(at + 8) = (item.any(id == size / 2) ? 1 : 0) + (item.all(id < size - 1) ? 2 : 0) +
                      (sub_group.any(id == size / 2) ? 4 : 0) + (sub_group.all(id < size - 1) ? 8 : 0);
        out(at + 9) = item.reduce(x, Maximum{});
        out(at + 10) = item.reduce(static_cast<short>(id));
        out(at + 11) = static_cast<double>(sub_group.group_id() + 100 * sub_group.local_range());
      });
}

TEST_F(CudaNdRangeTest, AlgorithmsHaveTheBitsOfAHost) {
  for (const Index size : {1, 5, 31, 32, 33, 64, 100, 256, 1000, 1024}) {
    const HostView<double*> in("in", 3 * size), expected("expected", results * 3 * size);
    for (Index i = 0; i < 3 * size; ++i) {
      in(i) = std::sin(static_cast<double>(i + 1)) * std::pow(10.0, static_cast<double>(i % 13));
    }
    const Line<Cuda, double> device("device", results * 3 * size);
    algorithms<DefaultHostExecutionSpace>(size, in, expected);
    algorithms<Cuda>(size, create_mirror_view_and_copy(Cuda::memory_space{}, in), device);
    const auto found = create_mirror_view_and_copy(device);
    for (Index i = 0; i < results * 3 * size; ++i) {
      ASSERT_EQ(found(i), expected(i)) << "result " << i % results << " of " << i / results << ", size " << size;
    }
  }
}

// A group reverses its tile: memory sized at launch and at compile time, in three dimensions.
template <class Exec>
void turn_around(const Line<Exec, Index>& out) {
  LocalMemory memory;
  memory.array<char>(1);
  const auto tile = memory.array<Index>(5 * 6 * 4);
  parallel_for(
      "turn around", nd_range<3, Exec>({10, 18, 8}, {5, 6, 4}).with(memory),
      TRELLIS_LAMBDA(const nd_item<3>& item) noexcept {
        Index* const t = item.local(tile);
        auto& first = item.template local<Index[4][6]>();
        const Index id = item.local_linear_id(), size = item.local_linear_range();
        t[id] = item.global_linear_id();
        if (item.local_id(0) == 0) first[item.local_id(2)][item.local_id(1)] = item.global_id(0);
        item.barrier();
        const Index of_line = first[3 - item.local_id(2)][5 - item.local_id(1)];
        out(item.global_linear_id()) = 1000000 * item.group_linear_id() + 1000 * of_line + t[size - 1 - id];
      });
}

TEST_F(CudaNdRangeTest, GroupsShareMemory) {
  const HostView<Index*> expected("expected", 10 * 18 * 8);
  const Line<Cuda, Index> device("device", 10 * 18 * 8);
  turn_around<DefaultHostExecutionSpace>(expected);
  turn_around<Cuda>(device);
  const auto found = create_mirror_view_and_copy(device);
  for (Index i = 0; i < 10 * 18 * 8; ++i) ASSERT_EQ(found(i), expected(i)) << i;
}

// The same in two scopes: a tree, numbers that work-items keep, and one of the group.
template <class Exec>
void subtract_from_sums(const Line<Exec, Index>& out) {
  constexpr Index size = 64;
  LocalMemory memory;
  const auto array = memory.array<Index>(size);
  parallel_for_work_group(
      "subtract from sums", nd_range<1, Exec>{5 * size, size}.with(memory),
      TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
        Index* const t = group.local(array);
        Index& sum = group.template local<Index>();
        auto mine = group.template private_memory<Index>();
        group.parallel_for_work_item(
            [&](const h_item<1>& item) { t[item.local_id()] = mine(item) = item.global_id() * item.global_id(); });
        for (Index distance = size / 2; distance > 0; distance /= 2) {
          group.parallel_for_work_item([&](const h_item<1>& item) {
            if (item.local_id() < distance) t[item.local_id()] += t[item.local_id() + distance];
          });
        }
        group.once([&] { sum = 3 * t[0]; });
        group.parallel_for_work_item([&](const h_item<1>& item) { out(item.global_id()) = sum - mine(item); });
      });
}

TEST_F(CudaNdRangeTest, GroupsRunInTwoScopes) {
  const HostView<Index*> expected("expected", 5 * 64);
  const Line<Cuda, Index> device("device", 5 * 64);
  subtract_from_sums<DefaultHostExecutionSpace>(expected);
  subtract_from_sums<Cuda>(device);
  const auto found = create_mirror_view_and_copy(device);
  for (Index i = 0; i < 5 * 64; ++i) ASSERT_EQ(found(i), expected(i)) << i;
}

void take_memory(std::size_t bytes) {
  LocalMemory memory;
  const auto line = memory.array<char>(static_cast<Index>(bytes));
  parallel_for(
      "take memory", nd_range<1, Cuda>{64, 64}.with(memory), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        item.template local<double[512]>()[item.local_id()] = item.local(line)[0];
      });
  Cuda{}.fence();
}

TEST_F(CudaNdRangeTest, TooMuchLocalMemoryIsAnError) {
  take_memory(44 * 1024);
  EXPECT_THROW(take_memory(44 * 1024 + 64), Error);  // in addition to 4 KiB of the kernel's own
  EXPECT_THROW(take_memory(49 * 1024), Error);
}

}  // namespace cuda_nd_range_test
}  // namespace trellis
