// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What only Kokkos' spaces have. kokkos_tests also runs the tests for all spaces (tests/support/tested_spaces.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "trellis/core/kokkos.hpp"
#include "trellis/core/subview.hpp"

namespace trellis {
namespace {

using Space = ::Kokkos::DefaultHostExecutionSpace;
using Exec = KokkosExecution<Space>;
using Memory = KokkosMemory<::Kokkos::HostSpace>;  // stands for a space that only Kokkos knows
using At = std::array<Index, 3>;

static_assert(ExecutionSpace<Exec> && MemorySpace<Memory>);
static_assert(std::is_same_v<Exec::memory_space, HostSpace>);
static_assert(can_access<Exec, HostSpace> && can_access<Exec, Memory> && !can_access<Exec, CudaSpace>);
static_assert(Memory::host_reaches && std::is_same_v<View<int*, Memory>::layout, LayoutRight>);

#if defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string without_kokkos() {
  return error_of([] { parallel_for("early", RangePolicy<Exec>(0, 1), [](Index) {}); });
}

// Kokkos runs once per process: behaviour before and after is tested around it.
struct Running : testing::Environment {
  static inline std::string early_dispatch, early_view;
  void SetUp() override {
    early_dispatch = without_kokkos();
    early_view = error_of([] { View<int*, Memory>("a", 5); });
    ::Kokkos::initialize();
  }
  void TearDown() override {
    // A View that outlives Kokkos does no harm, but its memory is not given back.
    if (!sanitized) kept_ = View<int*, Memory>("kept", 5);
    ::Kokkos::finalize();
    EXPECT_EQ(without_kokkos(), early_dispatch);
    kept_ = {};
  }
  View<int*, Memory> kept_;
};
const testing::Environment* const running = testing::AddGlobalTestEnvironment(new Running);

TEST(KokkosExecution, BeforeInitializeIsAnError) {
  EXPECT_EQ(
      Running::early_dispatch,
      "KokkosExecution: Kokkos is not running; it must come after Kokkos::initialize and before Kokkos::finalize");
  EXPECT_NE(Running::early_view.find("Kokkos is not running"), std::string::npos) << Running::early_view;
}

TEST(KokkosExecution, TakesAnInstance) {
  const Exec exec{Space{}};
  EXPECT_GE(Exec::concurrency(), 1);
  const View<int*, HostSpace> a("a", 10);
  parallel_for("instance", RangePolicy<Exec>(exec, 0, 10), [=](Index i) { a(i) = int(i); });
  exec.fence();
  EXPECT_EQ(a(9), 9);
}

double rough(Index i) { return std::sin(double(i)) * std::pow(10.0, double(i % 13)); }

TEST(KokkosExecution, ReducesToTheBitsOfSerial) {
  for (const Index n : {1, 999, 1025, 54321}) {
    const auto add = [](Index i, double& s) { s += rough(i); };
    double serial = 0, kokkos = 1;
    parallel_reduce("sum", RangePolicy<Serial>(0, n), add, serial);
    parallel_reduce("sum", RangePolicy<Exec>(0, n), add, kokkos);
    EXPECT_EQ(kokkos, serial) << n;
  }
}

// Devices use Kokkos' own policies and reductions. Here that code runs on the host.
TEST(KokkosDevice, MDRangeVisitsEveryIndexOnce) {
  const auto visit = [](const auto& policy) {
    const View<int***, HostSpace> seen("seen", 7, 7, 4);
    backend::device_for(Space{}, "visit", policy, [=](Index i, Index j, Index k) { seen(i, j, k) += 1; });
    for (Index i = 0; i < 7; ++i)
      for (Index j = 0; j < 7; ++j)
        for (Index k = 0; k < 4; ++k) ASSERT_EQ(seen(i, j, k), i > 0 ? 1 : 0) << i << ' ' << j << ' ' << k;
  };
  visit(MDRangePolicy<Exec, Rank<3>>({1, 0, 0}, {7, 7, 4}));
  visit(MDRangePolicy<Exec, Rank<3>>({1, 0, 0}, {7, 7, 4}, {2, 3, 4}));
  visit(MDRangePolicy<Exec, Rank<3, Iterate::Left>>({1, 0, 0}, {7, 7, 4}, {2, 3, 3}));
}

TEST(KokkosDevice, MDRangeKeepsItsOrderInATile) {
  std::vector<At> order;
  const auto note = [&order](Index i, Index j) { order.push_back({i, j, 0}); };
  backend::device_for(Space{}, "right", MDRangePolicy<Exec, Rank<2>>({0, 0}, {2, 3}, {2, 3}), note);
  EXPECT_EQ(order, (std::vector<At>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  order.clear();
  backend::device_for(Space{}, "left", MDRangePolicy<Exec, Rank<2, Iterate::Left>>({0, 0}, {2, 3}, {2, 3}), note);
  EXPECT_EQ(order, (std::vector<At>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}));
}

TEST(KokkosDevice, ReducesWithAnyReducer) {
  const RangePolicy<Exec> range(1, 11);
  const auto times = [](Index i, long& p) { p *= i; };
  EXPECT_EQ(backend::device_reduce(Space{}, "prod", range, times, Prod<long>{}), 3628800);

  const auto hill = [](Index i, ValueLoc<int>& m) { MaxLoc<int>{}.join(m, {-std::abs(int(i) - 7) / 2, i}); };
  EXPECT_EQ(backend::device_reduce(Space{}, "maxloc", range, hill, MaxLoc<int>{}).index, 6);

  const auto count = [](Index i, Index j, std::array<Index, 3>& s) { s[size_t((i + j) % 3)] += 1; };
  const MDRangePolicy<Exec, Rank<2>> square({0, 0}, {5, 5}, {2, 2});
  EXPECT_EQ(backend::device_reduce(Space{}, "array", square, count, Sum<std::array<Index, 3>>{}),
            (std::array<Index, 3>{8, 9, 8}));
}

TEST(KokkosDevice, ReducesArrays) {
  std::array<Index, 3> sums{5, 5, 5}, largest{};
  const RangePolicy<Exec> range(0, 100);
  backend::device_reduce_array(
      Space{}, "array", range, [](Index i, Index* s) { s[i % 3] += i; }, sums.data(), 3, Sum<Index>{});
  EXPECT_EQ(sums, (std::array<Index, 3>{1683, 1617, 1650}));
  backend::device_reduce_array(
      Space{}, "array", range, [](Index i, Index* s) { s[i % 3] = std::max(s[i % 3], -i); }, largest.data(), 3,
      Max<Index>{});
  EXPECT_EQ(largest, (std::array<Index, 3>{0, -1, -2}));
}

TEST(KokkosDevice, TeamsWorkTogether) {
  constexpr Index teams = 7, length = 20;
  const View<Index**, HostSpace> scanned("scanned", teams, length);
  const View<Index*, HostSpace> agreed("agreed", teams);
  TeamPolicy<Exec> policy(teams);
  policy.set_scratch_size(scratch_bytes<Index*>(length) + scratch_bytes<double[3]>());
  backend::device_for(Space{}, "together", policy, [=](const auto& team) {
    const Index t = team.league_rank();
    const auto line = team.template scratch<Index*>(length);
    const auto other = team.template scratch<double[3]>();
    EXPECT_GE(reinterpret_cast<std::uintptr_t>(other.data()), reinterpret_cast<std::uintptr_t>(line.data() + length));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(line.data()) % 64, 0U);
    parallel_for(TeamThreadRange(team, length), [&](Index i) { line(i) = 0; });
    team.team_barrier();
    parallel_for(TeamVectorRange(team, 5, length), [&](Index i) { line(i) += i + t; });
    parallel_for(ThreadVectorRange(team, 5), [&](Index i) { line(i) += i + t; });
    team.team_barrier();
    Index total = 0, lanes = 0, sum = 0, largest = 0, told = -1, own = -1;
    parallel_scan(
        TeamThreadRange(team, length),
        [&](Index i, Index& before, bool final) {
          if (final) scanned(t, i) = before;
          before += line(i);
        },
        total);
    parallel_scan(ThreadVectorRange(team, length), [&](Index i, Index& before, bool) { before += line(i); }, lanes);
    parallel_reduce(TeamVectorRange(team, length), [&](Index i, Index& s) { s += line(i); }, sum);
    parallel_reduce(
        TeamThreadRange(team, length), [&](Index i, Index& m) { m = std::max(m, line(i)); }, largest, Max<Index>{});
    single(PerTeam(team), [&](Index& value) { value = 100 + t; }, told);
    single(PerThread(team), [&](Index& value) { value = 200 + t; }, own);
    single(PerTeam(team), [&] {
      agreed(t) = total == sum && lanes == sum && largest == length - 1 + t && told == 100 + t && own == 200 + t;
    });
  });
  for (Index t = 0; t < teams; ++t) {
    EXPECT_EQ(agreed(t), 1) << t;
    for (Index i = 0; i < length; ++i) EXPECT_EQ(scanned(t, i), i * (i - 1) / 2 + i * t);
  }
  const auto ranks = [](const auto& team, Index& s) { s += team.league_rank(); };
  EXPECT_EQ(backend::device_reduce(Space{}, "ranks", policy, ranks, Sum<Index>{}), 21);
}

TEST(KokkosDevice, ScansWithAnyReducer) {
  const View<Index*, HostSpace> before("before", 20);
  const auto largest = [=](Index i, Index& high, bool final) {
    if (final) before(i) = high;
    high = std::max(high, i * 7 % 11);
  };
  EXPECT_EQ(backend::device_scan(Space{}, "scan", RangePolicy<Exec>(3, 20), largest, Max<Index>{}), 10);
  Index high = Max<Index>{}.identity();
  for (Index i = 3; i < 20; ++i) {
    EXPECT_EQ(before(i), high) << i;
    high = std::max(high, i * 7 % 11);
  }
}

// Kokkos finds the joins of reducers and scans by their signatures, and would add instead if it found none.
TEST(KokkosDevice, JoinsAreFound) {
  using Reduction = backend::KokkosReducer<Max<double>>;
  static_assert(::Kokkos::is_reducer<Reduction>::value);
#if KOKKOS_VERSION < 30700
  using Scan = backend::KokkosScan<int, Max<double>>;
  using Array = backend::KokkosArray<int, Max<double>>;
  double a = 2, b = 3;
  ::Kokkos::Impl::FunctorValueJoin<Scan, void>::join(Scan{}, &a, &b);
  EXPECT_EQ(a, 3);
  const Reduction reduction{{}, nullptr};
  ::Kokkos::Impl::FunctorValueJoin<Reduction, void>::join(reduction, &b, &a);
  EXPECT_EQ(b, 3);
  const double c = 5;
  ::Kokkos::Impl::FunctorValueJoin<Array, void>::join(Array{0, {}, 1}, &a, &c);
  EXPECT_EQ(a, 5);
#endif
}

TEST(KokkosMemory, HoldsViewsAndCopies) {
  const View<double**, Memory> a("a", 5, 7);
  EXPECT_EQ(a.label(), "a");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
  EXPECT_EQ(a(4, 6), 0.0);
  const View<double**, LayoutLeft, HostSpace> left("left", 5, 7);
  const View<double**, LayoutRight, HostSpace> right("right", 5, 7);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 7; ++j) left(i, j) = right(i, j) = double(10 * i + j);
  deep_copy(a, right);
  EXPECT_EQ(a(4, 6), 46);
  deep_copy(a, 2.5);
  EXPECT_EQ(a(3, 2), 2.5);
  deep_copy(a, left);
  EXPECT_EQ(a(3, 2), 32);
  const View<double**, Memory> b("b", 5, 7);
  deep_copy(b, a);
  deep_copy(right, b);
  EXPECT_EQ(right(2, 5), 25);
  const auto mirror = create_mirror(Memory{}, left);
  deep_copy(mirror, left);
  EXPECT_EQ(mirror(1, 4), 14);
}

