// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cuts that no barrier asks for, put where they cost nothing because no value of a work-item would have to be kept:
//   before uniform branches that decide which cut comes next, so that the branch is run once for the group
//   before and behind conditionals on the local id, so that these become bounds of a loop of their own (bounds.hpp)
// They are where all work-items come together, in no loop but those that barriers split anyway.

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/shapes.hpp"

namespace trellis::spmd {

void insert_free_cuts(const Kernel& kernel, const Shapes& shapes);

}  // namespace trellis::spmd
