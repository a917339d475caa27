// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/integrator_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

Terms<double, wide> quarks_and_gluons(const Lattice& lattice) {
  QuarkAction action;
  action.smearing = gauge::stout_smearing(0.12, 1);
  action.molecular_dynamics_residual = action.molecular_dynamics_error = 1e-10;
  auto terms = make_quark_terms<wide>(action,
                                      {{.name = "light", .mass = 0.2, .heavier_mass = 0.6, .power = 0.5},
                                       {.name = "heavy", .mass = 0.6, .power = 0.75}},
                                      lattice);
  const gauge::LoopWeights whole = gauge::Action{4.0, -1.0 / 12};
  for (auto& term :
       make_gauge_terms<double, wide>({{"plaquette", {whole.plaquette, 0}}, {"rectangle", {0, whole.rectangle}}}))
    terms.push_back(std::move(term));
  return terms;
}

ObservedTrajectory observe(const HmcParameters& parameters, std::uint32_t trajectory, ForceCosts* costs = nullptr) {
  const auto u = test::from_reference<double, wide>(reference::warm_configuration({4, 4, 4, 4}, 11, 0.4));
  const auto terms = quarks_and_gluons(u.lattice());
  BracketMeter<double, wide> meter(terms, u.lattice());
  HybridMonteCarlo<double, wide> hmc(parameters, terms, u.lattice());
  ObservedTrajectory result;
  std::vector<PoissonBrackets> ends;
  hmc.observe([&](const auto& links, const auto& p) { ends.push_back(meter.measure(links, p)); });
  result.dH = hmc({.seed = 5, .trajectory = trajectory, .accept_always = true}, u).dH;
  result.length = parameters.length;
  result.start = ends.at(0);
  result.end = ends.at(1);
  if (costs) *costs = meter.costs();
  return result;
}

IntegratorModel model_of_four_terms() {
  IntegratorModel model;
  model.terms = {"light", "heavy", "plaquette", "rectangle"};
  return model;
}

HmcParameters two_levels(const Scheme& outer, const Scheme& inner, int steps) {
  return {0.5, {{outer, steps, {"light", "heavy"}}, {inner, 2, {"rectangle", "plaquette"}}}};
}

// With so many trajectories of a plan, and costs as if solves were expensive, so that no answer depends on the machine.
IntegratorModel observed_model(const HmcParameters& plan, std::uint32_t trajectories) {
  auto model = model_of_four_terms();
  for (std::uint32_t trajectory = 0; trajectory < trajectories; ++trajectory)
    model.observed.push_back(observe(plan, trajectory));
  model.costs = {{10, 4, 1, 3}, {1, 1, 0, 0}, {0, 0, 1, 1}};
  model.fixed_seconds = 20;
  return model;
}

struct Trials {
  std::vector<ObservedTrajectory> trajectories;
  double mean_square_dH = 0;
};

// Of a plan, with other random numbers than those of observed_model().
Trials trials_of(const HmcParameters& plan) {
  constexpr int count = 6;
  Trials trials;
  for (std::uint32_t trajectory = 10; trajectory < 10 + count; ++trajectory) {
    trials.trajectories.push_back(observe(plan, trajectory));
    trials.mean_square_dH += std::pow(trials.trajectories.back().dH, 2) / count;
  }
  return trials;
}

// The formula has dH of a trajectory of quarks and gluons, each trajectory by itself, up to fourth order.
TEST(IntegratorModel, PredictsTheEnergyOfEveryTrajectory) {
  const auto model = model_of_four_terms();
  for (const auto& [outer, inner] :
       {std::pair{minimum_norm_2(), minimum_norm_2(0.15)}, {leapfrog(), force_gradient()}}) {
    double rest[2], dH[2];
    for (const int fine : {0, 1}) {
      const auto parameters = two_levels(outer, inner, fine ? 10 : 5);
      const auto observed = observe(parameters, 3);
      dH[fine] = observed.dH;
      rest[fine] = observed.dH - predicted_dH(model, parameters, observed);
    }
    EXPECT_LT(std::abs(rest[1]), 0.1 * std::abs(dH[1])) << outer.name;
    EXPECT_GT(std::log2(std::abs(rest[0] / rest[1])), 3) << outer.name;
  }
}

TEST(IntegratorModel, BracketsOfOneTrajectoryServeAllPlans) {
  const auto model = model_of_four_terms();
  const auto observed = observe(two_levels(minimum_norm_4(), minimum_norm_4(), 3), 4);
  const auto other = two_levels(minimum_norm_2(0.21), leapfrog(), 8);
  const double dH = observe(other, 4).dH;
  EXPECT_NEAR(predicted_dH(model, other, observed), dH, 0.1 * std::abs(dH));
}

