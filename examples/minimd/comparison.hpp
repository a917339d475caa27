// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The force kernel on the lists of a simulation, with Trellis and by hand in turn.

#include <string>

#include "examples/minimd/simulation.hpp"
#include "examples/result.hpp"

namespace examples::minimd {

// The natural list layout of the machine: the default of its memory.
using NaturalLayout = View<int**>::layout;
using WrongLayout =
    std::conditional_t<std::is_same_v<NaturalLayout, trellis::LayoutRight>, trellis::LayoutLeft, trellis::LayoutRight>;

// Which layouts to time besides the hand-written version, which has the natural one.
struct Layouts {
  bool natural = true, wrong = true;
};

// Rows in GFLOP/s (lennard_jones.hpp says how flops are counted). Sorts the atoms, so the simulation they come from
// cannot continue. Throws Error if the versions' forces differ by more than rounding.
std::vector<Row> compare_forces(const Parameters& parameters, Atoms atoms, Layouts layouts, int repetitions);

}  // namespace examples::minimd
