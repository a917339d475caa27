// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain_setup.hpp"

#include <algorithm>
#include <cmath>
#include <future>

#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/app/run/sound_links.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/replay.hpp"

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

dirac::LinkPhases phases_of(const QuarkInput& quarks, const FlavourInput& flavour) {
  return {.antiperiodic_time = quarks.boundary == TimeBoundary::antiperiodic,
          .imaginary_mu = flavour.imaginary_mu,
          .quanta = quarks.background.quanta(flavour.charge),
          .boundary = quarks.lattice_boundary,
          .space_angles_over_pi = flavour.space_angles_over_pi};
}

hmc::QuarkAction quark_action(const RunInput& input) {
  const auto& solver = input.solver;
  const auto precision = [](const std::string& name) {
    return named("precision", hmc::molecular_dynamics_precisions, name).value;
  };
  return {.smearing = input.quarks.smearing,
          .heatbath_error = input.rational.heatbath_error,
          .molecular_dynamics_error = input.rational.molecular_dynamics_error,
          .metropolis_error = input.rational.metropolis_error,
          .largest_eigenvalue = input.rational.largest_eigenvalue,
          .heatbath_residual = solver.heatbath_residual,
          .molecular_dynamics_residual = solver.molecular_dynamics_residual,
          .metropolis_residual = solver.metropolis_residual,
          .heatbath_precision = precision(solver.heatbath_precision),
          .molecular_dynamics_precision = precision(solver.molecular_dynamics_precision),
          .metropolis_precision = precision(solver.metropolis_precision),
          .max_iterations = static_cast<int>(solver.max_iterations)};
}

std::vector<hmc::QuarkTerm> quark_terms(const QuarkInput& quarks) {
  std::vector<hmc::QuarkTerm> terms;
  for (const auto& flavour : quarks.flavours) {
    const auto names = flavour.terms();
    const auto tastes = flavour.split_masses.empty() ? quarks.tastes_of_term(flavour) : flavour.tastes;
    for (std::size_t k = 0; k < names.size(); ++k)
      terms.push_back({.name = names[k],
                       .mass = k == 0 ? flavour.mass : flavour.split_masses[k - 1],
                       .heavier_mass = k < flavour.split_masses.size() ? flavour.split_masses[k] : 0,
                       .power = static_cast<double>(tastes) / (4.0 * static_cast<double>(flavour.pseudofermions)),
                       .pseudofermions = static_cast<int>(flavour.pseudofermions),
                       .phases = phases_of(quarks, flavour),
                       .naik_epsilon = flavour.naik_epsilon});
  }
  return terms;
}

std::vector<hmc::QuarkTerm> computed_quark_terms(const RunInput& input) {
  const auto action = quark_action(input);
  auto terms = quark_terms(input.quarks);
  // Each takes tenths of a second; equal terms have the same.
  std::vector<std::shared_future<std::shared_ptr<const hmc::QuarkFunctions>>> functions;
  for (auto term = terms.begin(); term != terms.end(); ++term) {
    const auto earlier = std::find_if(terms.begin(), term, [&](const hmc::QuarkTerm& other) {
      return other.mass == term->mass && other.heavier_mass == term->heavier_mass && other.power == term->power;
    });
    functions.push_back(earlier != term
                            ? functions[std::size_t(earlier - terms.begin())]
                            : std::async(std::launch::async, [&action, term] {
                                return std::make_shared<const hmc::QuarkFunctions>(hmc::quark_functions(action, *term));
                              }).share());
  }
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i].functions = functions[i].get();
  return terms;
}

