// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/kernel_fractions.hpp"

#include <algorithm>

#include "trellis/bench/plan.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/profile.hpp"
#include "trellis/core/with_lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/heatbath.hpp"

namespace trellis::bench {

namespace {

// Short, with quarks that are heavy: it is the kernels that count.
TrajectoryDescription trajectory_of_quarks(const Coordinate& size, hmc::Precision precision) {
  TrajectoryDescription trajectory{.size = size,
                                   .loops = gauge::Action{3.75, -1.0 / 12},
                                   .gauge_terms = {"plaquette", "rectangle"},
                                   .hmc = {.length = 0.02, .levels = {}},
                                   .quarks = {.smearing = {0.15, 2}},
                                   .quark_terms = {{.name = "l", .mass = 0.2, .power = 0.5, .phases = {}},
                                                   {.name = "s", .mass = 0.4, .power = 0.25, .phases = {}}}};
  trajectory.hmc.levels = {{hmc::minimum_norm_2(0.19), 1, {"l", "s"}},
                           {hmc::minimum_norm_2(0.19), 1, {"plaquette", "rectangle"}}};
  trajectory.quarks.molecular_dynamics_precision = precision;
  if (precision == hmc::Precision::single) trajectory.quarks.molecular_dynamics_residual = 1e-4;
  return trajectory;
}

template <int W>
std::vector<hmc::Monomial<double, W>> terms_of(const TrajectoryDescription& trajectory, const Lattice& lattice) {
  std::vector<hmc::Monomial<double, W>> terms{
      hmc::gauge_monomial<double, W>("plaquette", {trajectory.loops.plaquette, 0}),
      hmc::gauge_monomial<double, W>("rectangle", {0, trajectory.loops.rectangle})};
  for (auto& term : hmc::quark_monomials<W>(trajectory.quarks, trajectory.quark_terms, lattice))
    terms.push_back(std::move(term));
  return terms;
}

class Fractions {
 public:
  explicit Fractions(const MachineDescription& machine) : floor_(machine) {
    floor_.kernels.clear();
    floor_.other_kernels = 1;
  }

  void add(const std::vector<KernelWork>& work, const KernelProfile& profile, double sites) {
    for (const KernelTotals& kernel : profile.kernels()) {
      double floor = 0;
      for (const KernelWork& one : work)
        if (one.name == kernel.name && one.single == kernel.single)
          floor += one.calls * computing_seconds(floor_, one, sites);
      const double launches = double(kernel.calls) * floor_.launch_seconds;
      const double computing = std::max(kernel.seconds - launches, 0.1 * kernel.seconds);
      if (floor > 0 && computing > 0) keep({kernel.name, kernel.single, floor / computing});
    }
  }

  std::vector<KernelFraction> fractions;

 private:
  // The best time of several: others may disturb.
  void keep(const KernelFraction& found) {
    for (KernelFraction& one : fractions)
      if (one.kernel == found.kernel && one.single == found.single) {
        one.of_floor = std::max(one.of_floor, found.of_floor);
        return;
      }
    fractions.push_back(found);
  }

  MachineDescription floor_;  // a kernel's floor is its time there
};

template <int W>
std::vector<KernelFraction> measure(const MachineDescription& machine, const Coordinate& size) {
  const Lattice lattice(size, W);
  const double sites = double(lattice.volume());
  const GaugeField<double, W> links(lattice);
  gauge::hot_start({1, 0, RandomPurpose::hot_start}, links);
  Fractions fractions(machine);
  const auto run = [&](const hmc::Algorithm<double, W>& algorithm, const TrajectoryDescription& trajectory) {
    const auto once = [&](std::uint32_t number) {
      return algorithm({.seed = 1, .trajectory = number, .accept_always = true}, links, {});
    };
    once(0);  // makes work space
    for (std::uint32_t number = 1; number <= 2; ++number) {
      KernelProfile profile;
      const hmc::TrajectoryRecord record = [&] {
        const ActiveProfile active(profile);
        return once(number);
      }();
      auto solves = solves_of(trajectory);
      for (const auto& term : record.terms)
        if (term.solver) set_iterations(solves, term.name, double(term.solver->iterations));
      fractions.add(trajectory_work(trajectory, solves), profile, sites);
    }
  };
  const gauge::Action wilson{6.0, 0.0};
  run(hmc::heatbath<double, W>({wilson, 4}), {.size = size, .loops = wilson, .overrelaxation_steps = 4});
  for (const auto precision : {hmc::Precision::double_, hmc::Precision::single}) {
    const auto trajectory = trajectory_of_quarks(size, precision);
    run(hmc::HybridMonteCarlo<double, W>(trajectory.hmc, terms_of<W>(trajectory, lattice), lattice), trajectory);
  }
  return std::move(fractions.fractions);
}

}  // namespace

std::vector<KernelFraction> measure_kernel_fractions(const MachineDescription& machine, const Coordinate& size) {
  return with_lanes(Lattice::best_lanes(size, 8), [&]<int W>() { return measure<W>(machine, size); });
}

}  // namespace trellis::bench
