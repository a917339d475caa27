// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/chain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

const Coordinate size{4, 4, 4, 4};

template <int W>
ChainState<double, W> start(const Coordinate& extents = size) {
  ChainState<double, W> state{GaugeField<double, W>(Lattice(extents, W)), 0, {}};
  gauge::hot_start({5, 0, gauge::hot_start_purpose}, state.links);
  return state;
}

template <int W>
Algorithm<double, W> hmc(double beta, int steps, const Lattice& lattice) {
  return HybridMonteCarlo<double, W>({1.0, {{minimum_norm_2(), steps, {"gauge"}}}},
                                     make_gauge_terms<double, W>({{"gauge", gauge::Action{beta, 0}}}), lattice);
}

// What a chain produces: plaquette and dH of each trajectory, the links, the statistics.
struct Trace {
  std::vector<double> plaquette, dH;
  std::vector<reference::Matrix> links;
  double sum_exp = 0;
  bool operator==(const Trace&) const = default;
};

// Runs the chain in pieces that end at these trajectories; each piece knows only what a checkpoint contains.
template <int W>
Trace run_in_pieces(const std::vector<std::uint32_t>& ends, bool with_heatbath, std::uint32_t reversibility_every = 0) {
  Trace trace;
  auto state = start<W>();
  for (const std::uint32_t end : ends) {
    const ChainState<double, W> copy{state.links.clone(), state.completed, state.statistics};
    state = copy;
    const auto algorithm =
        with_heatbath ? heatbath<double, W>({gauge::Action{5.6, 0}, 2}) : hmc<W>(5.6, 4, state.links.lattice());
    ChainParameters parameters{.seed = 7, .trajectories = ends.back(), .thermalisation = 2, .accept_always = 2};
    parameters.reversibility_every = reversibility_every;
    ChainCallbacks<double, W> callbacks;
    callbacks.on_trajectory = [&](const TrajectoryRecord& record, const ChainState<double, W>& s) {
      trace.dH.push_back(record.dH);
      trace.plaquette.push_back(gauge::plaquette(s.links).average);
      EXPECT_EQ(record.reversibility.has_value(),
                !with_heatbath && reversibility_every > 0 && s.completed % reversibility_every == 0);
    };
    callbacks.should_stop = [&]() -> std::optional<std::string> {
      return state.completed == end ? std::optional<std::string>("piece") : std::nullopt;
    };
    run_chain(parameters, algorithm, state, callbacks);
  }
  trace.links = test::to_reference(state.links).links;
  trace.sum_exp = state.statistics.sum_exp;
  return trace;
}

TEST(Chain, SameBitsInPiecesAndForAnyLanesAndThreads) {
  const int threads_before = concurrency();
  for (const bool with_heatbath : {false, true}) {
    set_thread_count(1);
    const Trace whole = run_in_pieces<1>({6}, with_heatbath);
    ASSERT_EQ(whole.plaquette.size(), 6u);
    EXPECT_NE(whole.plaquette[5], whole.plaquette[0]);
    EXPECT_EQ(run_in_pieces<wide>({6}, with_heatbath, 4), whole);
    test::for_each_lane_count(
        size, [&]<int W>() { EXPECT_EQ(run_in_pieces<W>({1, 3, 4, 6}, with_heatbath), whole) << W << " lanes"; });
    set_thread_count(2);
    EXPECT_EQ(run_in_pieces<wide>({2, 6}, with_heatbath), whole);
  }
  set_thread_count(threads_before);
}

// <exp(-dH)> = 1 holds for any step length, if the chain is in equilibrium.
TEST(Chain, ExpMinusDHAveragesToOne) {
  auto state = start<wide>();
  const ChainParameters parameters{.seed = 11, .trajectories = 400, .thermalisation = 60, .accept_always = 20};
  std::vector<double> series;
  ChainCallbacks<double, wide> callbacks;
  callbacks.on_trajectory = [&](const TrajectoryRecord& record, const ChainState<double, wide>&) {
    if (record.trajectory >= parameters.thermalisation) series.push_back(record.exp_minus_dH);
  };
  run_chain(parameters, hmc<wide>(5.5, 3, state.links.lattice()), state, callbacks);
  const auto& s = state.statistics;
  EXPECT_EQ(s.trajectories, 340u);
  EXPECT_NEAR(s.mean_exp_minus_dH(), 1, 4 * s.error_exp_minus_dH());
  EXPECT_LT(s.error_exp_minus_dH(), 0.1);
  EXPECT_GT(s.mean_dH(), 0.01);  // coarse enough to be meaningful
  EXPECT_LT(s.acceptance(), 0.95);
  const auto estimate = analysis::gamma_method(series);
  EXPECT_NEAR(s.mean_exp_minus_dH(), estimate.mean, 1e-13);
}

