// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a plan of molecular dynamics would cost and how often it would be accepted, from what was measured on
// trajectories of any other plan:
//   variance of dH = <(delta(start) - delta(end))^2>, delta of the plan (shadow_hamiltonian.hpp)
//                    + sum_k (kappa e h_k^4 w_k^2 rms(A_k(end) - A_k(start)) / 2)^2
//   acceptance = erfc(sqrt(variance / 8))                      (Gupta, Irback, Karsch and Petersson, 1990)
//   cost = seconds of a trajectory / (acceptance x length)
// The second line is what fourth order in the steps adds: A_k = {T, {T, S_k}}; w_k^2 = <|G_k|^2> / <|A_k|>
// (poisson_brackets.hpp), the square of the frequencies of term k, of which fast ones weigh most; h_k the longest step
// of its level; e the coefficient that the scheme has for an oscillator; and kappa, a number for each scheme, how much
// larger it is here, which is learnt from trajectories.
//
// Where a trajectory is to be longer than one that was observed, the change of a quantity between its ends is taken to
// grow in proportion to the length, up to the difference between the start and the end of different trajectories. What
// is done at the ends is a smaller part of longer trajectories. How long slow modes of the links stay correlated is not
// asked: the cost is that of molecular dynamics time.
//
// All this is about short steps, and the variance of few trajectories is easily too small for just the plan that makes
// it smallest. So no plan is thought of with h_k w_k above a limit, nor with drifts much longer than any that was
// tried, nor with steps for which the fastest modes of a level, where they were measured, come close to being unstable:
// those of light quarks are far above the average w_k.

#include <map>
#include <string>
#include <vector>

#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/tuning/poisson_brackets.hpp"

namespace trellis::hmc {

// Brackets at both ends of a trajectory, and what its integrator made of it.
struct ObservedTrajectory {
  PoissonBrackets start, end;
  double dH = 0;
  double length = 1;
};

struct IntegratorModel {
  std::vector<std::string> terms;  // of the action, in its order
  std::vector<ObservedTrajectory> observed;
  ForceCosts costs;
  double fixed_seconds = 0;  // of a trajectory: all but forces and updates of links
  double drift_seconds = 0;  // of one update of the links
  // By scheme: sum of kappa^2 of the trajectories that it integrated, and how many.
  struct Learnt {
    double squares = 0, trajectories = 0;
  };
  std::map<std::string, Learnt> learnt;
  Learnt known_of(const std::string& scheme) const;  // with what is assumed of a scheme before it was tried

  std::vector<double> fastest;         // by term, the frequency of its fastest mode; empty: not known
  std::vector<double> longest_drifts;  // by term, between two of its kicks; empty: any

  double kappa_of(const std::string& scheme) const;
  double frequency(std::size_t term) const;  // w_k
};

struct Prediction {
  double variance = 0;        // of dH
  double standard_error = 0;  // standard error of the variance, from the number of trajectories that it was learnt from
  double fourth_order = 0;    // the part of it that the shadow Hamiltonian does not see
  double acceptance = 0;
  double seconds = 0;  // of a trajectory
  double cost = 0;     // seconds for a unit of molecular dynamics time, accepted
  // The same with a variance larger by its standard error. Of many plans, those whose variance is too small by chance
  // look best: a search for the least cost finds them, one for the least cautious cost much less often.
  double cautious_cost = 0;
};

double predicted_acceptance(double variance_of_dH);

// Throws InputError for plans that HybridMonteCarlo would refuse.
Prediction predict(const IntegratorModel& model, const HmcParameters& parameters);

// delta(start) - delta(end) of one trajectory.
double predicted_dH(const IntegratorModel& model, const HmcParameters& parameters, const ObservedTrajectory& observed);

// Learns kappa of the schemes of these parameters from trajectories that they integrated: what the shadow Hamiltonian
// does not explain is theirs, in proportion to what the model says of each.
void learn(IntegratorModel& model, const HmcParameters& parameters, const std::vector<ObservedTrajectory>& observed);

// After trajectories of these parameters, drifts of their terms may be half as long again, or as long as lets <dH^2>
// grow to one with the eighth power of the steps.
void trust(IntegratorModel& model, const HmcParameters& parameters, double mean_square_dH);

struct IntegratorSearch {
  double length = 1, longest_length = 0;  // of trajectories; above length, lengths up to it are tried as well
  int most_steps = 30;                    // of a level
  double longest_step = 1;                // h_k w_k
  std::size_t most_levels = 3;
  std::vector<std::string> integrators = {"2mn", "4mn5fv", "force_gradient"};
};

// Lengths of trajectories from the shortest to the longest, each 2^(1/2) times the one before; the last is the longest.
std::vector<double> lengths_to_try(const IntegratorSearch& search);

// The parameters with the smallest cautious cost: all lengths, all ways to put the terms on levels (in the order of
// their forces, the strongest innermost), all integrators of a level, and for each the best steps and lambda. No
// levels if none has a finite cost. Throws InputError if nothing was observed.
HmcParameters cheapest_integrator(const IntegratorModel& model, const IntegratorSearch& search);

}  // namespace trellis::hmc
