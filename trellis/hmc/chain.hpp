// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Markov chain of gauge fields: trajectories one after another until all are done, it is asked to stop, or there is
// no time for another one. At a trajectory boundary the state of the chain is its ChainState and nothing else: a chain
// restarted from a state gives the bits that an uninterrupted chain would have had.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

struct ChainParameters {
  std::uint64_t seed = 1;
  std::uint32_t trajectories = 1000;      // in the complete chain, including thermalisation
  std::uint32_t thermalisation = 100;     // how many initial ones are left out of ChainStatistics
  std::uint32_t accept_always = 0;        // how many initial ones skip the Metropolis test; at most thermalisation
  std::uint32_t checkpoint_every = 10;    // trajectories; 0: only at the end
  std::uint32_t reversibility_every = 0;  // trajectories; 0: never
  double time_budget_seconds = 0;         // on callbacks' clock; 0: no limit
  double grace_seconds = 1e300;           // after in_a_hurry; a trajectory that takes longer is abandoned
};

// Sums over the trajectories after thermalisation, added one trajectory at a time. They survive restarts, so a
// checkpoint stores them to the last bit.
struct ChainStatistics {
  std::uint64_t trajectories = 0, accepted = 0;
  double sum_dH = 0, sum_dH2 = 0, sum_exp = 0, sum_exp2 = 0;  // of dH and exp(-dH)

  void add(const TrajectoryRecord& record);
  double acceptance() const;  // NaN if there is no trajectory; likewise the other means
  double mean_dH() const;
  double mean_exp_minus_dH() const;
  double error_exp_minus_dH() const;  // assuming independent numbers; NaN for fewer than two
};

template <class T, int W>
struct ChainState {
  GaugeField<T, W> links;       // unitary to rounding, as gauge::reunitarise() leaves them
  std::uint32_t completed = 0;  // trajectories; also the number of the next one
  ChainStatistics statistics = {};
};

// All may be empty. Every rank calls its own; clocks and should_stop need not agree between ranks.
template <class T, int W>
struct ChainCallbacks {
  // Called after each trajectory, with the state after it. The place for measurements and the table.
  std::function<void(const TrajectoryRecord&, const ChainState<T, W>&)> on_trajectory;
  // Called after on_trajectory, when a checkpoint is due, and when the chain ends with trajectories not yet saved. It
  // may return before the state is safe, if finish_saving is there.
  std::function<void(const ChainState<T, W>&)> on_checkpoint;
  // Returns once all states given to on_checkpoint are safe. Called in a hurry, and before the chain ends.
  std::function<void()> finish_saving;
  // The longest time that a state has taken so far until it was safe, in seconds: the end of a time budget that is kept
  // free for the last one.
  std::function<double()> saving_seconds;
  // Called between the steps of a trajectory, and between trajectories.
  std::function<void()> between_steps;
  // Called before each trajectory; a returned reason stops the chain ("stop file 'stop' found").
  std::function<std::optional<std::string>()> should_stop;
  // Also called between the steps of a trajectory: true if time is so short that the last state must be saved at once,
  // by on_checkpoint. The trajectory goes on; should_stop, called after it, ends the chain.
  std::function<bool()> in_a_hurry;
  // Seconds since the time budget began. If empty: since run_chain() was called.
  std::function<double()> clock;
};

enum class ChainEnd { finished, stopped, out_of_time };

struct ChainResult {
  ChainEnd end;
  std::string reason;  // a sentence for the user
};

// Advances state until the chain ends. The next trajectory is not started if the remaining budget is less than 1.1
// times the longest trajectory of this call, callbacks included, plus saving_seconds; the first one, if nothing is
// left. Throws InputError
// for contradictory parameters. Exceptions of the algorithm or a callback pass through; state is then the one after the
// last completed trajectory.
template <class T, int W>
ChainResult run_chain(const ChainParameters& parameters, const Algorithm<T, W>& algorithm, ChainState<T, W>& state,
                      const ChainCallbacks<T, W>& callbacks);

}  // namespace trellis::hmc