namespace {
std::vector<hmc::GaugeTerm> gauge_terms(const RunInput& input) {
  const ActionInput& action = input.action;
  const gauge::LoopWeights whole = action.weights();
  std::vector<hmc::GaugeTerm> terms;
  for (const auto& name : action.terms()) {
    gauge::LoopWeights weights;
    const auto loop = name == "plaquette"   ? &gauge::LoopWeights::plaquette
                      : name == "rectangle" ? &gauge::LoopWeights::rectangle
                                            : &gauge::LoopWeights::parallelogram;
    weights.*loop = whole.*loop;
    terms.push_back({name, weights, input.boundary});
  }
  return terms;
}

hmc::QuarkAction run_by(const KernelSettings& kernels, hmc::QuarkAction action) {
  action.settings = kernels.settings(KernelUse::chain);
  action.single_settings = kernels.settings(KernelUse::single);
  action.single_shape = kernels.shape(KernelUse::single);
  return action;
}

// Molecular dynamics in single precision, if the input asks for it.
template <int W>
std::shared_ptr<const hmc::SinglePrecisionDynamics<W>> single_precision_dynamics(
    const RunInput& input, const Lattice& lattice, const std::vector<hmc::QuarkTerm>& quarks,
    const KernelSettings& kernels) {
  if (input.algorithm.precision != "single") return nullptr;
  const auto make_terms = [&]<int WS>(const Lattice& single) {
    auto terms = hmc::make_gauge_terms<float, WS>(gauge_terms(input));
    if (quarks.empty()) return terms;
    const auto action = run_by(kernels, quark_action(input));
    for (auto& term : hmc::make_quark_forces<WS>(action, quarks, single)) terms.push_back(std::move(term));
    return terms;
  };
  return hmc::single_precision_dynamics<W>(hmc_parameters(input), lattice, make_terms, input.algorithm.certify > 0,
                                           kernels.shape(KernelUse::single));
}
}  // namespace

template <int W>
hmc::Terms<double, W> make_terms(const RunInput& input, const Lattice& lattice,
                                 const std::vector<hmc::QuarkTerm>& quarks, const KernelSettings& kernels,
                                 std::shared_ptr<const hmc::CoupledDefect<W>> defect) {
  auto terms = hmc::make_gauge_terms<double, W>(
      gauge_terms(input), defect ? hmc::added_by<W>(std::move(defect)) : hmc::AddedToLoops<double, W>{});
  if (const auto& potential = input.topological_potential)
    terms.push_back(hmc::make_topological_term<W>(potential->potential(input.boundary), lattice));
  if (quarks.empty()) return terms;
  auto action = run_by(kernels, quark_action(input));
  // The forces are then others', and these terms need no links in single precision for them.
  if (input.algorithm.precision == "single") action.molecular_dynamics_precision = hmc::SolverPrecision::double_;
  for (auto& term : hmc::make_quark_terms<W>(action, quarks, lattice)) terms.push_back(std::move(term));
  return terms;
}

hmc::HmcParameters hmc_parameters(const RunInput& input) {
  hmc::HmcParameters parameters{.length = input.algorithm.trajectory_length, .levels = {}};
  for (const auto& level : input.algorithm.levels)
    parameters.levels.push_back({level.scheme(), static_cast<int>(level.steps), level.terms});
  return parameters;
}

template <int W>
std::shared_ptr<hmc::Certificate<double, W>> make_certificate(const RunInput& input, const Lattice& lattice,
                                                              const std::vector<hmc::QuarkTerm>& quarks,
                                                              std::function<void(const std::string&)> tell) {
  if (input.algorithm.certify == 0) return nullptr;
  const Lattice other = hmc::rearranged(lattice);
  auto replay = hmc::make_replay<W, W>(hmc_parameters(input), make_terms<W>(input, other, quarks), lattice, other,
                                       input.algorithm.precision == "single");
  return std::make_shared<hmc::Certificate<double, W>>(input.algorithm.certify, std::move(replay), std::move(tell));
}

template <int W>
hmc::Algorithm<double, W> make_algorithm(const RunInput& input, const Lattice& lattice, hmc::Terms<double, W> terms,
                                         const std::vector<hmc::QuarkTerm>& quarks,
                                         std::shared_ptr<hmc::Certificate<double, W>> certificate,
                                         const KernelSettings& kernels,
                                         std::shared_ptr<const hmc::CoupledDefect<W>> defect) {
  const auto& a = input.algorithm;
  if (a.kind == AlgorithmKind::heatbath) {
    const gauge::HeatbathParameters parameters{gauge::Action{input.action.beta, input.action.c1},
                                               static_cast<int>(a.overrelaxation_steps), input.boundary};
    return defect ? hmc::heatbath<W>(parameters, std::move(defect)) : hmc::heatbath<double, W>(parameters);
  }
  hmc::HybridMonteCarlo<double, W> trajectories(hmc_parameters(input), std::move(terms), lattice,
                                                single_precision_dynamics<W>(input, lattice, quarks, kernels));
  trajectories.certify(std::move(certificate));
  return trajectories;
}

