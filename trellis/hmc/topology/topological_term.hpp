// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A potential of the topological charge as a term of the action: V(Q), Q by the clover on stout links. Its force is
// dV/dQ times that of Q (gauge/topology/charge_derivative.hpp), taken back through the levels of smearing
// (gauge/smearing/stout.hpp). With boundaries in time Q is the sum over the slices between them. Q is an exact sum, so
// that no bit depends on lanes, threads or ranks.

#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/hmc/topology/charge_potential.hpp"

namespace trellis::hmc {

struct TopologicalPotential {
  ChargePotential potential;
  gauge::StoutParameters stout{.rho = 0.1, .levels = 5};  // its boundary in time is that of the links
};

inline constexpr std::string_view topological_term_name = "topological_potential";

// In double precision. InputError for invalid parameters. Cost of a force: smearing, the charge, its derivative and the
// force of the stout links, about (27 + 15 levels) times 2000 flops per site.
template <int W>
std::shared_ptr<Term<double, W>> make_topological_term(const TopologicalPotential& parameters, const Lattice& lattice);

struct ChargeAndPotential {
  double charge = 0, potential = 0;  // Q and V(Q)
};
template <int W>
ChargeAndPotential charge_and_potential(const TopologicalPotential& parameters, const GaugeField<double, W>& u);

}  // namespace trellis::hmc
