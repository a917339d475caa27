// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a run's input to what the chain is made of.

#include "trellis/app/input.hpp"
#include "trellis/hmc/chain.hpp"

namespace trellis::app {

hmc::ChainParameters chain_parameters(const RunInput& input);

// Hybrid Monte Carlo with the terms "plaquette" and "rectangle" of the action on their levels, or the heatbath.
template <int W>
hmc::Algorithm<double, W> make_algorithm(const RunInput& input, const Lattice& lattice);

// Unit links, random ones, or those of a file, which must be sound (sound_links.hpp); InputError otherwise.
template <int W>
GaugeField<double, W> start_links(const RunInput& input, const Lattice& lattice);

}  // namespace trellis::app
