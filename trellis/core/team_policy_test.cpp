// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/team_policy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/message_of.hpp"
#include "tests/support/tested_spaces.hpp"
#include "trellis/core/atomic.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/subview.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

template <class Exec>
class TeamPolicyTest : public testing::Test {
 protected:
  ~TeamPolicyTest() override { set_thread_count(threads_); }
  // The team sizes of a space with this many threads.
  static std::vector<int> team_sizes(int threads) {
    std::vector<int> sizes;
    for (const int size : {1, 2, 3}) {
      if (size <= std::min(threads, backend::TeamTraits<Exec>::largest_size())) sizes.push_back(size);
    }
    return sizes;
  }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(TeamPolicyTest, TestedSpaces);

template <class Exec>
using Member = typename TeamPolicy<Exec>::Member;

TYPED_TEST(TeamPolicyTest, EveryIndexOfEveryTeamIsVisitedOnce) {
  for (const int threads : {1, 3, 4}) {
    set_thread_count(threads);
    for (const int size : this->team_sizes(threads)) {
      for (const Index teams : {0, 1, 7}) {
        const View<int***, HostSpace> seen("seen", 3, teams + 1, 6);
        parallel_for("teams", TeamPolicy<TypeParam>(teams, size), [=](const Member<TypeParam>& team) {
          EXPECT_EQ(team.league_size(), teams);
          EXPECT_EQ(team.team_size(), size);
          EXPECT_LT(team.team_rank(), size);
          const auto mine = subview(seen, ALL, team.league_rank(), ALL);
          parallel_for(TeamThreadRange(team, 4), [&](Index i) { mine(0, i) += 1; });
          parallel_for(TeamThreadRange(team, 5, 2), [](Index) { FAIL(); });
          parallel_for(TeamVectorRange(team, 2, 5), [&](Index i) { mine(1, i) += 1; });
          parallel_for(TeamThreadRange(team, 2), [&](Index i) {
            parallel_for(ThreadVectorRange(team, 3), [&](Index j) { mine(2, 3 * i + j) += 1; });
          });
        });
        for (Index t = 0; t < teams + 1; ++t) {
          for (Index i = 0; i < 6; ++i) {
            ASSERT_EQ(seen(0, t, i), t < teams && i < 4 ? 1 : 0) << t << ' ' << i;
            ASSERT_EQ(seen(1, t, i), t < teams && i >= 2 && i < 5 ? 1 : 0) << t << ' ' << i;
            ASSERT_EQ(seen(2, t, i), t < teams ? 1 : 0) << t << ' ' << i;
          }
        }
      }
    }
  }
}

TYPED_TEST(TeamPolicyTest, ReducesOverTheLeague) {
  Index sum = 0;
  parallel_reduce(
      "sum", TeamPolicy<TypeParam>(1000), [](const Member<TypeParam>& team, Index& s) { s += team.league_rank(); },
      sum);
  EXPECT_EQ(sum, 499500);
}

double rough(Index i) { return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 13)); }

TYPED_TEST(TeamPolicyTest, ReductionsHaveTheSameBitsForAnyThreadCount) {
  const auto sum_of_rows = [](const TeamPolicy<TypeParam>& policy) {
    double sum = 0;
    parallel_reduce(
        "rows", policy,
        [](const Member<TypeParam>& team, double& s) {
          double row = 0;
          parallel_reduce(
              TeamVectorRange(team, 100), [&](Index i, double& r) { r += rough(100 * team.league_rank() + i); }, row);
          single(PerTeam(team), [&] { s += row; });
        },
        sum);
    return sum;
  };
  for (const int size : {1, 2}) {
    std::vector<double> sums;
    for (const int threads : {2, 3, 5}) {
      set_thread_count(threads);
      if (size <= backend::TeamTraits<TypeParam>::largest_size())
        sums.push_back(sum_of_rows(TeamPolicy<TypeParam>(70, size)));
    }
    for (const double s : sums) EXPECT_EQ(s, sums[0]) << size;
  }
}

