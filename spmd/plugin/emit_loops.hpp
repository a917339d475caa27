// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes a loop nest over the group's work-items of every region and lets one lead to the next.

#include "spmd/plugin/context.hpp"
#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/regions.hpp"

namespace trellis::spmd {

/// Replaces the kernel's blocks; what was there goes.
void emit_loops(const Kernel& kernel, const Regions& regions, const Context& context);

}  // namespace trellis::spmd
