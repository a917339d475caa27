// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/solver_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trellis::bench {
namespace {

const std::vector<hmc::Level> levels{{hmc::leapfrog(), 4, {"l"}}, {hmc::leapfrog(), 2, {"s"}}};

std::vector<SolveWork> some_solves() {
  const std::vector<hmc::QuarkTerm> terms{{.name = "l", .mass = 0.1, .power = 0.5, .pseudofermions = 2, .phases = {}},
                                          {.name = "s", .mass = 0.3, .power = 0.25, .phases = {}}};
  return solves_of({}, terms, hmc::make_plan(levels, 1), levels);
}

TEST(SolverWork, EverySolveOfATrajectory) {
  const auto solves = some_solves();
  ASSERT_EQ(solves.size(), 6U);
  EXPECT_EQ(solves[0].purpose, "heatbath");
  EXPECT_EQ(solves[0].calls, 2);
  EXPECT_EQ(solves[1].purpose, "molecular dynamics");
  EXPECT_EQ(solves[1].calls, 2 * 5);
  EXPECT_EQ(solves[4].term, "s");
  EXPECT_EQ(solves[4].calls, 4 * 2 + 1);  // adjacent kicks of inner steps are merged
  EXPECT_EQ(solves[5].purpose, "Metropolis");
}

TEST(SolverWork, TheBound) {
  const SolveWork solve{.term = "l", .purpose = "", .lowest = {0.01, 1.0}, .largest = 4};
  EXPECT_NEAR(solve.bound(0, 1e-7), 0.5 * std::sqrt(401.0) * std::log(2e7), 1e-9);
  EXPECT_LT(solve.bound(1, 1e-7), solve.bound(0, 1e-7));
  const auto solves = some_solves();
  for (const auto& one : solves) {
    const auto shifts = one.iterations_of_shifts();
    ASSERT_EQ(int(shifts.size()), one.shifts());
    EXPECT_EQ(shifts.front(), one.iterations);
    EXPECT_TRUE(std::is_sorted(shifts.rbegin(), shifts.rend()));
    EXPECT_NEAR(one.iterations, one.bound(0, one.residual), 1e-9);
  }
  EXPECT_GT(solves[0].iterations, solves[3].iterations);  // the lighter mass
  EXPECT_GT(solves[0].iterations, solves[1].iterations);  // the smaller residual
}

TEST(SolverWork, IterationsOfATrajectory) {
  auto solves = some_solves();
  const double before = solves[0].iterations / solves[1].iterations, strange = iterations_of(solves, "s");
  set_iterations(solves, "l", 1200);
  EXPECT_NEAR(iterations_of(solves, "l"), 1200, 1e-9);
  EXPECT_NEAR(solves[0].iterations / solves[1].iterations, before, 1e-12);
  EXPECT_EQ(iterations_of(solves, "s"), strange);
}

}  // namespace
}  // namespace trellis::bench
