// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/nd_range.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>
#include <vector>

#include "trellis/core/backend/fiber_stacks.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/tile_policy.hpp"  // not used here: shows that both headers can be included
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

template <int D>
using HostRange = nd_range<D, DefaultHostExecutionSpace>;

// Runs a test body in each of the library's ways.
template <class WayType>
class NdRangeTest : public testing::Test {
 protected:
  ~NdRangeTest() override { set_thread_count(threads_); }
  static constexpr auto way = work_items<WayType::value>;
  // Operating-system threads are slow: fewer groups for them.
  static Index groups(Index many) { return WayType::value == WorkItems::threads ? 2 : many; }
  int threads_ = concurrency();
};
using Ways = testing::Types<std::integral_constant<WorkItems, WorkItems::fibers>,
                            std::integral_constant<WorkItems, WorkItems::threads>>;
TYPED_TEST_SUITE(NdRangeTest, Ways);

// What a work-item sees, as numbers.
template <int D>
struct Found {
  Index global[D], local[D], group[D], linear[3];
  int visits;
};

template <int D>
Found<D> found_by(const nd_item<D>& item) {
  Found<D> found{};
  for (int d = 0; d < D; ++d) {
    found.global[d] = item.global_id(d);
    found.local[d] = item.local_id(d);
    found.group[d] = item.group_id(d);
  }
  found.linear[0] = item.global_linear_id();
  found.linear[1] = item.local_linear_id();
  found.linear[2] = item.group_linear_id();
  return found;
}

template <int D, class Way>
void every_work_item_runs_once(Way way, std::array<Index, 3> groups, std::array<Index, 3> local, bool with_barrier) {
  std::array<Index, 3> global{1, 1, 1};
  for (int d = 0; d < D; ++d) global[d] = groups[d] * local[d];
  const Index all = global[0] * global[1] * global[2];
  std::vector<Found<D>> seen(static_cast<std::size_t>(all));
  Found<D>* const at = seen.data();
  const auto range = [&] {
    if constexpr (D == 1) return HostRange<1>{global[0], local[0]};
    if constexpr (D == 2) return HostRange<2>{{global[0], global[1]}, {local[0], local[1]}};
    if constexpr (D == 3) return HostRange<3>{{global[0], global[1], global[2]}, {local[0], local[1], local[2]}};
  }();
  parallel_for("ids", range.by(way), [=](const nd_item<D>& item) noexcept {
    Found<D>& mine = at[item.global_linear_id()];
    const int visits = mine.visits + 1;
    if (with_barrier) item.barrier();
    mine = found_by(item);
    mine.visits = visits;
    for (int d = 0; d < D; ++d) {
      if (item.global_range(d) != global[d] || item.local_range(d) != local[d] || item.group_range(d) != groups[d]) {
        mine.visits = -1000;
      }
    }
    if (item.global_linear_range() != all) mine.visits = -1000;
  });
  for (Index z = 0; z < global[2]; ++z) {
    for (Index y = 0; y < global[1]; ++y) {
      for (Index x = 0; x < global[0]; ++x) {
        const Index id[3] = {x, y, z};
        const Index linear = x + global[0] * (y + global[1] * z);
        const Found<D>& mine = seen[static_cast<std::size_t>(linear)];
        ASSERT_EQ(mine.visits, 1) << linear;
        Index local_linear = 0, group_linear = 0;
        for (int d = D - 1; d >= 0; --d) {
          ASSERT_EQ(mine.global[d], id[d]);
          ASSERT_EQ(mine.local[d], id[d] % local[d]);
          ASSERT_EQ(mine.group[d], id[d] / local[d]);
          local_linear = local_linear * local[d] + id[d] % local[d];
          group_linear = group_linear * groups[d] + id[d] / local[d];
        }
        ASSERT_EQ(mine.linear[0], linear);
        ASSERT_EQ(mine.linear[1], local_linear);
        ASSERT_EQ(mine.linear[2], group_linear);
      }
    }
  }
}