TEST(KokkosMemory, RefusalIsNamed) {
  if (sanitized) GTEST_SKIP() << "a sanitizer ends the program where memory is refused";
  const std::string error = error_of([] { View<char*, Memory>("huge", Index{1} << 46); });
  EXPECT_NE(error.find("View 'huge': cannot allocate 70368744177664 bytes in KokkosMemory (Host)"), std::string::npos)
      << error;
}

TEST(KokkosViews, BothWaysShareMemoryExtentsAndLayout) {
  const View<double** [3], LayoutRight, HostSpace> a("a", 4, 5);
  const auto k = to_kokkos(a);
  static_assert(std::is_same_v<decltype(k)::array_layout, ::Kokkos::LayoutRight> && decltype(k)::Rank == 3);
  k(3, 2, 1) = 7;
  EXPECT_EQ(a(3, 2, 1), 7);
  EXPECT_EQ(k.extent(2), 3U);
  const auto back = from_kokkos(k);
  static_assert(std::is_same_v<decltype(back), decltype(a)>);
  EXPECT_EQ(back.data(), a.data());
  EXPECT_EQ(back.extent(1), 5);

  const ::Kokkos::View<const float**, ::Kokkos::LayoutLeft, ::Kokkos::HostSpace> left =
      ::Kokkos::View<float**, ::Kokkos::LayoutLeft, ::Kokkos::HostSpace>("left", 3, 2);
  static_assert(std::is_same_v<decltype(from_kokkos(left))::layout, LayoutLeft>);
  EXPECT_EQ(&from_kokkos(left)(2, 1), &left(2, 1));
}

TEST(KokkosViews, StridesStay) {
  const View<int***, LayoutRight, HostSpace> a("a", 4, 5, 6);
  const auto part = subview(a, ALL, Strided{1, 5, 2}, 3);
  const auto k = to_kokkos(part);
  EXPECT_EQ(&k(2, 1), &a(2, 3, 3));
  EXPECT_EQ(&from_kokkos(k)(2, 1), &a(2, 3, 3));

  const ::Kokkos::View<int**, ::Kokkos::LayoutRight, ::Kokkos::HostSpace> whole("whole", 4, 6);
  const auto columns = ::Kokkos::subview(whole, ::Kokkos::ALL, ::Kokkos::make_pair(1, 4));
  EXPECT_EQ(&from_kokkos_strided(columns)(3, 2), &whole(3, 3));
  const ::Kokkos::View<int**, ::Kokkos::LayoutRight, ::Kokkos::HostSpace> padded = columns;
  EXPECT_EQ(error_of([&] { from_kokkos(padded); }),
            "from_kokkos of 'whole': the stride of dimension 0 is 6, its layout's without padding is 3; "
            "from_kokkos_strided takes it");
}

}  // namespace
}  // namespace trellis
