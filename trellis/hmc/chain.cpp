// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::hmc {

namespace {

// Thrown when a trajectory is abandoned.
struct GivenUp {};

double mean(double sum, std::uint64_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / double(count);
}

void require_valid(const ChainParameters& p) {
  if (p.thermalisation > p.trajectories)
    fail_input("thermalisation is {}, the whole chain only {}", plural(p.thermalisation, "trajectory"), p.trajectories);
  if (p.accept_always > p.thermalisation)
    fail_input("accept_always is {}; it must not exceed thermalisation, which is {}",
               plural(p.accept_always, "trajectory"), p.thermalisation);
  if (!(p.time_budget_seconds >= 0))
    fail_input("the time budget is {} s; it must not be negative", p.time_budget_seconds);
}

}  // namespace

void ChainStatistics::add(const TrajectoryRecord& record) {
  ++trajectories;
  accepted += record.accepted ? 1 : 0;
  sum_dH += record.dH;
  sum_dH2 += record.dH * record.dH;
  sum_exp += record.exp_minus_dH;
  sum_exp2 += record.exp_minus_dH * record.exp_minus_dH;
}

double ChainStatistics::acceptance() const { return mean(double(accepted), trajectories); }
double ChainStatistics::mean_dH() const { return mean(sum_dH, trajectories); }
double ChainStatistics::mean_exp_minus_dH() const { return mean(sum_exp, trajectories); }
double ChainStatistics::error_exp_minus_dH() const {
  if (trajectories < 2) return std::numeric_limits<double>::quiet_NaN();
  const double average = mean_exp_minus_dH();
  return std::sqrt(std::max(0.0, mean(sum_exp2, trajectories) - average * average) / double(trajectories - 1));
}

template <class T, int W>
ChainResult run_chain(const ChainParameters& parameters, const Algorithm<T, W>& algorithm, ChainState<T, W>& state,
                      const ChainCallbacks<T, W>& callbacks) {
  require_valid(parameters);
  const Stopwatch watch;
  const auto ranks = state.links.is_allocated() ? state.links.lattice().ranks() : comm::Communicator();
  // Ranks agree on what they may see differently: the latest clock, the first reason to stop.
  const auto latest = [&](double seconds) {
    ranks.maximum("time budget", {&seconds, 1});
    return seconds;
  };
  const auto now = [&] { return latest(callbacks.clock ? callbacks.clock() : watch.seconds()); };
  const auto reason_to_stop = [&]() -> std::optional<std::string> {
    const auto here = callbacks.should_stop ? callbacks.should_stop() : std::nullopt;
    for (const std::string& found : ranks.gather("stop", here ? "!" + *here : ""))
      if (!found.empty()) return found.substr(1);
    return std::nullopt;
  };
  std::uint32_t checkpointed = state.completed;
  double longest = 0;

  const auto checkpoint = [&] {
    if (checkpointed == state.completed) return;
    if (callbacks.on_checkpoint) callbacks.on_checkpoint(state);
    checkpointed = state.completed;
  };
  const auto finish_saving = [&] {
    if (callbacks.finish_saving) callbacks.finish_saving();
  };
  bool hurried = false;
  double deadline = 0, start = 0;
  const auto between_steps = [&](const GaugeField<T, W>& before) {
    if (callbacks.between_steps) callbacks.between_steps();
    if (!callbacks.in_a_hurry) return;
    double hurry = callbacks.in_a_hurry() ? 1 : 0;
    ranks.maximum("signals", {&hurry, 1});
    if (hurry == 0) return;
    if (!hurried) {
      hurried = true;
      deadline = now() + parameters.grace_seconds;
      if (checkpointed != state.completed && callbacks.on_checkpoint) {
        callbacks.on_checkpoint({before, state.completed, state.statistics});
        checkpointed = state.completed;
      }
      finish_saving();
    }
    if (std::max(now(), start + longest) > deadline) throw GivenUp{};
  };
  const auto ended = [&](ChainEnd end, const std::string& reason) -> ChainResult {
    checkpoint();
    finish_saving();
    return {end, reason};
  };

  while (state.completed < parameters.trajectories) {
    if (callbacks.between_steps) callbacks.between_steps();
    if (const auto reason = reason_to_stop()) return ended(ChainEnd::stopped, *reason);
    start = now();
    const double left = parameters.time_budget_seconds - start;
    const bool is_limited = parameters.time_budget_seconds > 0;
    const double saving = is_limited && callbacks.saving_seconds ? latest(callbacks.saving_seconds()) : 0;
    if (is_limited && !(left > 1.1 * longest + saving))
      return ended(
          ChainEnd::out_of_time,
          fmt::format("of the {:.0f} s there are {:.1f} s left, and a trajectory took up to {:.1f} s{}",
                      parameters.time_budget_seconds, std::max(0.0, left), longest,
                      saving >= 0.1 ? fmt::format(", saving its links up to {:.1f} s", saving) : std::string()));

    const std::uint32_t number = state.completed, every = parameters.reversibility_every;
    const TrajectoryRequest request{.seed = parameters.seed,
                                    .trajectory = number,
                                    .accept_always = number < parameters.accept_always,
                                    .check_reversibility = every > 0 && (number + 1) % every == 0};
    TrajectoryRecord record;
    try {
      record = algorithm(
          request, state.links,
          callbacks.in_a_hurry || callbacks.between_steps ? BetweenSteps<T, W>(between_steps) : BetweenSteps<T, W>());
    } catch (const GivenUp&) {
      return {ChainEnd::stopped, reason_to_stop().value_or("a signal") + ", which left no time for the trajectory"};
    }
    if (number >= parameters.thermalisation) state.statistics.add(record);
    ++state.completed;
    if (callbacks.on_trajectory) callbacks.on_trajectory(record, state);
    if (parameters.checkpoint_every > 0 && state.completed % parameters.checkpoint_every == 0) checkpoint();
    longest = std::max(longest, now() - start);
  }
  return ended(ChainEnd::finished, parameters.trajectories == 1
                                       ? std::string("the only trajectory is done")
                                       : fmt::format("all {} trajectories are done", parameters.trajectories));
}

#define TRELLIS_INSTANTIATE(W)                                                                   \
  template ChainResult run_chain<double, W>(const ChainParameters&, const Algorithm<double, W>&, \
                                            ChainState<double, W>&, const ChainCallbacks<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