TEST(IntegratorModel, SearchFindsCheaperLevelsThatAreAsGoodAsPredicted) {
  const auto plan = two_levels(minimum_norm_2(), minimum_norm_2(), 6);
  auto model = observed_model(plan, 6);
  model.drift_seconds = 0.1;
  const auto found = cheapest_integrator(model, {.length = 0.5});
  const auto before = predict(model, plan), after = predict(model, found);
  EXPECT_LT(after.cost, before.cost);
  EXPECT_GT(after.acceptance, 0.5);
  EXPECT_LE(after.acceptance, 1);
  // All terms are on levels, the gauge terms not outside the quarks.
  std::vector<std::string> names;
  for (const Level& level : found.levels) names.insert(names.end(), level.terms.begin(), level.terms.end());
  EXPECT_EQ(names.size(), 4U);
  EXPECT_TRUE(names.back() == "plaquette" || names.back() == "rectangle");
  // And what it predicts comes about: the mean square of dH is within a factor of three, learning included.
  const Trials trials = trials_of(found);
  learn(model, found, trials.trajectories);
  const double learnt = predict(model, found).variance;
  EXPECT_GT(trials.mean_square_dH, learnt / 4);
  EXPECT_LT(trials.mean_square_dH, learnt * 4);
}

// Where no plan of so few steps conserves energy, there is none.
TEST(IntegratorModel, SearchMayFindNothing) {
  const auto plan = two_levels(minimum_norm_2(), minimum_norm_2(), 6);
  auto model = observed_model(plan, 6);
  model.learnt[minimum_norm_2().name].squares = 1e12;
  model.learnt[minimum_norm_2().name].trajectories = 10;
  const auto found = cheapest_integrator(model, {.length = 0.5, .most_steps = 2, .integrators = {"2mn"}});
  EXPECT_TRUE(found.levels.empty());
}

