// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the levels, integrators and steps, and if it may the length of trajectories, with which a unit of accepted
// molecular dynamics time takes the least time. Trajectories are run with the integrators to begin with until the links
// have thermalised somewhat: until five in a row have changed the kinetic energy by no more than it varies, or a third
// of the budget is spent. Then Poisson brackets are measured at both ends of some more, for each candidate (an action
// may be split into terms in several ways), and once the fastest mode of each term. From these the search predicts the
// cost of every plan (integrator_model.hpp); the cheapest plan is tried on a few trajectories, which teach the model
// what it did not know, until the cheapest is one that was tried and did as predicted, or the budget is spent. The
// result is the plan that was tried with the least cost.
//
// The choice depends on measured times, so it can differ from call to call; it is the same on all ranks.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/hmc/tuning/integrator_model.hpp"

namespace trellis::hmc {

// The action as terms, with parameters that integrate it, though perhaps not well.
template <class T, int W>
struct TuningCandidate {
  std::string name;
  std::function<Terms<T, W>()> make_terms;
  HmcParameters parameters;
};

struct TuningBudget {
  int trajectories = 40;  // in all, at least 12
  // No trajectory is begun after so many, and no candidate but the first of them is measured unless the time of the one
  // before fits in what is left of the first half; 0: no limit.
  double seconds = 0;
  std::function<double()> seconds_spent = {};  // by default since the call
  // Asked on every rank before each trajectory, between its outermost steps, and between the forces of measurements; if
  // it returns a text on one of them, TuningStopped is thrown on all, and u is as before that trajectory.
  std::function<std::string()> stopped_by = {};
  // Candidates are measured from the last to the first: with the last one trajectories have come near equilibrium, so
  // where time is short it is the best guess. Otherwise from the first, with which others are then compared.
  bool last_candidate_first = false;
  IntegratorSearch search = {};  // its length is that of the candidates' parameters, whatever it says
};

class TuningStopped final : public Error {
 public:
  using Error::Error;  // with the text, that of the first rank that has one
};

// A plan with what was predicted and, if it was tried, found.
struct TriedIntegrator {
  std::size_t candidate = 0;
  HmcParameters parameters;
  Prediction prediction;      // with all that is known in the end
  int trajectories = 0;       // that were tried
  double mean_square_dH = 0;  // of these

  // What to expect, by which plans are compared: with the variance of dH predicted and its standard error, or, where
  // that is larger, with what was found. A plan must not win by luck, neither that of few trials, whose mean of dH^2 is
  // as uncertain as it is large, nor that of a prediction which they contradict.
  double variance() const;
  double acceptance() const;
  double cost() const;  // seconds for a unit of molecular dynamics time, accepted
};

struct TuningResult {
  TriedIntegrator best;
  std::vector<TriedIntegrator> tried;  // the candidates' own parameters first, as far as they were measured
  int trajectories = 0;                // that were run
  int towards_equilibrium = 0;         // of these, before anything was measured
  bool out_of_budget = false;          // the search was not at its end
};

// "l_1: 2mn (lambda 0.18), 3 steps; plaquette, rectangle: 4mn5fv, 2 steps; length 1"
std::string describe(const HmcParameters& parameters);

// Changes u. tell: called on every rank with a sentence for the user. Throws InputError for no candidate or too small a
// budget; TuningStopped; OutsideSpectrum; Error if the last candidate cannot be
// integrated even with 64 times as many steps as its parameters have.
template <class T, int W>
TuningResult tune_integrator(const std::vector<TuningCandidate<T, W>>& candidates, const TuningBudget& budget,
                             std::uint64_t seed, const GaugeField<T, W>& u,
                             const std::function<void(const std::string&)>& tell);

}  // namespace trellis::hmc
