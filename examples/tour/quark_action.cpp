// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Rational hybrid Monte Carlo: the approximation of a fractional power by a sum over poles, and a trajectory with one
// rooted flavour of staggered quarks on stout-smeared links.
#include <algorithm>
#include <cmath>
#include <vector>

#include "examples/tour/tour.hpp"
#include "examples/tour/warm_links.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/rational.hpp"
#include "trellis/hmc/term.hpp"

using namespace trellis;

namespace {

// y^(-1/4) on [m^2, m^2 + 16] for m = 0.1, to 10^-7, as a constant and a few shifted inverses, for multi-shift CG.
void approximation() {
  const auto r = hmc::rational_approximation({{.offset = 0, .power = -0.25}}, 0.01, 16.01, 1e-7);
  double worst = 0;
  for (int k = 0; k <= 1000; ++k) {
    const double y = 0.01 * std::pow(1601, k / 1000.0);  // over the whole interval
    worst = std::max(worst, std::abs(r(y) * std::pow(y, 0.25) - 1));
  }
  fmt::print("y^(-1/4) to {:.1e} with {} poles, the smallest {:.2e}\n", worst, r.order(), r.poles.front());
  tour::expect(worst <= 1e-7 && r.error <= 1e-7, "the error is as small as requested");
  tour::expect(std::ranges::is_sorted(r.poles) && r.poles.front() > 0, "all shifts are positive");
}

// The energy error of a trajectory of length 1/4 in `steps` steps.
template <int W>
double energy_error(int steps, const GaugeField<double, W>& start) {
  const Lattice& lattice = start.lattice();
  hmc::QuarkAction action;
  action.smearing = gauge::stout_smearing(0.12, 1);
  action.molecular_dynamics_residual = 1e-10;
  action.molecular_dynamics_error = 1e-10;
  auto terms = hmc::make_quark_terms<W>(action, {{.name = "light", .mass = 0.4, .power = 0.25}}, lattice);
  terms.push_back(hmc::make_gauge_terms<double, W>({{"gauge", gauge::Action{.beta = 5.0}}})[0]);
  const hmc::HmcParameters parameters{
      .length = 0.25,
      // Quark forces are by far the most expensive and the weakest.
      .levels = {{hmc::minimum_norm_2(), steps, {"light"}}, {hmc::minimum_norm_2(), 4, {"gauge"}}}};
  const hmc::HybridMonteCarlo<double, W> trajectory(parameters, std::move(terms), lattice);
  const auto u = start.clone();
  const auto record = trajectory({.seed = 3, .accept_always = true}, u);
  const hmc::SolverCounts& solver = record.terms[0].solver.value();
  fmt::print("{} step(s): dH = {:+.2e}, {} solves, {} iterations, largest eigenvalue {:.2f}\n", steps, record.dH,
             solver.solves, solver.iterations, solver.largest_eigenvalue);
  tour::expect(solver.largest_eigenvalue < action.largest_eigenvalue, "the spectrum lies in the interval");
  return std::abs(record.dH);
}

}  // namespace

int main() {
  return tour::run([] {
    approximation();
    const Coordinate size{4, 4, 4, 4};
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      const auto u = tour::warm_links<W>(Lattice(size, W), 0.4);
      const double coarse = energy_error(1, u), fine = energy_error(2, u);
      tour::expect_near(std::log2(coarse / fine), 2, 0.4, "the energy error is of second order in the step size");
    });
  });
}