TEST(IntegratorModel, LengthsToTry) {
  EXPECT_EQ(lengths_to_try({.length = 0.5, .longest_length = 0.25}), std::vector{0.5});
  EXPECT_EQ(lengths_to_try({.length = 1, .longest_length = 1}), std::vector{1.0});
  const auto lengths = lengths_to_try({.length = 1, .longest_length = 2.5});
  ASSERT_EQ(lengths.size(), 4U);
  EXPECT_NEAR(lengths[1], std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(lengths[2], 2, 1e-15);
  EXPECT_EQ(lengths[3], 2.5);
}

// What trajectories cost at their ends makes longer ones cheaper, and what it learns from them makes its
// prediction right.
TEST(IntegratorModel, SearchTakesLongerTrajectoriesIfItMay) {
  auto model = observed_model(two_levels(minimum_norm_2(), minimum_norm_2(), 6), 6);
  model.drift_seconds = 0.1;
  const auto same = cheapest_integrator(model, {.length = 0.5}),
             longer = cheapest_integrator(model, {.length = 0.5, .longest_length = 1.5});
  EXPECT_EQ(same.length, 0.5);
  EXPECT_GT(longer.length, 0.5);
  EXPECT_LT(predict(model, longer).cautious_cost, predict(model, same).cautious_cost);
  const auto& [trajectories, mean_square_dH] = trials_of(longer);
  learn(model, longer, trajectories);
  model.observed.insert(model.observed.end(), trajectories.begin(), trajectories.end());
  EXPECT_GT(mean_square_dH, predict(model, longer).variance / 4);
  EXPECT_LT(mean_square_dH, predict(model, longer).variance * 4);
}

TEST(IntegratorModel, ChangesGrowWithTheLengthAsLongAsTheyAreCorrelated) {
  IntegratorModel model;
  model.terms = {"term"};
  model.costs = {{1}, {0}, {-1}};
  const auto plan = [](double length) { return HmcParameters{length, {{leapfrog(), 8, {"term"}}}}; };
  const auto with = [](double start, double end) {
    const auto brackets = [](double hessian) { return PoissonBrackets{{hessian}, {0}, {{0}}}; };
    return ObservedTrajectory{brackets(start), brackets(end), 0, 1};
  };
  // Leapfrog has delta = h^2 / 12 {T, {T, S}} besides the force.
  const auto unit = [](double length) { return std::pow(length / 8, 4) / 144; };
  model.observed = {with(0, 1), with(10, 9)};
  EXPECT_NEAR(predict(model, plan(1)).variance, unit(1), 1e-12);
  EXPECT_NEAR(predict(model, plan(0.5)).variance, unit(0.5), 1e-12);
  EXPECT_NEAR(predict(model, plan(2)).variance, 4 * unit(2), 1e-12);
  // (0 - 9)^2 and (10 - 1)^2
  EXPECT_NEAR(predict(model, plan(12)).variance, 81 * unit(12), 1e-9);
  // Ends that are further apart than those of others are not brought closer.
  model.observed = {with(0, 3), with(1, 4)};
  EXPECT_NEAR(predict(model, plan(12)).variance, 10 * unit(12), 1e-9);
}

TEST(IntegratorModel, LearnsWhatTheShadowHamiltonianDoesNotSee) {
  auto model = model_of_four_terms();
  const auto plan = two_levels(minimum_norm_4(), minimum_norm_4(), 2);
  for (std::uint32_t trajectory = 0; trajectory < 4; ++trajectory) model.observed.push_back(observe(plan, trajectory));
  model.costs = {{1, 1, 1, 1}, {0, 0, 0, 0}, {-1, -1, -1, -1}};
  double square = 0;
  for (const auto& one : model.observed) square += std::pow(one.dH - predicted_dH(model, plan, one), 2) / 4;
  for (int n = 0; n < 200; ++n) learn(model, plan, model.observed);
  EXPECT_NEAR(predict(model, plan).fourth_order, square, 0.05 * square);
  EXPECT_NE(model.kappa_of("4mn5fv"), model.kappa_of("2mn"));
  EXPECT_EQ(model.kappa_of("2mn"), IntegratorModel().kappa_of("2mn"));
}

TEST(IntegratorModel, DoubtsWhatFewTrajectoriesSay) {
  auto model = model_of_four_terms();
  const auto plan = two_levels(minimum_norm_2(), minimum_norm_2(), 4);
  model.observed = {observe(plan, 0, &model.costs), observe(plan, 1)};
  const auto few = predict(model, plan);
  EXPECT_GT(few.cautious_cost, few.cost);
  EXPECT_DOUBLE_EQ(few.cautious_cost,
                   few.seconds / (predicted_acceptance(few.variance + few.standard_error) * plan.length));
  // The same sixteen times: the variance is as before, its standard error a quarter.
  const auto two = model.observed;
  for (int n = 1; n < 16; ++n) model.observed.insert(model.observed.end(), two.begin(), two.end());
  model.learnt["2mn"] = {15 * 2 * 9.0, 15 * 2.0};
  const auto many = predict(model, plan);
  EXPECT_NEAR(many.variance, few.variance, 1e-9 * few.variance);
  EXPECT_NEAR(many.standard_error, few.standard_error / 4, 1e-6 * few.standard_error);
}

// Averages of the frequencies can be small where a few modes are fast. Where these were measured, no level gets steps
// that would make them unstable.
TEST(IntegratorModel, StepsAreShortEnoughForTheFastestModes) {
  auto model = observed_model(two_levels(minimum_norm_2(), minimum_norm_2(), 6), 3);
  // For each level, h_k w_k of the fastest modes as a fraction of what is stable.
  const auto fractions = [](const HmcParameters& parameters, double light) {
    std::vector<double> result;
    double length = parameters.length;
    for (const Level& level : parameters.levels) {
      const bool has_it = std::find(level.terms.begin(), level.terms.end(), "light") != level.terms.end();
      result.push_back(has_it ? light * length / level.steps / stability_limit(level.scheme) : 0);
      length /= 2.0 * level.steps;  // no drift of these schemes is longer than half a step
    }
    return *std::max_element(result.begin(), result.end());
  };
  const IntegratorSearch search{.length = 0.5, .integrators = {"2mn", "force_gradient"}};
  const double light = 60;
  EXPECT_GT(fractions(cheapest_integrator(model, search), light), 1) << "averages see it, and this test is idle";
  model.fastest = {light, 1, 1, 1};
  const auto found = cheapest_integrator(model, search);
  EXPECT_LE(fractions(found, light), 0.76);
  EXPECT_GT(predict(model, found).acceptance, 0.5);
}

TEST(IntegratorModel, LengthensDriftsByWhatEnergiesAllow) {
  auto model = model_of_four_terms();
  const auto plan = two_levels(leapfrog(), leapfrog(), 5);  // of length 0.5: drifts of 0.1, and of 0.05 inside
  trust(model, plan, 1.9);
  EXPECT_NEAR(model.longest_drifts[0], 0.15, 1e-12);
  EXPECT_NEAR(model.longest_drifts[3], 0.075, 1e-12);
  trust(model, plan, std::pow(2.0, -8));
  EXPECT_NEAR(model.longest_drifts[0], 0.2, 1e-12);
  trust(model, plan, 0);
  EXPECT_NEAR(model.longest_drifts[0], 1, 1e-12);
}

TEST(IntegratorModel, AcceptanceOfGaussianEnergies) {
  EXPECT_DOUBLE_EQ(predicted_acceptance(0), 1);
  EXPECT_NEAR(predicted_acceptance(1), 0.617075, 1e-6);  // erfc(1 / sqrt(8))
  EXPECT_THROW(predict({}, two_levels(leapfrog(), leapfrog(), 2)), InputError);
}

}  // namespace
}  // namespace trellis::hmc
