// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Hybrid Monte Carlo: the terms of an action, a reversible trajectory, and a Markov chain that gives the same bits even
// if it is stopped and restarted. The theory is pure gauge, with the plaquettes and rectangles of the Symanzik action
// on two levels.
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "examples/tour/tour.hpp"
#include "examples/tour/warm_links.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/dynamics/single_precision.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/term.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};

// in_single: molecular dynamics in single precision; energies and the Metropolis test stay in double.
template <int W>
hmc::HybridMonteCarlo<double, W> symanzik(const Lattice& lattice, bool in_single = false) {
  const gauge::LoopWeights weights = gauge::Action{.beta = 4.5, .c1 = -1.0 / 12};
  const hmc::HmcParameters parameters{
      .length = 0.5,
      // Rectangle forces cost twice as much and are weaker, so they are evaluated less often.
      .levels = {{hmc::minimum_norm_2(), 3, {"rectangles"}}, {hmc::minimum_norm_2(), 2, {"plaquettes"}}}};
  const std::vector<hmc::GaugeTerm> terms{{"plaquettes", {weights.plaquette, 0}},
                                          {"rectangles", {0, weights.rectangle}}};
  std::shared_ptr<const hmc::SinglePrecisionDynamics<W>> single;
  if (in_single)
    single = hmc::single_precision_dynamics<W>(
        parameters, lattice, [&]<int WS>(const Lattice&) { return hmc::make_gauge_terms<float, WS>(terms); });
  return {parameters, hmc::make_gauge_terms<double, W>(terms), lattice, single};
}

template <int W>
void trajectory(const GaugeField<double, W>& u) {
  const auto record = symanzik<W>(u.lattice())({.seed = 1, .accept_always = true, .check_reversibility = true}, u);
  fmt::print("dH = {:+.5f}; after integrating back, links differ by {:.1e}\n", record.dH, record.reversibility->links);
  for (const hmc::TermRecord& term : record.terms)
    fmt::print("  {:10} force {:.3f} on average, {:.3f} at most\n", term.name, term.force_average, term.force_maximum);
  tour::expect(record.reversibility->links < 1e-12, "molecular dynamics is reversible");
}

template <int W>
void trajectory_in_single(const GaugeField<double, W>& u) {
  const auto record =
      symanzik<W>(u.lattice(), true)({.seed = 1, .accept_always = true, .check_reversibility = true}, u);
  fmt::print("in single precision: dH = {:+.5f}; after integrating back, links differ by {:.1e}\n", record.dH,
             record.reversibility->links);
  tour::expect(record.reversibility->links < 1e-5, "so is molecular dynamics in single precision, up to its rounding");
}

// Eight trajectories; with `stop_at`, in two parts, like a job that is killed and restarted.
template <int W>
std::string chain(const GaugeField<double, W>& start, std::optional<std::uint32_t> stop_at) {
  hmc::ChainState<double, W> state{.links = start.clone()};
  const hmc::Algorithm<double, W> algorithm = symanzik<W>(start.lattice());
  hmc::ChainCallbacks<double, W> callbacks;
  double plaquettes = 0;
  callbacks.on_trajectory = [&](const hmc::TrajectoryRecord&, const hmc::ChainState<double, W>& now) {
    plaquettes += gauge::plaquette(now.links).average;  // measurements go here
  };
  callbacks.should_stop = [&]() -> std::optional<std::string> {
    if (stop_at && state.completed == *stop_at) return "a stop was requested";
    return std::nullopt;
  };
  const hmc::ChainParameters parameters{.seed = 7, .trajectories = 8, .thermalisation = 2, .accept_always = 2};
  auto result = hmc::run_chain(parameters, algorithm, state, callbacks);
  if (stop_at) {
    tour::expect(result.end == hmc::ChainEnd::stopped && state.completed == *stop_at,
                 "the chain stops between trajectories");
    stop_at.reset();
    result = hmc::run_chain(parameters, algorithm, state, callbacks);
  } else {
    fmt::print("acceptance {:.2f}, <exp(-dH)> = {:.3f} +- {:.3f}, plaquette {:.4f}\n", state.statistics.acceptance(),
               state.statistics.mean_exp_minus_dH(), state.statistics.error_exp_minus_dH(), plaquettes / 8);
    const double error = state.statistics.error_exp_minus_dH();
    tour::expect_near(state.statistics.mean_exp_minus_dH(), 1, 5 * error, "<exp(-dH)> = 1");
  }
  tour::expect(result.end == hmc::ChainEnd::finished, result.reason.c_str());
  return fmt::format("{:a} {:a}", plaquettes, gauge::link_trace(state.links));
}

}  // namespace

int main() {
  return tour::run([] {
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      const auto u = tour::warm_links<W>(Lattice(size, W), 0.4, 2);
      trajectory_in_single(u.clone());
      trajectory(u);
      tour::expect(chain(u, {}) == chain(u, 3), "a chain that was stopped gives the same bits as one that was not");
    });
  });
}
