// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/wilson_solvers.hpp"

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/solver/bicgstab.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/tuning/wilson_setup.hpp"

namespace trellis::bench {

namespace {

// The time of an iteration is the difference between many and few.
constexpr int few = 2, many = 10;
constexpr double never = 1e-30;  // tolerance

template <class T, int W>
std::vector<SolverFigure> measure(const tuning::TuningCase& what, const tuning::KernelTuning& how,
                                  const tuning::TimingParameters& timing) {
  const tuning::WilsonSetup<T, W> setup(what.size, how.shape, what.links, what.vectors);
  const GaugeField<T, W> u(setup.lattice());
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  const dirac::WilsonOperator<T, W> a(u, {.kappa = 0.1}, what.links, how.settings);
  const SpinorField<T, W> b = setup.out().like("source"), x = setup.out().like("solution");
  setup.hops(how.settings);  // also fills the source
  b.copy_from(setup.out());

  const double vector_bytes = double(setup.lattice().local_volume()) / 2 * what.vectors * site_bytes<T>(24);
  std::vector<SolverFigure> figures;
  const auto add = [&](const char* name, double vectors, const auto& solve) {
    const auto run = [&](int iterations) {
      x.set_zero();
      solve(solver::SolverParameters{never, iterations});
    };
    const auto [short_, long_, hops, mix] = tuning::medians_in_turn(
        timing, [&] { run(few); }, [&] { run(many); }, [&] { setup.hops(how.settings); }, [&] { setup.mix(); });
    const double bandwidth = setup.bytes() / mix;
    figures.push_back({name, (long_ - short_) / (many - few), 4 * hops + vectors * vector_bytes / bandwidth, hops});
  };
  add("CG, normal equations", 10, [&](const auto& parameters) { solver::conjugate_gradient(a, b, x, parameters); });
  add("BiCGStab", 18, [&](const auto& parameters) { solver::bicgstab(a, b, x, parameters); });
  return figures;
}

}  // namespace

std::vector<SolverFigure> measure_solvers(const tuning::TuningCase& what, const tuning::KernelTuning& how,
                                          const tuning::TimingParameters& timing) {
  if (!fits(what, how)) fail_input("{}: it cannot be run with these settings", describe(what));
  const auto with_numbers = [&]<class T>() {
    return with_lanes<T>(what.lanes, [&]<int W>() { return measure<T, W>(what, how, timing); });
  };
  if (what.precision == Precision::double_) return with_numbers.template operator()<double>();
  if (what.precision == Precision::single) return with_numbers.template operator()<float>();
  fail_input("solvers are timed in double and in single precision; found {}", name_of(what.precision));
}

}  // namespace trellis::bench