TYPED_TEST(NdRangeTest, EveryWorkItemRunsOnceAndKnowsItsPlace) {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    for (const bool with_barrier : {false, true}) {
      every_work_item_runs_once<1>(this->way, {this->groups(7), 1, 1}, {64, 1, 1}, with_barrier);
      every_work_item_runs_once<1>(this->way, {this->groups(40), 1, 1}, {1, 1, 1}, with_barrier);
      every_work_item_runs_once<1>(this->way, {this->groups(5), 1, 1}, {37, 1, 1}, with_barrier);
      every_work_item_runs_once<2>(this->way, {3, 2, 1}, {5, 7, 1}, with_barrier);
      every_work_item_runs_once<2>(this->way, {2, 3, 1}, {1, 6, 1}, with_barrier);
      every_work_item_runs_once<3>(this->way, {2, 1, 3}, {3, 4, 5}, with_barrier);
    }
  }
}

TYPED_TEST(NdRangeTest, WhatIsWrittenBeforeABarrierIsSeenAfterIt) {
  for (const Index local : {1, 2, 33, 256}) {
    const Index n = local * this->groups(9);
    std::vector<double> in(static_cast<std::size_t>(n)), out(in.size());
    for (Index i = 0; i < n; ++i) in[static_cast<std::size_t>(i)] = static_cast<double>(i * i % 1001);
    const double* const a = in.data();
    double* const b = out.data();
    LocalMemory memory;
    const auto line = memory.array<double>(local);
    const auto other = memory.array<double>(local);
    // In each step every work-item takes its neighbour's number.
    parallel_for("turns", HostRange<1>{n, local}.with(memory).by(this->way), [=](const nd_item<1>& item) noexcept {
      double* from = item.local(line);
      double* to = item.local(other);
      const Index id = item.local_id();
      from[id] = a[item.global_id()];
      for (Index turn = 0; turn < 5; ++turn) {
        item.barrier();
        to[id] = from[(id + 1) % local] + static_cast<double>(turn);
        double* const swapped = from;
        from = to;
        to = swapped;
      }
      b[item.global_id()] = from[id];
    });
    for (Index i = 0; i < n; ++i) {
      const Index from = i / local * local + (i % local + 5) % local;
      ASSERT_EQ(out[static_cast<std::size_t>(i)], in[static_cast<std::size_t>(from)] + 10) << i << " of " << local;
    }
  }
}

// A barrier in a function, in a loop whose length differs between groups, and in one branch taken by all work-items.
void wait_in_a_function(const nd_item<1>& item, int depth) {
  if (depth > 0) return wait_in_a_function(item, depth - 1);
  item.barrier();
}

TYPED_TEST(NdRangeTest, BarriersStandAnywhere) {
  const Index local = 24, groups = this->groups(12), n = local * groups;
  std::vector<Index> result(static_cast<std::size_t>(n));
  Index* const out = result.data();
  LocalMemory memory;
  const auto line = memory.array<Index>(local);
  parallel_for("anywhere", HostRange<1>{n, local}.with(memory).by(this->way), [=](const nd_item<1>& item) noexcept {
    Index* const shared = item.local(line);
    const Index id = item.local_id(), group = item.group_id();
    Index own = id;
    if (group % 3 == 0) {
      out[item.global_id()] = -1;
      return;  // all work-items of the group
    }
    for (Index turn = 0; turn < group; ++turn) {
      shared[id] = own + turn;
      wait_in_a_function(item, 3);
      if (turn % 2 == 1) {
        own = shared[local - 1 - id];
        item.barrier();
      } else {
        own += shared[0];
        wait_in_a_function(item, 0);
      }
    }
    out[item.global_id()] = own;
  });
  for (Index group = 0; group < groups; ++group) {
    std::vector<Index> own(static_cast<std::size_t>(local)), shared(own.size());
    for (std::size_t id = 0; id < own.size(); ++id) own[id] = static_cast<Index>(id);
    for (Index turn = 0; turn < group; ++turn) {
      for (std::size_t id = 0; id < own.size(); ++id) shared[id] = own[id] + turn;
      for (std::size_t id = 0; id < own.size(); ++id) {
        own[id] = turn % 2 == 1 ? shared[own.size() - 1 - id] : own[id] + shared[0];
      }
    }
    for (Index id = 0; id < local; ++id) {
      ASSERT_EQ(out[group * local + id], group % 3 == 0 ? -1 : own[static_cast<std::size_t>(id)]) << group << ' ' << id;
    }
  }
}