// Threads of a team meet at barriers, share scratch memory, and all get the results of collective operations.
TYPED_TEST(TeamPolicyTest, ATeamWorksTogether) {
  for (const int threads : {1, 2, 6}) {
    set_thread_count(threads);
    for (const int size : this->team_sizes(threads)) {
      constexpr Index teams = 7, length = 50;
      const View<Index**, HostSpace> scanned("scanned", teams, length);
      const View<Index*, HostSpace> totals("totals", teams);
      const View<Index*, HostSpace> agreed("agreed", teams);
      TeamPolicy<TypeParam> policy(teams, size);
      policy.set_scratch_size(scratch_bytes<Index*>(length) + scratch_bytes<double[3]>());
      parallel_for("together", policy, [=](const Member<TypeParam>& team) {
        const Index t = team.league_rank();
        const auto line = team.template scratch<Index*>(length);
        const auto other = team.template scratch<double[3]>();
        EXPECT_GE(reinterpret_cast<std::uintptr_t>(other.data()),
                  reinterpret_cast<std::uintptr_t>(line.data() + length));
        parallel_for(TeamThreadRange(team, length), [&](Index i) { line(length - 1 - i) = i + t; });
        team.team_barrier();
        Index total = 0;
        parallel_scan(
            TeamThreadRange(team, length),
            [&](Index i, Index& before, bool final) {
              if (final) scanned(t, i) = before;
              before += line(i);
            },
            total);
        Index largest = -1, sum = -1, told = team.team_rank();
        parallel_reduce(
            TeamThreadRange(team, length), [&](Index i, Index& m) { m = std::max(m, line(i)); }, largest, Max<Index>{});
        parallel_reduce(TeamVectorRange(team, length), [&](Index i, Index& s) { s += line(i); }, sum);
        single(PerTeam(team), [&](Index& value) { value = 100 + t; }, told);
        const bool right = total == sum && largest == length - 1 + t && told == 100 + t;
        if (right) atomic_add(&agreed(t), Index{1});
        single(PerTeam(team), [&] { totals(t) = total; });
        // The next team must not write what another still reads: no barrier here on purpose.
        static_cast<void>(line(0));
      });
      for (Index t = 0; t < teams; ++t) {
        EXPECT_EQ(agreed(t), size);
        EXPECT_EQ(totals(t), length * (length - 1) / 2 + length * t);
        Index before = 0;
        for (Index i = 0; i < length; ++i) {
          ASSERT_EQ(scanned(t, i), before);
          before += length - 1 - i + t;
        }
      }
    }
  }
}

TYPED_TEST(TeamPolicyTest, OneFailsAllStop) {
  set_thread_count(4);
  for (const int size : this->team_sizes(4)) {
    try {
      parallel_for("fails", TeamPolicy<TypeParam>(8, size), [](const Member<TypeParam>& team) {
        if (team.league_rank() == 3 && team.team_rank() == team.team_size() - 1) fail("team 3 failed");
        team.team_barrier();
        team.team_barrier();
      });
      FAIL() << size;
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "team 3 failed");
    }
  }
}

TEST(TeamPolicy, WhatCannotBeIsNamed) {
  EXPECT_EQ(test::message_of([] { TeamPolicy<Serial>(-1); }), "TeamPolicy: a league of -1 teams");
  EXPECT_EQ(test::message_of([] { TeamPolicy<Serial>(4, 2); }),
            "TeamPolicy: teams of 2 threads; Serial has teams of 1 to 1");
  EXPECT_EQ(test::message_of([] { TeamPolicy<Serial>(4, 0); }),
            "TeamPolicy: teams of 0 threads; Serial has teams of 1 to 1");
  EXPECT_EQ(test::message_of([] { TeamPolicy<Serial>(4, AUTO, 3); }),
            "TeamPolicy: vector length 3; it must be a power of two from 1 to 32");
  TeamPolicy<Serial> policy(2);
  policy.set_scratch_size(scratch_bytes<double*>(5));
  EXPECT_EQ(test::message_of([&] {
              parallel_for("too much", policy,
                           [](const TeamMember& team) { static_cast<void>(team.scratch<double*>(9)); });
            }),
            "scratch memory of a team: 72 bytes after 0 were asked for, the policy has 64: see set_scratch_size");
}

}  // namespace
}  // namespace trellis
