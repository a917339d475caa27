// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/verify_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trellis::app {
namespace {

constexpr double single_operation_rounding = 6e-8;

// Relative residuals of what iterates in single precision alone, with links in single precision or in 16 bits, on the
// small lattices of this check.
double single_rounding(const std::string& precision) {
  return precision == "single" ? 1e-6 : precision == "16-bit" ? 2e-4 : 0;
}

// One digit, rounded down.
double one_digit(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return std::floor(x / unit * (1 + 1e-12)) * unit;
}

Inaccuracy residual_of_dynamics(const RunInput& input, double amplification) {
  const auto& s = input.solver;
  return {"solver.molecular_dynamics_residual",
          std::max(s.molecular_dynamics_residual, single_rounding(s.molecular_dynamics_precision)), amplification};
}

Outcome check_reversibility(double found, const RunInput& input, double amplification, double most, double dH) {
  double steps = 1;
  for (const auto& level : input.algorithm.levels) steps *= double(level.steps);
  std::vector<Inaccuracy> from;
  if (!input.quarks.flavours.empty()) from.push_back(residual_of_dynamics(input, amplification));
  double of_rounding = 1000 * operation_rounding * steps;
  if (input.algorithm.precision == "single") of_rounding += 100 * single_operation_rounding * std::sqrt(steps);
  auto outcome = at_most(found, of_rounding * amplification, from, most);
  if (outcome.note.empty() && std::abs(dH) > 100)
    outcome = with_note(outcome, fmt::format("dH = {:.3g}: the integration is unstable; take more steps", dH));
  return outcome;
}

}  // namespace

Outcome at_most(double found, double rest, std::span<const Inaccuracy> from, double most) {
  double sum = rest;
  const Inaccuracy* largest = nullptr;
  for (const auto& one : from) {
    sum += one.value * one.amplification;
    if (largest == nullptr || one.value * one.amplification > largest->value * largest->amplification) largest = &one;
  }
  if (largest == nullptr || sum <= most) return at_most(found, std::min(sum, most));
  auto outcome = at_most(found, most);
  outcome.passed = false;
  outcome.note = fmt::format("{} = {:g} is too loose to check this; use <= {:g}", largest->key, largest->value,
                             one_digit(most / (2 * largest->amplification)));
  return outcome;
}

double derivative_limit(double step, double size, double slope) {
  constexpr double frequency = 4;
  return std::pow(step * frequency, 4) / 30 + operation_rounding * size / (step * std::max(slope, 1e-300));
}

Outcome check_force_accuracy(double found, const RunInput& input, const hmc::QuarkTerm& term) {
  const double error = input.rational.molecular_dynamics_error;
  const double range = std::log1p(input.rational.largest_eigenvalue / (term.mass * term.mass));
  const double cancels = term.heavier_mass > 0 ? 4 : 1;
  const std::vector<Inaccuracy> from{
      residual_of_dynamics(input, 20 * cancels),
      {"rational.molecular_dynamics_error", error,
       cancels * 2 * (2 * std::log(4 / error) / std::numbers::pi + std::numbers::pi / range) / term.power}};
  return at_most(found, 0, from, 0.02);
}

Outcome check_heatbath_energy(double found, const RunInput& input, const hmc::QuarkTerm& term, double volume) {
  const auto& s = input.solver;
  const double n = term.pseudofermions;
  const auto of_residual = [&](double residual, const std::string& precision) {
    return std::max(residual, single_rounding(precision));
  };
  const std::vector<Inaccuracy> from{
      {"rational.heatbath_error", input.rational.heatbath_error, 2 * n},
      {"rational.metropolis_error", input.rational.metropolis_error, n},
      {"solver.heatbath_residual", of_residual(s.heatbath_residual, s.heatbath_precision), n},
      {"solver.metropolis_residual", of_residual(s.metropolis_residual, s.metropolis_precision), n}};
  // Rounding: of the sums over some twenty poles.
  return at_most(found, 100 * operation_rounding * n, from, std::min(1e-4, 0.1 / (1.5 * volume)));
}

Outcome check_reversibility_of_links(double found, const RunInput& input, double dH) {
  return check_reversibility(found, input, 1, 1e-3, dH);
}

Outcome check_reversibility_of_energy(double found, const RunInput& input, double volume, double dH) {
  return check_reversibility(found, input, std::sqrt(volume), 0.1, dH);
}

double smearing_limit(const gauge::SmearingParameters& smearing) {
  constexpr double most = 1e-12;
  if (smearing.kind != "stout") return most;
  const double growth = 1 + 6 * smearing.values.at("rho");
  double error = 0;
  for (int level = 0; level < int(smearing.values.at("levels")); ++level)
    error = growth * error + 100 * operation_rounding;
  return std::min(error, most);
}

double staggered_limit(const gauge::SmearingParameters& smearing) {
  return 48 * std::numbers::sqrt2 * (2 * operation_rounding + 0.5 * smearing_limit(smearing));
}

double wilson_limit(const dirac::WilsonParameters& quark, const gauge::SmearingParameters& smearing) {
  const double links = smearing_limit(smearing), clover = std::max(quark.clover, quark.clover_temporal);
  const double hops = 48 * std::max(1.0, quark.spatial_hopping) * (2 * operation_rounding + links),
               leaves = clover * 12 * (50 * operation_rounding + 6 * links);
  return std::numbers::sqrt2 * (quark.kappa * (hops + leaves) + 10 * operation_rounding);
}

double correlator_limit(int smearing_steps) { return (300 + 20 * smearing_steps) * operation_rounding; }

double flow_limit(double c1, double step) {
  const double strength = std::abs(1 - 8 * c1) + 6 * std::abs(c1);
  return 300 * operation_rounding * std::pow(1 + 6 * step * strength, 3);
}

double naive_sum_rounding(double count) { return 10 * operation_rounding * std::sqrt(count); }

gauge::LoopWeights largest_weights(gauge::LoopWeights weights, const gauge::Boundary& boundary) {
  const double factor = std::max({1.0, boundary.c_g, boundary.c_g_rectangles});
  for (double* weight : {&weights.plaquette, &weights.rectangle, &weights.parallelogram}) *weight *= factor;
  return weights;
}

double action_limit(const gauge::LoopWeights& weights, double volume, double action) {
  const double rounding = 6 * volume *
                          (std::abs(weights.plaquette) * plaquette_limit +  //
                           2 * std::abs(weights.rectangle) * rectangle_limit +
                           16.0 / 6 * std::abs(weights.parallelogram) * rectangle_limit);
  return rounding / std::abs(action);
}

double force_size_limit(const gauge::LoopWeights& weights, double size) {
  return (6 * std::abs(weights.plaquette) * plaquette_limit + 18 * std::abs(weights.rectangle) * rectangle_limit +
          24 * std::abs(weights.parallelogram) * rectangle_limit) /
         size;
}

}  // namespace trellis::app