TYPED_TEST(NdRangeTest, StaticLocalMemoryIsOneOfEachTypeAndNumber) {
  struct Pair {
    float a;
    int b;
  };
  constexpr Index local = 16;
  const Index n = local * this->groups(8);
  std::vector<int> right(static_cast<std::size_t>(n));
  int* const out = right.data();
  LocalMemory memory;
  const auto bytes = memory.array<char>(3);
  const auto line = memory.array<double>(local);
  EXPECT_EQ(memory.bytes(), 64 + local * sizeof(double));
  parallel_for("static", HostRange<1>{n, local}.with(memory).by(this->way), [=](const nd_item<1>& item) noexcept {
    auto& table = item.local<float[local][3], 0>();
    auto& second = item.local<float[local][3], 1>();
    auto& pair = item.local<Pair>();
    const Index id = item.local_id();
    const auto number = static_cast<float>(item.global_id());
    table[id][2] = number;
    second[id][2] = -number;
    item.local(line)[id] = 2.0 * number;
    if (id == 3) pair = {number, 7};
    if (id == 5) item.local(bytes)[2] = 'x';
    item.barrier();
    const Index next = (id + 1) % local;
    const auto first = static_cast<float>(item.group_id() * local);
    const bool same = &table == &item.local<float[local][3], 0>();
    const bool aligned = reinterpret_cast<std::uintptr_t>(&pair) % 64 == 0 &&
                         reinterpret_cast<std::uintptr_t>(item.local(line)) % 64 == 0;
    out[item.global_id()] = same && aligned && table[next][2] == first + static_cast<float>(next) &&
                            second[next][2] == -table[next][2] && pair.a == first + 3 && pair.b == 7 &&
                            item.local(line)[next] == 2.0 * table[next][2] && item.local(bytes)[2] == 'x';
  });
  for (const int r : right) ASSERT_EQ(r, 1);
}

// Kernels may hold objects that copy themselves, and may dispatch kernels.
TYPED_TEST(NdRangeTest, AKernelHoldsViewsAndDispatches) {
  const Index local = 8, n = 2 * local;
  const View<double*, HostSpace> sums("sums", n);
  parallel_for("outer", HostRange<1>{n, local}.by(this->way), [=](const nd_item<1>& item) noexcept {
    auto& shared = item.local<double[local]>();
    double own[4] = {1, 2, 3, static_cast<double>(item.global_id())};
    if (item.local_id() == 5) {
      double* const to = shared;
      parallel_for("inner", nd_range<1, Serial>{local, local}.by(work_items<WorkItems::fibers>),
                   [=](const nd_item<1>& inner) noexcept {
                     const double sum = inner.reduce(static_cast<double>(inner.local_id()));
                     inner.barrier();
                     to[inner.local_id()] = sum;
                   });
    }
    item.barrier();
    sums(item.global_id()) = own[0] + own[1] + own[2] + own[3] + shared[item.local_id()];
  });
  for (Index i = 0; i < n; ++i) ASSERT_EQ(sums(i), static_cast<double>(6 + i + 28));
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << text << "\" without \"" << part << '"';
}
std::string here(unsigned line) { return std::string(__FILE__) + ':' + std::to_string(line); }

