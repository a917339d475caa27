// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/kernel_fractions.hpp"

#include <algorithm>

#include "trellis/bench/model/plan.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/heatbath.hpp"

namespace trellis::bench {

namespace {

constexpr gauge::Action wilson{6.0, 0.0}, symanzik{3.75, -1.0 / 12};

template <int W>
Trajectory chain_of(const Lattice& lattice, const hmc::Algorithm<double, W>& algorithm) {
  const GaugeField<double, W> links(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, links);
  return [=](std::uint32_t number) {
    return algorithm({.seed = 1, .trajectory = number, .accept_always = true}, links, {});
  };
}

Trajectory pure_gauge(const Lattice& lattice) {
  return with_lanes(lattice.lanes(),
                    [&]<int W>() { return chain_of<W>(lattice, hmc::heatbath<double, W>({wilson, 4})); });
}

// Short trajectories with heavy quarks: only the kernels matter.
struct QuarkChain {
  hmc::QuarkAction action{.smearing = gauge::stout_smearing(0.15, 2)};
  std::vector<hmc::QuarkTerm> terms{{.name = "l", .mass = 0.2, .power = 0.5, .phases = {}},
                                    {.name = "s", .mass = 0.4, .power = 0.25, .phases = {}}};
  hmc::HmcParameters hmc{.length = 0.02,
                         .levels = {{hmc::minimum_norm_2(0.19), 1, {"l", "s"}},
                                    {hmc::minimum_norm_2(0.19), 1, {"plaquette", "rectangle"}}}};

  explicit QuarkChain(hmc::SolverPrecision precision) {
    action.molecular_dynamics_precision = precision;
    if (precision == hmc::SolverPrecision::single) action.molecular_dynamics_residual = 1e-4;
  }
  std::vector<SolveWork> solves() const {
    return solves_of(action, terms, hmc::make_plan(hmc.levels, hmc.length), hmc.levels);
  }
  Trajectory operator()(const Lattice& lattice) const {
    return with_lanes(lattice.lanes(), [&]<int W>() {
      const gauge::LoopWeights loops = symanzik;
      auto all =
          hmc::make_gauge_terms<double, W>({{"plaquette", {loops.plaquette, 0}}, {"rectangle", {0, loops.rectangle}}});
      for (auto& term : hmc::make_quark_terms<W>(action, terms, lattice)) all.push_back(std::move(term));
      return chain_of<W>(lattice, hmc::HybridMonteCarlo<double, W>(hmc, std::move(all), lattice));
    });
  }
};

class Fractions {
 public:
  explicit Fractions(const MachineDescription& machine) : floor_(machine) {
    floor_.kernels.clear();
    floor_.other_kernels = 1;
  }

  void add(const std::vector<KernelWork>& work, const KernelProfile& profile, double sites) {
    for (const KernelTotals& kernel : profile.kernels()) {
      double floor = 0, planned = 0;
      for (const KernelWork& one : work)
        if (one.name == kernel.name && one.single == kernel.single) {
          floor += one.calls * computing_seconds(floor_, one, sites);
          planned += one.calls;
        }
      // On a small lattice a GPU runs most steps of solvers in one launch, which has a name of its own.
      if (double(kernel.calls) < planned) floor *= double(kernel.calls) / planned;
      const double launches = double(kernel.calls) * floor_.launch_seconds;
      const double computing = std::max(kernel.seconds - launches, 0.1 * kernel.seconds);
      if (floor > 0 && computing > 0) keep({kernel.name, kernel.single, floor / computing});
    }
  }

  std::vector<KernelFraction> fractions;

 private:
  // The best time of several, since other processes may interfere.
  void keep(const KernelFraction& found) {
    for (KernelFraction& one : fractions)
      if (one.kernel == found.kernel && one.single == found.single) {
        one.of_floor = std::max(one.of_floor, found.of_floor);
        return;
      }
    fractions.push_back(found);
  }

  MachineDescription floor_;  // a kernel's floor is its time on this machine
};

void measure(const Coordinate& size, const MakeTrajectory& make, std::vector<SolveWork> solves, Fractions& fractions) {
  const Lattice lattice(size, Lattice::best_lanes(size, sizeof(double)));
  const Trajectory trajectory = make(lattice);
  trajectory(0);  // allocates work space
  for (std::uint32_t number = 1; number <= 2; ++number) {
    KernelProfile profile;
    const hmc::TrajectoryRecord record = [&] {
      const ActiveProfile active(profile);
      return trajectory(number);
    }();
    for (const auto& term : record.terms)
      if (term.solver) set_iterations(solves, term.name, double(term.solver->iterations));
    fractions.add(plan_trajectory(size, make, solves).kernels, profile, double(lattice.volume()));
  }
}

}  // namespace

std::vector<KernelFraction> measure_kernel_fractions(const MachineDescription& machine, const Coordinate& size) {
  Fractions fractions(machine);
  measure(size, pure_gauge, {}, fractions);
  for (const auto precision : {hmc::SolverPrecision::double_, hmc::SolverPrecision::single}) {
    const QuarkChain chain(precision);
    measure(size, chain, chain.solves(), fractions);
  }
  return std::move(fractions.fractions);
}

}  // namespace trellis::bench
