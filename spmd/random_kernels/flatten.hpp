// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The statements of a function as a list of steps with jumps, which can stop at any of them and go on.

#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

struct Step {
  enum class Kind { statement, jump, jump_unless, advance, start, jump_case, end };
  Kind kind = Kind::statement;
  const Statement* statement = nullptr;
  std::vector<int> targets;  // of a jump: the step to go on with; of jump_case: one for each case
};

std::vector<Step> flatten(const Function& function);

}  // namespace trellis::random_kernels
