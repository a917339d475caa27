// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cuts that no barrier requires, placed where they cost nothing because no value would have to be kept per work-item:
//   before uniform branches that decide which cut comes next, so that the branch is executed once for the group
//   before and after conditionals on the local id, so that these become bounds of a separate loop (bounds.hpp)
// All work-items must come together there, and the only loops around them are those that barriers split anyway.

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/shapes.hpp"

namespace trellis::spmd {

void insert_free_cuts(const Kernel& kernel, const Shapes& shapes);

}  // namespace trellis::spmd
