// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/chain_setup.hpp"

#include "trellis/app/sound_links.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"

namespace trellis::app {

hmc::ChainParameters chain_parameters(const RunInput& input) {
  const auto& c = input.chain;
  hmc::ChainParameters p;
  p.seed = static_cast<std::uint64_t>(c.seed);
  p.trajectories = static_cast<std::uint32_t>(c.trajectories);
  p.thermalisation = p.accept_always = static_cast<std::uint32_t>(c.thermalisation);
  p.checkpoint_every = static_cast<std::uint32_t>(c.checkpoint_every);
  p.reversibility_every = static_cast<std::uint32_t>(input.algorithm.reversibility_every);
  p.time_budget_seconds = 60 * c.time_budget_minutes;
  return p;
}

template <int W>
hmc::Algorithm<double, W> make_algorithm(const RunInput& input, const Lattice& lattice) {
  if (!input.quarks.flavours.empty()) fail_input("flavours: `trellis run` cannot simulate dynamical quarks yet");
  const gauge::Action action{input.action.beta, input.action.c1};
  const auto& a = input.algorithm;
  if (a.kind == AlgorithmKind::heatbath)
    return hmc::heatbath<double, W>({action, static_cast<int>(a.overrelaxation_steps)});
  const gauge::LoopWeights whole = action;
  std::vector<hmc::Monomial<double, W>> terms;
  for (const auto& name : input.action.terms())
    terms.push_back(hmc::gauge_monomial<double, W>(
        name, name == "plaquette" ? gauge::LoopWeights{whole.plaquette, 0} : gauge::LoopWeights{0, whole.rectangle}));
  hmc::HmcParameters parameters{.length = a.trajectory_length, .levels = {}};
  for (const auto& level : a.levels)
    parameters.levels.push_back(
        {hmc::scheme_by_name(level.integrator, level.lambda), static_cast<int>(level.steps), level.terms});
  return hmc::HybridMonteCarlo<double, W>(parameters, std::move(terms), lattice);
}

template <int W>
GaugeField<double, W> start_links(const RunInput& input, const Lattice& lattice) {
  if (input.start.kind == StartKind::cold) return GaugeField<double, W>::unit(lattice);
  GaugeField<double, W> u(lattice);
  if (input.start.kind == StartKind::hot) {
    gauge::hot_start(RandomStream{static_cast<std::uint64_t>(input.chain.seed), 0, RandomPurpose::hot_start}, u);
  } else {
    const io::GaugeReader reader(input.start.file, {.size = input.size});
    read_sound_links(reader, input.start.file, u);
  }
  return u;
}

#define TRELLIS_INSTANTIATE(W)                                                                         \
  template hmc::Algorithm<double, W> make_algorithm<W>(const RunInput& input, const Lattice& lattice); \
  template GaugeField<double, W> start_links<W>(const RunInput& input, const Lattice& lattice);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::app
