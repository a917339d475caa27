// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The statements of a function as a list of steps with jumps, which can pause at any step and resume there.

#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

struct Step {
  enum class Kind { statement, jump, jump_unless, advance, start, jump_case, end };
  Kind kind = Kind::statement;
  const Statement* statement = nullptr;
  std::vector<int> targets;  // for a jump: the next step; for jump_case: one per case
};

std::vector<Step> flatten(const Function& function);

}  // namespace trellis::random_kernels