template <int W>
std::shared_ptr<hmc::CoupledDefect<W>> coupled_defect(const RunInput& input, const Lattice& lattice) {
  if (!input.tempering) return nullptr;
  return std::make_shared<hmc::CoupledDefect<W>>(
      hmc::CoupledDefect<W>{{lattice, input.tempering->parameters().defect}, 1});
}

// A start need not have the boundary of the run, but the links that differ are worth a warning.
template <int W>
void warn_of_other_boundary(const RunInput& input, const GaugeField<double, W>& u) {
  const auto& boundary = input.boundary;
  const auto file = input.start.file.string();
  const auto recorded = recorded_boundary(file);
  if (recorded && recorded->kind != boundary.kind) {
    log_warning("{}: was saved by a run whose boundary in t is {}; that of this run is {}", file,
                gauge::name_of(*recorded), gauge::name_of(boundary));
    return;
  }
  if (boundary.kind != gauge::BoundaryKind::schroedinger_functional) return;
  const auto fixed = u.clone();
  gauge::impose_boundary(boundary, fixed);
  if (std::abs(gauge::plaquette(fixed).average - gauge::plaquette(u).average) > 1e-7)
    log_warning("{}: links on slices 0 and {} are not those of phi and phi_prime, and are replaced", file,
                boundary.extent);
}

template <int W>
GaugeField<double, W> start_links(const RunInput& input, const Lattice& lattice) {
  auto u = GaugeField<double, W>::unit(lattice);
  if (input.start.kind == StartKind::cold) {
    gauge::impose_boundary(input.boundary, u);
    return u;
  }
  if (input.start.kind == StartKind::hot) {
    gauge::hot_start(RandomStream{static_cast<std::uint64_t>(input.chain.seed), 0, gauge::hot_start_purpose}, u);
  } else {
    try {
      const io::GaugeReader reader(input.start.file, read_options(input.boundary, input.size), lattice.ranks());
      read_sound_links(reader, input.start.file, {input.start.accept_damage, "[start]"}, u, input.boundary);
    } catch (const InputError& error) {
      fail_input("start.file: {}", error.what());
    }
    warn_of_other_boundary(input, u);
  }
  gauge::reunitarise(u);
  gauge::impose_boundary(input.boundary, u);
  return u;
}

// A chain that continues from a configuration under another number than the file's draws different random numbers from
// the chain that made it.
void warn_of_other_start(const RunInput& input) {
  if (input.start.kind != StartKind::file || input.start.trajectory == 0) return;
  const auto made = io::read_provenance(input.start.file);
  if (!made || (made->trajectory == input.start.trajectory && made->seed == input.chain.seed)) return;
  log_warning(
      "start.trajectory = {} and chain.seed = {}, but {} says that it comes from trajectory {} with seed {}: this "
      "chain does not continue that one",
      input.start.trajectory, input.chain.seed, input.start.file.string(), made->trajectory, made->seed);
}

#define TRELLIS_INSTANTIATE(W)                                                                                        \
  template hmc::Terms<double, W> make_terms<W>(const RunInput& input, const Lattice& lattice,                         \
                                               const std::vector<hmc::QuarkTerm>& quarks, const KernelSettings&,      \
                                               std::shared_ptr<const hmc::CoupledDefect<W>>);                         \
  template std::shared_ptr<hmc::Certificate<double, W>> make_certificate<W>(                                          \
      const RunInput&, const Lattice&, const std::vector<hmc::QuarkTerm>&, std::function<void(const std::string&)>);  \
  template hmc::Algorithm<double, W> make_algorithm<W>(                                                               \
      const RunInput& input, const Lattice& lattice, hmc::Terms<double, W> terms,                                     \
      const std::vector<hmc::QuarkTerm>& quarks, std::shared_ptr<hmc::Certificate<double, W>>, const KernelSettings&, \
      std::shared_ptr<const hmc::CoupledDefect<W>>);                                                                  \
  template std::shared_ptr<hmc::CoupledDefect<W>> coupled_defect<W>(const RunInput&, const Lattice&);                 \
  template GaugeField<double, W> start_links<W>(const RunInput& input, const Lattice& lattice);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
