// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Averages of RHMC against a calculation without pseudofermions, forces or rational functions: configurations from the
// heatbath, reweighted by the exact determinant (reference/reweighting.hpp). And properties of every chain in
// equilibrium, whatever its action. All nightly.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "reference/reweighting.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::hmc {
namespace {

using test::wide;
using Flavours = std::vector<reference::Flavour>;
using Series = std::vector<double>;
// The determinant and the condensates of flavours.
using Weight = std::function<reference::QuarkWeight(const reference::GaugeConfiguration&, const Flavours&)>;

Weight on_stout_links(const reference::Smearing& smearing) {
  return [=](const auto& u, const auto& flavours) { return reference::quark_weight(u, flavours, smearing); };
}

const Coordinate size{4, 4, 4, 4};

ChainParameters chain(std::uint64_t seed, std::uint32_t trajectories) {
  return {.seed = seed, .trajectories = trajectories + 60, .thermalisation = 60, .accept_always = 15};
}

// Calls measure(record, links) after every `every`-th trajectory after thermalisation.
template <class F>
ChainStatistics run(const ChainParameters& parameters, const Algorithm<double, wide>& algorithm, std::uint32_t every,
                    const F& measure) {
  ChainState<double, wide> state{GaugeField<double, wide>::unit(Lattice(size, wide)), 0, {}};
  ChainCallbacks<double, wide> callbacks;
  callbacks.on_trajectory = [&](const TrajectoryRecord& record, const ChainState<double, wide>& s) {
    if (record.trajectory >= parameters.thermalisation && record.trajectory % every == 0) measure(record, s.links);
  };
  run_chain(parameters, algorithm, state, callbacks);
  return state.statistics;
}

// The condensate is that of the first flavour.
struct Quenched {
  Series plaquette, condensate, log_weight;
};
// Ten times one heatbath sweep and two overrelaxation sweeps between configurations.
Quenched quenched(const gauge::Action& action, const Flavours& flavours, const Weight& weight_of,
                  std::uint32_t configurations) {
  Quenched result;
  run(chain(1, 10 * configurations), heatbath<double, wide>({action, 2}), 10,
      [&](const auto&, const GaugeField<double, wide>& u) {
        const auto weight = weight_of(test::to_reference(u), flavours);
        result.plaquette.push_back(gauge::plaquette(u).average);
        result.condensate.push_back(weight.condensates.at(0));
        result.log_weight.push_back(weight.log_weight);
      });
  return result;
}

HybridMonteCarlo<double, wide> rhmc(const gauge::Action& action, const QuarkAction& quarks,
                                    const std::vector<QuarkTerm>& terms, const Scheme& scheme, int steps,
                                    bool in_single = false) {
  const Lattice lattice(size, wide);
  auto whole = make_quark_terms<wide>(quarks, terms, lattice);
  Level outer{scheme, steps, {}};
  for (const auto& term : whole) outer.terms.push_back(term->name());
  whole.push_back(make_gauge_terms<double, wide>({{"gauge", action}})[0]);
  const HmcParameters parameters{1.0, {outer, {minimum_norm_2(), 2, {"gauge"}}}};
  if (!in_single) return {parameters, whole, lattice};
  return {parameters, whole, lattice,
          single_precision_dynamics<wide>(parameters, lattice, [&]<int WS>(const Lattice& there) {
            auto forces = make_quark_forces<WS>(quarks, terms, there);
            forces.push_back(make_gauge_terms<float, WS>({{"gauge", action}})[0]);
            return forces;
          })};
}

// In equilibrium P(-dH) = exp(-dH) P(dH). So <exp(-dH)> = 1; but where dH can be large, as with HISQ, whose force grows
// like the inverse of a Fat7 link's smallest singular value, that average needs dH < 0 as far out, exponentially rarer,
// and a chain without these stays below 1. What follows too, and is bounded: <exp(-dH)> of dH > 0 alone is the fraction
// of trajectories with dH <= 0. So the average of this is zero.
double balance(const TrajectoryRecord& record) { return record.dH > 0 ? record.exp_minus_dH : -1; }

struct Dynamical {
  Series plaquette, condensate, balance;
  ChainStatistics statistics;
};
Dynamical dynamical(const HybridMonteCarlo<double, wide>& hmc, std::uint64_t seed, std::uint32_t trajectories,
                    const Flavours& flavours, const Weight& weight_of) {
  const std::uint32_t every = 3;  // for the condensate, which costs as much as three trajectories
  Dynamical result;
  result.statistics =
      run(chain(seed, trajectories), hmc, 1, [&](const TrajectoryRecord& record, const GaugeField<double, wide>& u) {
        result.plaquette.push_back(gauge::plaquette(u).average);
        result.balance.push_back(balance(record));
        if (record.trajectory % every == 0)
          result.condensate.push_back(weight_of(test::to_reference(u), {flavours[0]}).condensates[0]);
      });
  return result;
}

// sum w x / sum w, with its error by the Gamma method.
analysis::MeanEstimate reweighted(const Series& values, const Series& log_weights) {
  const double largest = *std::max_element(log_weights.begin(), log_weights.end());
  std::vector<Series> series(2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    series[1].push_back(std::exp(log_weights[i] - largest));
    series[0].push_back(series[1].back() * values[i]);
  }
  return analysis::gamma_method([](std::span<const double> mean) { return mean[0] / mean[1]; }, series);
}

// Within four standard deviations of the reweighted average, with errors small enough to show the effect of the quarks.
void expect_agreement(const std::string& what, const Series& found_series, const Series& quenched_series,
                      const Series& log_weights) {
  const analysis::MeanEstimate found = analysis::gamma_method(found_series),
                               pure = analysis::gamma_method(quenched_series),
                               exact = reweighted(quenched_series, log_weights);
  const double error = std::hypot(found.error, exact.error);
  const std::string numbers = fmt::format(
      "{}: RHMC {} (tau {:.2f}), reweighted {}, quenched {}; {:+.2f} combined errors apart, quarks {:.1f}; effective "
      "number {:.0f} of {}",
      what, analysis::with_error(found.mean, found.error), found.tau_int, analysis::with_error(exact.mean, exact.error),
      analysis::with_error(pure.mean, pure.error), (found.mean - exact.mean) / error, (found.mean - pure.mean) / error,
      reference::effective_number(log_weights), log_weights.size());
  fmt::print("{}\n", numbers);
  EXPECT_NEAR(found.mean, exact.mean, 4 * error) << numbers;
  EXPECT_GT(std::abs(found.mean - pure.mean), 8 * std::hypot(error, pure.error)) << numbers;
  EXPECT_GT(reference::effective_number(log_weights), 100) << numbers;
}

void expect_agreement(const std::string& what, const Dynamical& found, const Quenched& expected,
                      bool has_long_tail = false) {
  const ChainStatistics& s = found.statistics;
  const analysis::MeanEstimate zero = analysis::gamma_method(found.balance);
  const std::string numbers = fmt::format(
      "{}: acceptance {:.3f}, gains and losses of energy out of balance by {}, <exp(-dH)> {}", what, s.acceptance(),
      analysis::with_error(zero.mean, zero.error), analysis::with_error(s.mean_exp_minus_dH(), s.error_exp_minus_dH()));
  fmt::print("{}\n", numbers);
  if (!has_long_tail) {
    EXPECT_NEAR(s.mean_exp_minus_dH(), 1, 4 * s.error_exp_minus_dH()) << numbers;
  }
  EXPECT_NEAR(zero.mean, 0, 4 * zero.error) << numbers;
  EXPECT_LT(zero.error, 0.05) << numbers;
  expect_agreement(what + ", plaquette", found.plaquette, expected.plaquette, expected.log_weight);
  expect_agreement(what + ", condensate", found.condensate, expected.condensate, expected.log_weight);
}

QuarkAction quarks(int levels, SolverPrecision precision) {
  QuarkAction action;
  action.smearing = gauge::stout_smearing(0.12, levels);
  action.molecular_dynamics_precision = precision;
  action.heatbath_precision = action.metropolis_precision =
      precision == SolverPrecision::fixed16 ? SolverPrecision::mixed : precision;
  if (precision == SolverPrecision::fixed16) action.molecular_dynamics_residual = 1e-4;
  if (precision != SolverPrecision::double_) {
    action.heatbath_residual = 1e-6;
    action.metropolis_residual = 1e-5;
  }
  return action;
}

// A wrong factor of 2 anywhere in heatbath, energy or their powers would double or halve N_f: as many standard
// deviations as the effect of the quarks themselves.
TEST(NightlyQuarkEnsembles, FourTastes) {
  const gauge::Action action{5.0, 0};
  const Flavours flavours{{{}, 0.8, 4}};
  const auto expected = quenched(action, flavours, on_stout_links({}), 1500);
  const auto found = [&](const QuarkTerm& term, std::uint64_t seed) {
    return dynamical(rhmc(action, quarks(0, SolverPrecision::double_), {term}, minimum_norm_2(), 4), seed, 3000,
                     flavours, on_stout_links({}));
  };
  expect_agreement("four tastes, one pseudofermion", found({"quarks", 0.8, 0, 1, 1, {}}, 2), expected);
  expect_agreement("four tastes, two pseudofermions", found({"quarks", 0.8, 0, 0.5, 2, {}}, 3), expected);
}

TEST(NightlyQuarkEnsembles, TwoTastesRooted) {
  const gauge::Action action{5.0, 0};
  const Flavours flavours{{{}, 0.5, 2}};
  const auto expected = quenched(action, flavours, on_stout_links({}), 1500);
  const auto found = [&](const std::vector<QuarkTerm>& terms, SolverPrecision precision, std::uint64_t seed) {
    return dynamical(rhmc(action, quarks(0, precision), terms, minimum_norm_2(), 4), seed, 3000, flavours,
                     on_stout_links({}));
  };
  expect_agreement("two tastes", found({{"quarks", 0.5, 0, 0.5, 1, {}}}, SolverPrecision::double_, 4), expected);
  expect_agreement("two tastes, split, mixed precision",
                   found({{"light", 0.5, 1.0, 0.25, 2, {}}, {"heavy", 1.0, 0, 0.5, 1, {}}}, SolverPrecision::mixed, 5),
                   expected);
  expect_agreement("two tastes, links in 16 bits",
                   found({{"quarks", 0.5, 0, 0.5, 1, {}}}, SolverPrecision::fixed16, 10), expected);
}

// Tree-level Symanzik action, a stout level, an imaginary chemical potential: all at once.
TEST(NightlyQuarkEnsembles, TwoPlusOneRootedOnStoutLinks) {
  const gauge::Action action{3.0, -1.0 / 12};
  const double mu = 0.2;
  const Flavours flavours{{{.imaginary_potential = mu}, 0.5, 2}, {{.imaginary_potential = mu}, 0.9, 1}};
  const Weight smearing = on_stout_links({0.12, 1});
  const auto expected = quenched(action, flavours, smearing, 1500);
  const std::vector<QuarkTerm> terms{{"light", 0.5, 0, 0.25, 2, {.imaginary_mu = mu}},
                                     {"strange", 0.9, 0, 0.25, 1, {.imaginary_mu = mu}}};
  for (const SolverPrecision precision : {SolverPrecision::double_, SolverPrecision::mixed})
    expect_agreement(precision == SolverPrecision::mixed ? "2+1, mixed precision" : "2+1, double precision",
                     dynamical(rhmc(action, quarks(1, precision), terms, minimum_norm_2(), 4),
                               6 + std::uint64_t(precision), 3000, flavours, smearing),
                     expected);
  expect_agreement("2+1, molecular dynamics in single precision",
                   dynamical(rhmc(action, quarks(1, SolverPrecision::mixed), terms, minimum_norm_2(), 4, true), 9, 3000,
                             flavours, smearing),
                   expected);
}

// Links of HISQ, hops of three steps, a Naik epsilon, a determinant that is divided by another one. On 4^4 a hop of
// three steps forward ends where one step back does, once around the lattice: an operator as good as any other, with
// its matrix element wherever the oracle has it.
TEST(NightlyQuarkEnsembles, TwoPlusOneRootedHisq) {
  const gauge::Action action{3.0, -1.0 / 12};
  const Flavours flavours{{{}, 0.5, 2}, {{}, 0.9, 1, -0.2}};
  const auto expected = quenched(action, flavours, reference::hisq_weight, 1500);
  const std::vector<QuarkTerm> terms{{.name = "light", .mass = 0.5, .heavier_mass = 0.8, .power = 0.5},
                                     {.name = "split", .mass = 0.8, .power = 0.5},
                                     {.name = "charm", .mass = 0.9, .power = 0.25, .naik_epsilon = -0.2}};
  for (const SolverPrecision precision : {SolverPrecision::double_, SolverPrecision::mixed}) {
    QuarkAction hisq = quarks(0, precision);
    hisq.smearing = {"hisq", {}};
    expect_agreement(precision == SolverPrecision::mixed ? "HISQ, mixed precision" : "HISQ, double precision",
                     dynamical(rhmc(action, hisq, terms, minimum_norm_2(), 6), 11 + std::uint64_t(precision), 3000,
                               flavours, reference::hisq_weight),
                     expected, true);
  }
}

// Area preservation gives <exp(-dH)> = 1 for any step length (M. Creutz, Phys. Rev. D 38 (1988) 1228); for normal dH
// the acceptance is erfc(sqrt(<dH>) / 2) (S. Gupta et al., Phys. Lett. B 242 (1990) 437).
TEST(NightlyQuarkEnsembles, AcceptanceFollowsFromDH) {
  const Lattice lattice(size, wide);
  auto terms = make_quark_terms<wide>(quarks(1, SolverPrecision::mixed), {{"quarks", 0.5, 0, 0.5, 1, {}}}, lattice);
  terms.push_back(make_gauge_terms<double, wide>({{"gauge", gauge::Action{5.0, 0}}})[0]);
  const HybridMonteCarlo<double, wide> hmc({1.0, {{leapfrog(), 11, {"quarks", "gauge"}}}}, terms, lattice);
  Series dH, accepted, exponential;
  run(chain(9, 3000), hmc, 1, [&](const TrajectoryRecord& record, const auto&) {
    dH.push_back(record.dH);
    accepted.push_back(record.accepted ? 1 : 0);
    exponential.push_back(record.exp_minus_dH);
  });
  const auto mean = analysis::gamma_method(dH), rate = analysis::gamma_method(accepted),
             one = analysis::gamma_method(exponential);
  const double expected = std::erfc(std::sqrt(mean.mean) / 2);
  const std::string numbers =
      fmt::format("<dH> {}, variance / 2 {:.4f}, acceptance {}, erfc {:.4f}, <exp(-dH)> {}",
                  analysis::with_error(mean.mean, mean.error), mean.variance / 2,
                  analysis::with_error(rate.mean, rate.error), expected, analysis::with_error(one.mean, one.error));
  fmt::print("{}\n", numbers);
  EXPECT_NEAR(one.mean, 1, 4 * one.error) << numbers;
  EXPECT_LT(one.error, 0.02) << numbers;
  EXPECT_NEAR(rate.mean, expected, 4 * std::hypot(rate.error, mean.error) + 0.01) << numbers;
  EXPECT_GT(rate.mean, 0.7) << numbers;
  EXPECT_LT(rate.mean, 0.9) << numbers;
}

}  // namespace
}  // namespace trellis::hmc
