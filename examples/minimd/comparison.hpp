// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The force kernel with the lists of a simulation, by Trellis and by hand in turn.

#include <string>

#include "examples/minimd/simulation.hpp"
#include "examples/result.hpp"

namespace examples::minimd {

// The list's layout that the machine asks for: the default of its memory.
using NaturalLayout = View<int**>::layout;
using WrongLayout =
    std::conditional_t<std::is_same_v<NaturalLayout, trellis::LayoutRight>, trellis::LayoutLeft, trellis::LayoutRight>;

// Which layouts to time beside the version by hand, which has the natural one.
struct Layouts {
  bool natural = true, wrong = true;
};

// Rows in GFLOP/s (lennard_jones.hpp says which flops). Sorts the atoms: the simulation that they come from is over.
// Throws Error if the versions' forces differ by more than rounding.
std::vector<Row> compare_forces(const Parameters& parameters, Atoms atoms, Layouts layouts, int repetitions);

}  // namespace examples::minimd
