// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a run's input to what the chain is made of.

#include "trellis/app/input/input.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::app {

hmc::ChainParameters chain_parameters(const RunInput& input);

dirac::LinkPhases phases_of(const QuarkInput& quarks, const FlavourInput& flavour);
hmc::QuarkAction quark_action(const RunInput& input);
std::vector<hmc::QuarkTerm> quark_terms(const QuarkInput& quarks);
// With their functions.
std::vector<hmc::QuarkTerm> computed_quark_terms(const RunInput& input);

// The terms of the action in the order of RunInput::terms(): "plaquette", "rectangle", those of the flavours.
template <int W>
hmc::Terms<double, W> make_terms(const RunInput& input, const Lattice& lattice,
                                 const std::vector<hmc::QuarkTerm>& quarks);
template <int W>
hmc::Terms<double, W> make_terms(const RunInput& input, const Lattice& lattice) {
  return make_terms<W>(input, lattice, quark_terms(input.quarks));
}

hmc::HmcParameters hmc_parameters(const RunInput& input);

// Hybrid Monte Carlo with these terms on their levels, or the heatbath, which needs none.
template <int W>
hmc::Algorithm<double, W> make_algorithm(const RunInput& input, const Lattice& lattice, hmc::Terms<double, W> terms);

// Unit links, random ones, or those of a file, which must be sound (sound_links.hpp); InputError otherwise.
template <int W>
GaugeField<double, W> start_links(const RunInput& input, const Lattice& lattice);

}  // namespace trellis::app
