// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The resolved input of a run with another algorithm.

#include "trellis/app/input/input.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"

namespace trellis::app {

// The ways to split the flavours' determinants that are worth trying (Hasenbusch, hep-lat/0107019): as they are; and,
// if no flavour is split yet, those much lighter than the heaviest at its mass, with what is left as terms of their own
// or as a part of that quark's; and at one and at two masses between their own and 1, evenly on a logarithmic scale.
struct Splitting {
  std::string name;
  std::vector<FlavourInput> flavours;
};
std::vector<Splitting> splittings_to_try(const std::vector<FlavourInput>& flavours);

// The input with these flavours and levels, as [algorithm] kind = "hmc".
RunInput with_algorithm(const RunInput& input, const std::vector<FlavourInput>& flavours,
                        const hmc::HmcParameters& parameters);

// The input with what was chosen of another resolved input's algorithm: levels, splitting masses, and the length of
// trajectories if the input lets that be chosen. All else is the input's own. Throws InputError unless the other has
// the same flavours.
RunInput with_algorithm_of(const RunInput& input, const TomlEntries& other);

// The resolved input for a file of its own: with results in a folder of the file's name, beside that of the input's, so
// that it neither continues the input's chain nor is in its way.
TomlEntries with_own_results(const RunInput& input, const std::filesystem::path& file);

}  // namespace trellis::app