TYPED_TEST(NdRangeTest, DivergentBarriersAreErrorsThatNameBothPlaces) {
  const auto range = HostRange<1>{64, 32}.by(this->way);
  for (int repeat = 0; repeat < 2; ++repeat) {
    unsigned line = 0;
    std::string text = error_of([&] {
      line = __LINE__ + 2;
      parallel_for("early end", range, [=](const nd_item<1>& item) noexcept {
        if (item.local_id() != 7) item.barrier();
      });
    });
    EXPECT_TRUE(has(text, "kernel 'early end'"));
    EXPECT_TRUE(has(text, "waits at the barrier at " + here(line)));
    EXPECT_TRUE(has(text, "work-item 7 has come to the end of the kernel"));

    text = error_of([&] {
      line = __LINE__ + 2;
      parallel_for("late barrier", range, [=](const nd_item<1>& item) noexcept {
        if (item.local_id() == 31) item.barrier();
      });
    });
    EXPECT_TRUE(has(text, "work-item 31 waits at the barrier at " + here(line)));
    EXPECT_TRUE(has(text, "has come to the end of the kernel"));

    text = error_of([&] {
      line = __LINE__ + 4;
      parallel_for("two barriers", range, [=](const nd_item<1>& item) noexcept {
        for (int turn = 0; turn < 3; ++turn) {
          if (turn == 2 && item.local_id() > 4) {
            item.barrier();
          } else {
            item.barrier();
          }
        }
      });
    });
    EXPECT_TRUE(has(text, "waits at the barrier at " + here(line)));
    EXPECT_TRUE(has(text, "waits at the barrier at " + here(line + 2)));

    text = error_of([&] {
      line = __LINE__ + 2;
      parallel_for("one too many", range, [=](const nd_item<1>& item) noexcept {
        for (int turn = 0; turn < (item.local_id() == 0 ? 4 : 3); ++turn) static_cast<void>(item.any(turn == 0));
      });
    });
    EXPECT_TRUE(has(text, "work-item 0 waits at the barrier at " + here(line)));

    // Everything works afterwards.
    std::vector<Index> sums(64);
    Index* const out = sums.data();
    parallel_for("well", range,
                 [=](const nd_item<1>& item) noexcept { out[item.global_id()] = item.reduce(item.local_id()); });
    EXPECT_EQ(std::set<Index>(sums.begin(), sums.end()), std::set<Index>{31 * 16});
  }
}

TYPED_TEST(NdRangeTest, LocalMemoryThatKernelsAskForHasALimit) {
  LocalMemory memory;
  memory.array<double>(1024 * 127);
  for (const Index local : {1, 2, 40}) {
    const std::string text = error_of([&] {
      parallel_for("large", HostRange<1>{2 * local, local}.with(memory).by(this->way),
                   [](const nd_item<1>& item) noexcept {
                     item.barrier();
                     item.local<double[1025]>()[0] = 1;
                     item.barrier();
                   });
    });
    EXPECT_TRUE(has(text, "8200 bytes of local memory"));
  }
}

TYPED_TEST(NdRangeTest, ProfilesCountIt) {
  KernelProfile profile;
  {
    const ActiveProfile active(profile);
    parallel_for({"counted", 800, 10}, HostRange<1>{8, 4}.by(this->way),
                 [](const nd_item<1>& item) noexcept { item.barrier(); });
  }
  ASSERT_EQ(profile.kernels().size(), 1U);
  EXPECT_EQ(profile.kernels()[0].name, "counted");
  EXPECT_EQ(profile.kernels()[0].bytes, 800);
}

