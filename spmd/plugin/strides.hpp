// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a value's stride from one work-item to the next follows from those of its operands.

#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace trellis::spmd {

/// The stride of a value; nothing if it is not linear.
using StrideOf = std::function<std::optional<std::int64_t>(const llvm::Value*)>;

/// For arithmetic, casts and addresses; nothing for all else. `is_id`: an id, which casts to 32 bits or more preserve.
std::optional<std::int64_t> stride_of(const llvm::Instruction& instruction, const StrideOf& of,
                                      const std::function<bool(const llvm::Value*)>& is_id);

}  // namespace trellis::spmd
