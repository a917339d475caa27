// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Builds the parts of a chain from a run's input.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/tempering/coupled_defect.hpp"

namespace trellis::app {

hmc::ChainParameters chain_parameters(const RunInput& input);

dirac::LinkPhases phases_of(const QuarkInput& quarks, const FlavourInput& flavour);
hmc::QuarkAction quark_action(const RunInput& input);
std::vector<hmc::QuarkTerm> quark_terms(const QuarkInput& quarks);
// With their functions.
std::vector<hmc::QuarkTerm> computed_quark_terms(const RunInput& input);

// The terms of the action in the order of RunInput::terms(): "plaquette", "rectangle", "topological_potential", those
// of the flavours. kernels: how they run; defect: of the gauge action, with any coupling; null: none.
template <int W>
hmc::Terms<double, W> make_terms(const RunInput& input, const Lattice& lattice,
                                 const std::vector<hmc::QuarkTerm>& quarks, const KernelSettings& kernels = {},
                                 std::shared_ptr<const hmc::CoupledDefect<W>> defect = nullptr);
template <int W>
hmc::Terms<double, W> make_terms(const RunInput& input, const Lattice& lattice, const KernelSettings& kernels = {}) {
  return make_terms<W>(input, lattice, quark_terms(input.quarks), kernels);
}

hmc::HmcParameters hmc_parameters(const RunInput& input);

// For algorithm.certify, null if it is 0. quarks: with their functions, which take time to compute. Its kernels run by
// default, whatever those of the chain do, on lattices whose sites are in other places.
template <int W>
std::shared_ptr<hmc::Certificate<double, W>> make_certificate(const RunInput& input, const Lattice& lattice,
                                                              const std::vector<hmc::QuarkTerm>& quarks,
                                                              std::function<void(const std::string&)> tell);

// Hybrid Monte Carlo with these terms on their levels, or the heatbath, which needs no terms. quarks: those of the
// terms; certificate and defect, which is that of the terms, may be null.
template <int W>
hmc::Algorithm<double, W> make_algorithm(const RunInput& input, const Lattice& lattice, hmc::Terms<double, W> terms,
                                         const std::vector<hmc::QuarkTerm>& quarks,
                                         std::shared_ptr<hmc::Certificate<double, W>> certificate = nullptr,
                                         const KernelSettings& kernels = {},
                                         std::shared_ptr<const hmc::CoupledDefect<W>> defect = nullptr);
template <int W>
hmc::Algorithm<double, W> make_algorithm(const RunInput& input, const Lattice& lattice, hmc::Terms<double, W> terms) {
  return make_algorithm<W>(input, lattice, std::move(terms), quark_terms(input.quarks));
}

// The defect of [tempering], with coupling 1; null without.
template <int W>
std::shared_ptr<hmc::CoupledDefect<W>> coupled_defect(const RunInput& input, const Lattice& lattice);

// Unit links, random links, or the links of a file, which must be sound (sound_links.hpp); InputError otherwise. Those
// of the boundary are put in place, also if the file has others there.
template <int W>
GaugeField<double, W> start_links(const RunInput& input, const Lattice& lattice);

// Warns if the start is a configuration of another chain, or another of this one, than the input says.
void warn_of_other_start(const RunInput& input);

}  // namespace trellis::app
