// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/tune_integrator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

// The Wilson action, whose trajectories have 8 steps.
TuningCandidate<double, wide> plaquettes(const std::string& name,
                                         std::function<void(const Terms<double, wide>&)> made) {
  return {name,
          [made] {
            auto terms = make_gauge_terms<double, wide>({{"plaquette", {5.7, 0}}});
            made(terms);
            return terms;
          },
          {0.5, {{minimum_norm_2(), 8, {"plaquette"}}}}};
}

GaugeField<double, wide> links(double disorder) {
  return test::from_reference<double, wide>(reference::warm_configuration({4, 4, 4, 4}, 3, disorder));
}

TEST(TuneIntegrator, OnlyOneCandidateHasFieldsAtATime) {
  std::vector<std::weak_ptr<Term<double, wide>>> made;
  const auto alive = [&] {
    return std::count_if(made.begin(), made.end(), [](const auto& term) { return !term.expired(); });
  };
  int most = 0;
  const auto remember = [&](const Terms<double, wide>& terms) {
    made.push_back(terms.front());
    most = std::max(most, int(alive()));
  };
  const std::vector candidates{plaquettes("one", remember), plaquettes("two", remember), plaquettes("three", remember)};
  const auto result =
      tune_integrator<double, wide>(candidates, {.trajectories = 30}, 1, links(0.5), [](const std::string&) {});
  EXPECT_GE(made.size(), 4U);  // one to approach equilibrium, and each candidate
  EXPECT_EQ(most, 1);
  ASSERT_GE(result.tried.size(), 4U);
  EXPECT_EQ(result.tried[2].candidate, 2U);
  EXPECT_LE(result.trajectories, 30);
}

TEST(TuneIntegrator, TakesFewTrajectoriesTowardsAnEquilibriumThatIsThere) {
  const std::vector candidates{plaquettes("", [](const auto&) {})};
  const auto u = links(0);
  const auto tuned = [&](int budget) {
    return tune_integrator<double, wide>(candidates, {.trajectories = budget}, 1, u, [](const std::string&) {});
  };
  // From links of one: the first trajectories are all cooled. The links are left in equilibrium.
  EXPECT_GT(tuned(60).towards_equilibrium, 5);
  EXPECT_LE(tuned(60).towards_equilibrium, 8);
  EXPECT_LE(tuned(12).towards_equilibrium, 4);  // a third
  // And of the time, which passes before each of the eight steps.
  double now = 0;
  const TuningBudget brief{.trajectories = 60,
                           .seconds = 80,
                           .seconds_spent = [&] { return now; },
                           .stopped_by = [&] { return now += 1, std::string(); }};
  const auto result = tune_integrator<double, wide>(candidates, brief, 1, links(0), [](const std::string&) {});
  EXPECT_GE(result.towards_equilibrium, 2);
  EXPECT_LE(result.towards_equilibrium, 4);
}

TEST(TuneIntegrator, LeavesHalfOfItsTimeToTryPlans) {
  double now = 0;
  const auto takes_a_minute = [&](const auto&) { now += 60; };
  const std::vector candidates{plaquettes("one", takes_a_minute), plaquettes("two", takes_a_minute),
                               plaquettes("three", takes_a_minute), plaquettes("four", takes_a_minute)};
  std::set<std::size_t> which;
  const auto studied = [&](double seconds, bool last_candidate_first = false) {
    now = 0;
    const auto result = tune_integrator<double, wide>(candidates,
                                                      {.trajectories = 60,
                                                       .seconds = seconds,
                                                       .seconds_spent = [&] { return now; },
                                                       .last_candidate_first = last_candidate_first},
                                                      1, links(0.5), [](const std::string&) {});
    which.clear();
    for (const TriedIntegrator& tried : result.tried) which.insert(tried.candidate);
    EXPECT_GT(result.tried.size(), which.size());  // some plan was tried
    return which.size();
  };
  // The approach to equilibrium takes a minute too.
  EXPECT_EQ(studied(0), 4U);
  EXPECT_EQ(studied(601), 4U);
  EXPECT_EQ(studied(481), 3U);
  EXPECT_EQ(studied(250), 1U);
  EXPECT_EQ(which, std::set<std::size_t>{0});
  EXPECT_EQ(studied(250, true), 1U);
  EXPECT_EQ(which, std::set<std::size_t>{3});
  EXPECT_EQ(studied(481, true), 3U);
  EXPECT_EQ(which, (std::set<std::size_t>{1, 2, 3}));
}