// An algorithm that changes nothing and takes a given time on its own clock.
struct Clockwork {
  double time = 0;
  std::vector<std::uint32_t> accepted_always, checkpoints;
  Algorithm<double, 1> algorithm(double seconds) {
    return [this, seconds](const TrajectoryRequest& request, const GaugeField<double, 1>&,
                           const BetweenSteps<double, 1>&) {
      time += seconds;
      if (request.accept_always) accepted_always.push_back(request.trajectory);
      TrajectoryRecord record;
      record.trajectory = request.trajectory;
      record.dH = 0.5;
      record.exp_minus_dH = std::exp(-0.5);
      record.accepted = request.trajectory % 2 == 0;
      return record;
    };
  }
  ChainCallbacks<double, 1> callbacks() {
    ChainCallbacks<double, 1> c;
    c.clock = [this] { return time; };
    c.on_checkpoint = [this](const ChainState<double, 1>& s) { checkpoints.push_back(s.completed); };
    return c;
  }
};

TEST(Chain, ChecksPointsAndCounts) {
  Clockwork clockwork;
  ChainState<double, 1> state;
  const ChainParameters parameters{.trajectories = 11, .thermalisation = 5, .accept_always = 2, .checkpoint_every = 4};
  const auto result = run_chain(parameters, clockwork.algorithm(1), state, clockwork.callbacks());
  EXPECT_EQ(result.end, ChainEnd::finished);
  EXPECT_EQ(state.completed, 11u);
  EXPECT_EQ(clockwork.checkpoints, (std::vector<std::uint32_t>{4, 8, 11}));
  EXPECT_EQ(clockwork.accepted_always, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(state.statistics.trajectories, 6u);
  EXPECT_EQ(state.statistics.accepted, 3u);
  EXPECT_EQ(state.statistics.acceptance(), 0.5);
  EXPECT_EQ(state.statistics.mean_dH(), 0.5);
  EXPECT_NEAR(state.statistics.mean_exp_minus_dH(), std::exp(-0.5), 1e-15);
  EXPECT_NEAR(state.statistics.error_exp_minus_dH(), 0, 1e-8);

  // Nothing left to do, and nothing new to write.
  run_chain(parameters, clockwork.algorithm(1), state, clockwork.callbacks());
  EXPECT_EQ(clockwork.checkpoints.size(), 3u);
}

TEST(Chain, StopsWhenAskedOrWhenTimeIsShort) {
  {
    Clockwork clockwork;
    ChainState<double, 1> state;
    auto callbacks = clockwork.callbacks();
    callbacks.should_stop = [&]() -> std::optional<std::string> {
      return state.completed == 3 ? std::optional<std::string>("stop file 'stop' found") : std::nullopt;
    };
    const auto result = run_chain({.trajectories = 200}, clockwork.algorithm(1), state, callbacks);
    EXPECT_EQ(result.end, ChainEnd::stopped);
    EXPECT_EQ(result.reason, "stop file 'stop' found");
    EXPECT_EQ(clockwork.checkpoints, (std::vector<std::uint32_t>{3}));
  }
  {
    // 10 s each: after the ninth, at 90 s of 100, a tenth would need 11 by the rule.
    Clockwork clockwork;
    ChainState<double, 1> state;
    const ChainParameters parameters{.trajectories = 200, .time_budget_seconds = 100};
    const auto result = run_chain(parameters, clockwork.algorithm(10), state, clockwork.callbacks());
    EXPECT_EQ(result.end, ChainEnd::out_of_time);
    EXPECT_EQ(state.completed, 9u);
    EXPECT_EQ(clockwork.checkpoints, (std::vector<std::uint32_t>{9}));
    clockwork.time = 100;
    run_chain(parameters, clockwork.algorithm(10), state, clockwork.callbacks());
    EXPECT_EQ(state.completed, 9u);
  }
}

// In the fifth trajectory time runs short: the state after the fourth is saved at once, and a chain that begins from it
// has the bits of an uninterrupted one; if there is not enough time, the trajectory is abandoned.
TEST(Chain, AHurrySavesTheLastStateAtOnce) {
  const ChainParameters parameters{
      .seed = 7, .trajectories = 6, .thermalisation = 2, .accept_always = 2, .checkpoint_every = 100};
  auto whole = start<1>();
  const auto algorithm = hmc<1>(5.6, 4, whole.links.lattice());
  ASSERT_EQ((run_chain<double, 1>(parameters, algorithm, whole, {})).end, ChainEnd::finished);
  for (const bool has_time : {true, false}) {
    auto state = start<1>();
    std::vector<ChainState<double, 1>> saved;
    int steps_of_fifth = 0;
    bool hurry = false;
    ChainCallbacks<double, 1> callbacks;
    callbacks.in_a_hurry = [&] {
      if (state.completed == 4 && ++steps_of_fifth == 2) hurry = true;
      return hurry;
    };
    callbacks.should_stop = [&] { return hurry ? std::optional<std::string>("hurry") : std::nullopt; };
    callbacks.on_checkpoint = [&](const ChainState<double, 1>& s) {
      saved.push_back({s.links.clone(), s.completed, s.statistics});
    };
    auto limited = parameters;
    if (!has_time) limited.grace_seconds = 0;
    const auto result = run_chain(limited, algorithm, state, callbacks);
    EXPECT_EQ(result.end, ChainEnd::stopped);
    EXPECT_EQ(result.reason, has_time ? "hurry" : "hurry, which left no time for the trajectory");
    EXPECT_EQ(state.completed, has_time ? 5u : 4u);
    ASSERT_EQ(saved.size(), has_time ? 2u : 1u);
    EXPECT_EQ(saved[0].completed, 4u);
    if (!has_time) saved.push_back(state);
    for (auto& from : saved) {
      ASSERT_EQ((run_chain<double, 1>(parameters, algorithm, from, {})).end, ChainEnd::finished);
      EXPECT_EQ(test::to_reference(from.links).links, test::to_reference(whole.links).links);
      EXPECT_EQ(from.statistics.sum_exp, whole.statistics.sum_exp);
    }
  }
}

// Checkpoints need not be safe at once, but those in a hurry and the last one must be.
TEST(Chain, SavingIsFinishedInAHurryAndAtTheEnd) {
  std::string story;
  bool hurry = false;
  ChainState<double, 1> state;
  const Algorithm<double, 1> algorithm = [&](const TrajectoryRequest& request, const GaugeField<double, 1>& u,
                                             const BetweenSteps<double, 1>& between) {
    hurry = request.trajectory == 5;
    between(u);
    story += "t";
    return TrajectoryRecord{};
  };
  ChainCallbacks<double, 1> callbacks;
  callbacks.on_checkpoint = [&](const ChainState<double, 1>& s) { story += fmt::format("c{}", s.completed); };
  callbacks.finish_saving = [&] { story += "f"; };
  callbacks.between_steps = [&] { story += "-"; };
  const ChainParameters parameters{.trajectories = 3, .thermalisation = 0, .checkpoint_every = 2};
  run_chain(parameters, algorithm, state, callbacks);
  EXPECT_EQ(story, "--t--tc2--tc3f");

  story.clear();
  callbacks.in_a_hurry = [&] { return hurry; };
  callbacks.should_stop = [&] { return hurry ? std::optional<std::string>("hurry") : std::nullopt; };
  auto more = parameters;
  more.trajectories = 9;
  EXPECT_EQ(run_chain(more, algorithm, state, callbacks).end, ChainEnd::stopped);
  EXPECT_EQ(story, "--tc4--t--c5ftc6-f");
}

// 10 s each and 25 s for saving: after the seventh, at 70 s of 100, an eighth would need 36 by the rule.
TEST(Chain, TheTimeBudgetKeepsWhatSavingTakes) {
  Clockwork clockwork;
  ChainState<double, 1> state;
  auto callbacks = clockwork.callbacks();
  callbacks.saving_seconds = [] { return 25.0; };
  const ChainParameters parameters{.trajectories = 200, .time_budget_seconds = 100};
  const auto result = run_chain(parameters, clockwork.algorithm(10), state, callbacks);
  EXPECT_EQ(result.end, ChainEnd::out_of_time);
  EXPECT_EQ(state.completed, 7u);
  EXPECT_NE(result.reason.find("saving its links up to 25.0 s"), std::string::npos) << result.reason;
}

TEST(Chain, AnErrorLeavesTheLastTrajectory) {
  ChainState<double, 1> state;
  const Algorithm<double, 1> failing = [](const TrajectoryRequest& request, const GaugeField<double, 1>&,
                                          const BetweenSteps<double, 1>&) {
    if (request.trajectory == 4) fail("trajectory {}: broken", request.trajectory);
    return TrajectoryRecord{};
  };
  const ChainParameters parameters{.thermalisation = 0};
  EXPECT_THROW((run_chain<double, 1>(parameters, failing, state, {})), Error);
  EXPECT_EQ(state.completed, 4u);
  EXPECT_EQ(state.statistics.trajectories, 4u);
}

TEST(Chain, ParametersThatContradictEachOther) {
  ChainState<double, 1> state;
  const auto run = [&](const ChainParameters& p) { run_chain<double, 1>(p, {}, state, {}); };
  EXPECT_THROW(run({.trajectories = 10, .thermalisation = 11}), InputError);
  EXPECT_THROW(run({.trajectories = 10, .thermalisation = 5, .accept_always = 6}), InputError);
  EXPECT_THROW(run({.time_budget_seconds = -1}), InputError);
  EXPECT_THROW(run({.time_budget_seconds = std::nan("")}), InputError);
}

}  // namespace
}  // namespace trellis::hmc
