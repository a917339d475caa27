// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns every region into a loop nest over the group's work-items, and links the regions.

#include "spmd/plugin/context.hpp"
#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/regions.hpp"

namespace trellis::spmd {

/// Replaces the kernel's blocks; the old ones are deleted.
void emit_loops(const Kernel& kernel, const Regions& regions, const Context& context);

}  // namespace trellis::spmd
