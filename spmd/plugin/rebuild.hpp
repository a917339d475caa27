// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which values are cheaper to recompute than to keep: a few operations on uniform values and local ids.

#include <functional>

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/shapes.hpp"

namespace trellis::spmd {

/// `is_place`: a variable whose address can be computed for each work-item.
bool can_rebuild(const llvm::Instruction& value, const Kernel& kernel, const Shapes& shapes,
                 const std::function<bool(const llvm::Instruction&)>& is_place);

}  // namespace trellis::spmd
