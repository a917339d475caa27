// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/verify_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trellis/app/run/chain_setup.hpp"

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

// Of the solver of "heatbath", "molecular_dynamics" or "metropolis".
Inaccuracy residual_of(const std::string& solver, double residual, const std::string& precision, double amplification) {
  const double reached = single_rounding(precision);
  if (residual >= reached) return {fmt::format("solver.{}_residual", solver), residual, amplification};
  return {fmt::format("solver.{}_precision", solver), reached, amplification, precision};
}

Inaccuracy residual_of_dynamics(const RunInput& input, double amplification) {
  const auto& s = input.solver;
  return residual_of("molecular_dynamics", s.molecular_dynamics_residual, s.molecular_dynamics_precision,
                     amplification);
}

Inaccuracy residual_of_heatbath(const RunInput& input, double amplification) {
  const auto& s = input.solver;
  return residual_of("heatbath", s.heatbath_residual, s.heatbath_precision, amplification);
}

// Of phi^dagger f phi - |xi|^2 for n pseudofermions, relative to |xi|^2 of one.
std::vector<Inaccuracy> of_heatbath_energy(const RunInput& input, double n) {
  const auto& s = input.solver;
  return {{"rational.heatbath_error", input.rational.heatbath_error, 2 * n},
          {"rational.metropolis_error", input.rational.metropolis_error, n},
          residual_of_heatbath(input, n),
          residual_of("metropolis", s.metropolis_residual, s.metropolis_precision, n)};
}

const Inaccuracy* largest_of(std::span<const Inaccuracy> from) {
  const auto share = [](const Inaccuracy& one) { return one.value * one.amplification; };
  const auto largest =
      std::max_element(from.begin(), from.end(), [&](const auto& a, const auto& b) { return share(a) < share(b); });
  return largest == from.end() ? nullptr : &*largest;
}

double sum_of(std::span<const Inaccuracy> from) {
  double sum = 0;
  for (const auto& one : from) sum += one.value * one.amplification;
  return sum;
}

// With the value of the key at which its share would be half of `most`.
std::string too_loose(const Inaccuracy& one, double most) {
  if (!one.precision.empty())
    return fmt::format("{} = \"{}\" is too loose to check this; use \"double\"", one.key, one.precision);
  return fmt::format("{} = {:g} is too loose to check this; use <= {:g}", one.key, one.value,
                     one_digit(most / (2 * one.amplification)));
}

Outcome check_reversibility(double found, const RunInput& input, double amplification, double most, double dH,
                            std::span<const Inaccuracy> others) {
  double steps = 1;
  for (const auto& level : input.algorithm.levels) steps *= double(level.steps);
  std::vector<Inaccuracy> from;
  if (!input.quarks.flavours.empty()) from.push_back(residual_of_dynamics(input, amplification));
  double of_rounding = 1000 * operation_rounding * steps;
  if (input.algorithm.precision == "single") of_rounding += 100 * single_operation_rounding * std::sqrt(steps);
  auto outcome = at_most(found, of_rounding * amplification, from, most, others);
  if (outcome.note.empty() && std::abs(dH) > 100)
    outcome = with_note(outcome, fmt::format("dH = {:.3g}: the integration is unstable; take more steps", dH));
  return outcome;
}

}  // namespace

Outcome at_most(double found, double rest, std::span<const Inaccuracy> from, double most,
                std::span<const Inaccuracy> others) {
  const double sum = rest + sum_of(from);
  const auto* largest = largest_of(from);
  if (largest == nullptr || sum <= most) {
    const double limit = std::min(sum, most);
    const auto outcome = at_most(found, limit);
    const bool could_be_others = !others.empty() && found <= limit + sum_of(others);
    return could_be_others ? with_note(outcome, too_loose(*largest_of(others), limit)) : outcome;
  }
  auto outcome = at_most(found, most);
  outcome.passed = false;
  outcome.note = too_loose(*largest, most);
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
  // The pseudofermions of both are drawn from the same noise, but those of the input only as accurately as it asks.
  const std::vector<Inaccuracy> of_pseudofermions{
      {"rational.heatbath_error", input.rational.heatbath_error, 2 * cancels},
      residual_of_heatbath(input, 20 * cancels)};
  return at_most(found, 0, from, 0.02, of_pseudofermions);
}

Outcome check_heatbath_energy(double found, const RunInput& input, const hmc::QuarkTerm& term, double volume) {
  const double n = term.pseudofermions;
  // Rounding: of the sums over some twenty poles.
  return at_most(found, 100 * operation_rounding * n, of_heatbath_energy(input, n),
                 std::min(1e-4, 0.1 / (1.5 * volume)));
}

Outcome check_reversibility_of_links(double found, const RunInput& input, double dH) {
  return check_reversibility(found, input, 1, 1e-3, dH, {});
}

Outcome check_reversibility_of_energy(double found, const RunInput& input, double volume, double dH) {
  double pseudofermions = 0;
  for (const auto& term : quark_terms(input.quarks)) pseudofermions += term.pseudofermions;
  return check_reversibility(found, input, std::sqrt(volume), 0.1, dH,
                             of_heatbath_energy(input, 1.5 * volume * pseudofermions));
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
  const double absolute = 6 * volume *
                          (std::abs(weights.plaquette) * plaquette_limit +  //
                           2 * std::abs(weights.rectangle) * rectangle_limit +
                           16.0 / 6 * std::abs(weights.parallelogram) * rectangle_limit);
  return absolute / std::abs(action);
}

double force_size_limit(const gauge::LoopWeights& weights, double size) {
  return (6 * std::abs(weights.plaquette) * plaquette_limit + 18 * std::abs(weights.rectangle) * rectangle_limit +
          24 * std::abs(weights.parallelogram) * rectangle_limit) /
         size;
}

}  // namespace trellis::app
