// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/plan_input.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "trellis/app/input/observables.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/results/staggered_hadron_measurement.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/tune/chosen_input.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/tuning/poisson_brackets.hpp"
#include "trellis/measure/gauge_observables.hpp"
#include "trellis/measure/observable.hpp"

namespace trellis::app {

PlanInput::PlanInput(const RunInput& input) : input_(input) {
  if (input.algorithm.kind != AlgorithmKind::heatbath) quarks_ = computed_quark_terms(input);
}

std::vector<bench::SolveWork> PlanInput::solves() const {
  if (quarks_.empty()) return {};
  const auto hmc = hmc_parameters(input_);
  return bench::solves_of(quark_action(input_), quarks_, hmc::make_plan(hmc.levels, hmc.length), hmc.levels);
}

namespace {

// What a row of the table has.
measure::GaugeSelection every_trajectory() {
  measure::GaugeSelection selection;
  for (const measure::Observable& one : measure::observables())
    if (one.every_trajectory) selection.observables.push_back(one);
  return selection;
}

// Everything that [measure] asks for, with a step of each, or two at once, which need as much memory as many.
measure::GaugeSelection a_step_of_all(const RunInput& input) {
  auto selection = gauge_selection(columns_of(input), input.measure, [](std::int64_t) { return true; });
  if (auto& flow = selection.flow) flow->time_max = flow->measure_every = flow->step;
  for (auto& smoothing : selection.smoothings) smoothing.steps = smoothing.every = std::min(smoothing.every, 2);
  const auto first_ones = [](std::vector<int>& levels) { std::iota(levels.begin(), levels.end(), 0); };
  if (auto& loops = selection.wilson_loops) {
    loops->distance = loops->time = 1;
    first_ones(loops->levels);
  }
  if (auto& glueballs = selection.glueballs) first_ones(glueballs->levels);
  return selection;
}

bool has_more(const measure::GaugeSelection& selection) {
  return selection.observables.size() > every_trajectory().observables.size() || selection.flow ||
         !selection.smoothings.empty() || selection.wilson_loops || selection.glueballs;
}

}  // namespace

bench::PlannedTrajectory PlanInput::chain(const std::vector<bench::SolveWork>& solves,
                                          const measure::GaugeSelection& selection) const {
  const auto make = [&](const Lattice& lattice) {
    return with_lanes(lattice.lanes(), [&]<int W>() -> bench::Trajectory {
      const GaugeField<double, W> links(lattice);
      const auto algorithm = make_algorithm<W>(input_, lattice, make_terms<W>(input_, lattice, quarks_), quarks_,
                                               make_certificate<W>(input_, lattice, quarks_, {}));
      auto boundary = input_.boundary;  // on this lattice
      if (boundary.kind == gauge::BoundaryKind::schroedinger_functional) boundary.extent = lattice.size(3) - 2;
      return [=](std::uint32_t number) {
        auto record = algorithm({.trajectory = number, .accept_always = true}, links, {});
        measure::measure_gauge(selection, links, boundary);
        return record;
      };
    });
  };
  return bench::plan_trajectory(input_.size, make, solves, gauge::longest_hop(input_.quarks.smearing));
}

namespace {

// What needs the same memory on a small lattice, and is valid there: sources, momenta and times of the input need not
// be on it, and one source is measured after the other.
void make_small(measure::HadronSelection& s) {
  s.positions = {{0, 0, 0, 1}};  // where there are quarks with any boundary
  s.sources_in_time = 1;
  s.noise.vectors = 1;
  s.noise.spacing = {1, 1, 1};
  if (s.source == measure::QuarkSourceKind::noise && s.momenta.size() > 1)
    s.momenta = {{0, 0, 0}, {1, 0, 0}};
  else
    s.momenta = {{0, 0, 0}};
  const auto fit = [](gauge::Boundary& boundary) { boundary.extent = std::min(boundary.extent, 7); };
  fit(s.quark.boundary);
  fit(s.stout.boundary);
  if (s.smearing) fit(s.smearing->boundary);
  for (auto& quark : s.quarks) {
    fit(quark.parameters.boundary);
    if (auto& current = quark.current) {
      current->momentum = {0, 0, 0};
      current->time.reset();
    }
  }
  for (auto& sink : s.fixed_sinks) {
    sink.momentum = {0, 0, 0};
    sink.momenta = {{0, 0, 0}};
    sink.time = 0;
  }
  s.inverse.kept = {};
}

}  // namespace

std::vector<bench::FieldMemory> PlanInput::measuring(int noise_vectors) const {
  auto quarks = quark_job(input_.measure, input_.quarks);
  auto hadrons = staggered_hadron_job(input_.measure, input_.quarks);
  auto wilson = hadron_job(input_.measure);
  if (!quarks && !hadrons && !wilson) return {};
  if (wilson) make_small(wilson->selection);
  if (quarks) {
    quarks->selection.batch = noise_vectors;
    quarks->selection.exact = false;  // it needs the memory of a batch, and the small lattice has fewer vectors
    quarks->selection.noise_vectors = std::max(quarks->selection.noise_vectors, 2);
  }
  if (hadrons) {
    hadrons->selection.positions = {{0, 0, 0, 1}};
    hadrons->selection.sources_in_time = 1;
  }
  const auto seed = static_cast<std::uint64_t>(input_.chain.seed);
  const auto work = [&](const Lattice& lattice) {
    with_lanes(lattice.lanes(), [&]<int W>() {
      const GaugeField<double, W> links(lattice);
      if (quarks) measure::measure_quarks(quarks->selection, quarks->flavours, quarks->smearing, seed, 1, links);
      if (hadrons)
        measure::measure_staggered_hadrons(hadrons->selection, hadrons->flavours, hadrons->smearing, seed, 1, links);
      if (wilson) measure::measure_hadrons(wilson->selection, links);
    });
  };
  return bench::plan_memory(input_.size, work, gauge::longest_hop(input_.quarks.smearing));
}

namespace {
double sum(const std::vector<bench::FieldMemory>& fields) {
  double bytes = 0;
  for (const auto& field : fields) bytes += field.bytes;
  return bytes;
}
}  // namespace

std::vector<bench::FieldMemory> PlanInput::choosing() const {
  if (!input_.algorithm.automatic) return {};
  if (choosing_) return *choosing_;
  std::vector<bench::FieldMemory> most;
  bool given = true;
  for (const Splitting& splitting : splittings_to_try(input_.quarks.flavours)) {
    RunInput candidate = input_;
    candidate.quarks.flavours = splitting.flavours;
    candidate.algorithm.certify = 0;
    candidate.algorithm.precision = "double";
    if (!given)
      candidate.algorithm.levels =
          levels_to_begin_with(input_.action, candidate.quarks, input_.algorithm.trajectory_length);
    given = false;
    const PlanInput planned(candidate);
    const auto parameters = hmc_parameters(candidate);
    const auto make = [&](const Lattice& lattice) {
      return with_lanes(lattice.lanes(), [&]<int W>() -> bench::Trajectory {
        const GaugeField<double, W> links(lattice);
        const auto terms = make_terms<W>(candidate, lattice, planned.quarks());
        const auto meter = std::make_shared<const hmc::BracketMeter<double, W>>(terms, lattice);
        const hmc::HybridMonteCarlo<double, W> trajectory(parameters, terms, lattice);
        return [=](std::uint32_t number) {
          static_cast<void>(meter);  // whose fields are kept
          return trajectory({.trajectory = number, .accept_always = true}, links, {});
        };
      });
    };
    auto fields =
        bench::plan_trajectory(input_.size, make, planned.solves(), gauge::longest_hop(candidate.quarks.smearing))
            .fields;
    if (sum(fields) > sum(most)) most = std::move(fields);
  }
  choosing_ = most;
  return most;
}

double PlanInput::chain_bytes() const { return sum(chain(solves(), every_trajectory()).fields); }
double PlanInput::measuring_bytes(int noise_vectors) const { return sum(measuring(noise_vectors)); }

bench::PlannedTrajectory PlanInput::trajectory(const std::vector<bench::SolveWork>& solves) const {
  auto planned = chain(solves, every_trajectory());
  if (const auto all = a_step_of_all(input_); has_more(all)) planned.fields = chain(solves, all).fields;
  auto measured = measuring(1);
  if (sum(measured) > sum(planned.fields)) planned.fields = std::move(measured);
  if (auto chosen = choosing(); sum(chosen) > sum(planned.fields)) planned.fields = std::move(chosen);
  return planned;
}

}  // namespace trellis::app