TEST(TuneIntegrator, StopsWhenAsked) {
  const std::vector candidates{plaquettes("", [](const auto&) {})};
  const auto u = links(0.1);
  int asked = 0;
  const TuningBudget budget{.trajectories = 60, .stopped_by = [&] { return ++asked < 4 ? "" : "the cat"; }};
  EXPECT_THROW((tune_integrator<double, wide>(candidates, budget, 1, u, [](const std::string&) {})), TuningStopped);
  EXPECT_EQ(asked, 4);
}

// Between the steps of a trajectory, which is then as if it had not begun, and between the forces of a measurement.
TEST(TuneIntegrator, StopsWithinATrajectory) {
  const std::vector candidates{plaquettes("", [](const auto&) {})};
  for (const int at : {3, 20, 60, 73, 74, 75, 90, 120, 150}) {
    int asked = 0;
    const TuningBudget budget{.trajectories = 12, .stopped_by = [&] { return ++asked < at ? "" : "the cat"; }};
    const auto u = links(0.1), before = u.clone();
    EXPECT_THROW((tune_integrator<double, wide>(candidates, budget, 1, u, [](const std::string&) {})), TuningStopped);
    EXPECT_EQ(asked, at);
    if (at == 3) {
      EXPECT_EQ(largest_difference(u, before), 0);
    }
  }
}

// Plans are compared, and their costs printed, with what was found where that is worse than predicted.
TEST(TuneIntegrator, CostsAreThoseOfTheLargerVariance) {
  TriedIntegrator tried{.parameters = {2, {}}, .prediction = {.variance = 0.11, .standard_error = 0.04, .seconds = 3}};
  EXPECT_DOUBLE_EQ(tried.cost(), 3 / (2 * predicted_acceptance(0.15)));
  tried.mean_square_dH = 0.1;
  EXPECT_DOUBLE_EQ(tried.variance(), 0.15);
  tried.mean_square_dH = 1;
  EXPECT_DOUBLE_EQ(tried.variance(), 1);
  EXPECT_NEAR(tried.acceptance(), 0.617, 1e-3);
  EXPECT_DOUBLE_EQ(tried.cost(), 3 / (2 * predicted_acceptance(1)));

  const std::vector candidates{plaquettes("", [](const auto&) {})};
  std::vector<std::string> told;
  const auto result = tune_integrator<double, wide>(candidates, {.trajectories = 30}, 1, links(0.5),
                                                    [&](const std::string& text) { told.push_back(text); });
  double least = result.tried.front().cost();
  for (const auto& one : result.tried) least = std::min(least, one.cost());
  EXPECT_EQ(result.best.cost(), least);
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const auto& text) {
    return text.find(" found, hence acceptance ") != std::string::npos;
  }));
}

TEST(TuneIntegrator, WrongBudget) {
  const std::vector candidates{plaquettes("", [](const auto&) {})};
  const auto ignore = [](const std::string&) {};
  const auto u = links(0.1);
  EXPECT_THROW((tune_integrator<double, wide>({}, {}, 1, u, ignore)), InputError);
  EXPECT_THROW((tune_integrator<double, wide>(candidates, {.trajectories = 11}, 1, u, ignore)), InputError);
}

}  // namespace
}  // namespace trellis::hmc
