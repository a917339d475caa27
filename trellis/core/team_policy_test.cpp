// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/team_policy.hpp"

#include <gtest/gtest.h>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

template <class Exec>
class TeamPolicyTest : public testing::Test {
 protected:
  ~TeamPolicyTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(TeamPolicyTest, TestedSpaces);

TYPED_TEST(TeamPolicyTest, EveryIndexOfEveryTeamIsVisitedOnce) {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    for (const Index teams : {0, 1, 7}) {
      const View<int**> seen("seen", teams + 1, 6);
      parallel_for("teams", TeamPolicy<TypeParam>(teams), [=](const TeamMember& team) {
        EXPECT_EQ(team.league_size(), teams);
        EXPECT_LT(team.team_rank(), team.team_size());
        parallel_for(TeamThreadRange(team, 4), [&](Index i) { seen(team.league_rank(), i) += 1; });
        parallel_for(TeamThreadRange(team, 2, 5), [&](Index i) { seen(team.league_rank(), i) += 10; });
        parallel_for(TeamThreadRange(team, 5, 2), [](Index) { FAIL(); });
      });
      for (Index t = 0; t < teams + 1; ++t)
        for (Index i = 0; i < 6; ++i)
          ASSERT_EQ(seen(t, i), t == teams ? 0 : (i < 4 ? 1 : 0) + (i >= 2 && i < 5 ? 10 : 0)) << t << ' ' << i;
    }
  }
}

TYPED_TEST(TeamPolicyTest, ReducesOverTheLeague) {
  Index sum = 0;
  parallel_reduce(
      "sum", TeamPolicy<TypeParam>(1000), [](const TeamMember& team, Index& s) { s += team.league_rank(); }, sum);
  EXPECT_EQ(sum, 499500);
}

}  // namespace
}  // namespace trellis
