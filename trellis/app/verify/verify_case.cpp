// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/heatbath.hpp"

namespace trellis::app {
namespace {

constexpr std::uint32_t sweeps = 10;

// The smallest residual that rounding allows for the lightest quark: the smaller the mass, the larger.
double smallest_residual(const QuarkInput& quarks) {
  double mass = 1;
  for (const auto& flavour : quarks.flavours) mass = std::min(mass, flavour.mass);
  return std::clamp(1e-16 / (mass * mass), 1e-13, 1e-11);
}

// The force of molecular dynamics is then the derivative of the Metropolis energy: they share one approximation.
RunInput accurate(RunInput input) {
  const double residual = std::min(smallest_residual(input.quarks), input.solver.metropolis_residual);
  input.rational.molecular_dynamics_error = input.rational.metropolis_error;
  input.solver.heatbath_residual = input.solver.molecular_dynamics_residual = input.solver.metropolis_residual =
      residual;
  input.solver.heatbath_precision = input.solver.molecular_dynamics_precision = input.solver.metropolis_precision =
      "double";
  input.algorithm.precision = "double";
  return input;
}

// Heatbath updates have no parallelograms, and with rectangles need four sites in each direction and actions that are
// linear in each link; otherwise plaquettes alone.
gauge::Action heatbath_action(const RunInput& input, const Coordinate& size) {
  gauge::Action action{input.action.beta, input.action.c1};
  if (input.action.is_one_loop()) {
    const gauge::LoopWeights weights = input.action.weights();
    action = {input.action.beta, 0};
    if (const double beta = weights.plaquette + 8 * weights.rectangle; beta > 0)
      action = {beta, weights.rectangle / beta};
  }
  const bool fits = *std::min_element(size.begin(), size.end()) >= 4;
  return fits && !input.boundary.has_squares(action.c1) ? action : gauge::Action{action.beta * action.c0(), 0};
}

}  // namespace

double force_filter(const RunInput& input) {
  const auto& values = input.quarks.smearing.values;
  const auto filter = values.find("force_filter");
  return filter == values.end() ? 0 : filter->second;
}

RunInput resized(RunInput input, const Coordinate& size) {
  if (input.boundary.kind == gauge::BoundaryKind::schroedinger_functional)
    input.boundary.extent += size[3] - input.size[3];
  gauge::require_valid(input.boundary, size);
  input.size = size;
  set_boundary(input.boundary, input.quarks, input.measure);
  return input;
}

template <int W>
GaugeField<double, W> verify_links(const RunInput& input, const Lattice& lattice) {
  const GaugeField<double, W> u(lattice);
  const auto seed = static_cast<std::uint64_t>(input.chain.seed);
  gauge::hot_start({seed, 0, gauge::hot_start_purpose}, u);
  gauge::impose_boundary(input.boundary, u);
  const auto sweep = hmc::heatbath<double, W>({heatbath_action(input, lattice.size()), 4, input.boundary});
  for (std::uint32_t k = 0; k < sweeps; ++k) sweep({.seed = seed, .trajectory = k}, u, {});
  gauge::reunitarise(u);
  gauge::impose_boundary(input.boundary, u);
  return u;
}

template <int W>
VerifyCase<W> verify_case(const RunInput& input, bool read_file, const comm::ProcessGrid& grid, bool has_chain) {
  const Lattice lattice(input.size, W, SiteOrder::even_odd, {.vector_reach = gauge::longest_hop(input.quarks.smearing)},
                        grid);
  auto exact = accurate(input);
  auto quarks = quark_terms(exact.quarks);
  if (has_chain) {
    // Of the order of an integrator dH shows only what is above the errors of the approximations: as small as they can
    // be had, if the input's are not.
    auto better = exact;
    for (auto* error : {&better.rational.heatbath_error, &better.rational.molecular_dynamics_error,
                        &better.rational.metropolis_error})
      *error = std::min(*error, 1e-12);
    try {
      quarks = computed_quark_terms(better);
      exact = better;
    } catch (const InputError&) {
      quarks = computed_quark_terms(exact);
    }
  }
  return {input, exact, read_file ? start_links<W>(input, lattice) : verify_links<W>(input, lattice),
          has_chain ? make_terms<W>(input, lattice) : hmc::Terms<double, W>{},
          has_chain ? make_terms<W>(exact, lattice, quarks) : hmc::Terms<double, W>{}};
}

#define TRELLIS_INSTANTIATE(W)                                                     \
  template GaugeField<double, W> verify_links<W>(const RunInput&, const Lattice&); \
  template VerifyCase<W> verify_case<W>(const RunInput&, bool, const comm::ProcessGrid&, bool);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
