// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/plan_input.hpp"

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/core/simd/with_lanes.hpp"
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

bench::PlannedTrajectory PlanInput::trajectory(const std::vector<bench::SolveWork>& solves) const {
  measure::GaugeSelection every_trajectory;
  for (const measure::Observable& one : measure::observables())
    if (one.every_trajectory) every_trajectory.observables.push_back(one);
  const auto make = [&](const Lattice& lattice) {
    return with_lanes(lattice.lanes(), [&]<int W>() -> bench::Trajectory {
      const GaugeField<double, W> links(lattice);
      const auto algorithm = make_algorithm<W>(input_, lattice, make_terms<W>(input_, lattice, quarks_), quarks_,
                                               make_certificate<W>(input_, lattice, quarks_, {}));
      return [=, boundary = input_.boundary](std::uint32_t number) {
        auto record = algorithm({.trajectory = number, .accept_always = true}, links, {});
        measure::measure_gauge(every_trajectory, links, boundary);
        return record;
      };
    });
  };
  return bench::plan_trajectory(input_.size, make, solves, gauge::longest_hop(input_.quarks.smearing));
}

}  // namespace trellis::app