TEST(NdRange, WrongRangesAreErrors) {
  const auto text_of = [](auto global, auto local) { return error_of([=] { HostRange<1>{global, local}; }); };
  EXPECT_EQ(text_of(100, 32), "nd_range: 100 work-items in groups of 32: 100 is not a multiple of 32 (dimension 0)");
  EXPECT_EQ(text_of(0, 32), "nd_range: 0 work-items in groups of 32: sizes must be at least 1");
  EXPECT_EQ(text_of(64, 0), "nd_range: 64 work-items in groups of 0: sizes must be at least 1");
  EXPECT_EQ(text_of(-64, 32), "nd_range: -64 work-items in groups of 32: sizes must be at least 1");
  EXPECT_EQ(text_of(4096, 2048), "nd_range: 4096 work-items in groups of 2048: a group has at most 1024 work-items");
  EXPECT_TRUE(has(text_of(~std::size_t{0}, 1), "a size of 18446744073709551615"));
  EXPECT_EQ(error_of([] { HostRange<2>{{64, 64}, {32, 64}}; }),
            "nd_range: 64 x 64 work-items in groups of 32 x 64: a group has at most 1024 work-items");
  EXPECT_EQ(error_of([] { HostRange<3>{{4, 4, 6}, {2, 2, 4}}; }),
            "nd_range: 4 x 4 x 6 work-items in groups of 2 x 2 x 4: 6 is not a multiple of 4 (dimension 2)");
  EXPECT_TRUE(has(error_of([] { HostRange<2>{{Index{1} << 40, Index{1} << 40}, {2, 2}}; }), "can be counted"));
  EXPECT_EQ(text_of(std::size_t{1024}, 1024), "no error");
  EXPECT_TRUE(has(error_of([] {
                    backend::require_valid_nd_range("Cuda", true, 3, std::array<Index, 3>{4, 4, 128}.data(),
                                                    std::array<Index, 3>{2, 2, 128}.data());
                  }),
                  "at most 64 in z"));
  EXPECT_TRUE(has(error_of([] {
                    backend::require_valid_nd_range("Cuda", true, 2, std::array<Index, 2>{4, 65536}.data(),
                                                    std::array<Index, 2>{2, 1}.data());
                  }),
                  "65536 groups in dimension 1; Cuda has at most 65535"));
}

TEST(NdRange, TooMuchLocalMemoryIsAnError) {
  LocalMemory memory;
  memory.array<char>(1024 * 1024);
  EXPECT_NO_THROW((HostRange<1>{64, 64}.with(memory)));
  memory.array<char>(1);
  const std::string text = error_of([&] { HostRange<1>{64, 64}.with(memory); });
  EXPECT_TRUE(has(text, "nd_range: 1048640 bytes of local memory a group; "));
  EXPECT_TRUE(has(text, " has 1048576"));
  EXPECT_TRUE(has(error_of([&] { memory.array<int>(-1); }), "local memory: an array of -1 elements"));
  EXPECT_TRUE(has(error_of([&] { memory.array<double>(Index{1} << 61); }), "of 8 bytes"));
  EXPECT_TRUE(has(error_of([&] { memory.array<char>(std::numeric_limits<Index>::max()); }), "no error"));
  EXPECT_TRUE(has(error_of([&] { memory.array<double>((Index{1} << 60) - 1); }), "elements"));
}

TEST(NdRange, WaysOfThePluginAreRefusedWithoutIt) {
  const std::string text = error_of([] {
    parallel_for("split", HostRange<1>{64, 64}.by(work_items<WorkItems::fission>), [](const nd_item<1>&) noexcept {});
  });
  EXPECT_TRUE(has(text, "kernel 'split': its work-items are to run by WorkItems::fission"));
  EXPECT_TRUE(has(text, "trellis_spmd_sources"));
}

#if !defined(TRELLIS_FIBER_SANITIZER)  // sanitizers have larger stacks, and report overflow in their own way
int deeper(int depth) {
  volatile char room[1000] = {};
  return depth == 0 ? room[7] : deeper(depth - 1) + room[depth % 1000];
}

TEST(NdRangeDeathTest, AStackThatIsTooSmallStopsTheProgram) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto run = [](int depth) {
    std::vector<int> result(8);
    int* const out = result.data();
    parallel_for("deep", HostRange<1>{8, 8}.by(work_items<WorkItems::fibers>), [=](const nd_item<1>& item) noexcept {
      item.barrier();
      out[item.local_id()] = deeper(item.local_id() > 0 ? depth : 0);
      item.barrier();
    });
  };
  run(30);
  EXPECT_DEATH(run(100), "");
}
#endif

}  // namespace
}  // namespace trellis
