// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages of the plugin: errors that name the source line, and remarks (-Rpass=trellis-spmd and so on).

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include <string>

namespace trellis::spmd {

/// Ends the compilation after this pass. Without debug information the message only names the function.
void report_error(const llvm::Function& function, const llvm::Twine& message);
void report_error(const llvm::Instruction& at, const llvm::Twine& message);

/// -Rpass=trellis-spmd: what was done; -Rpass-missed=: what could have been better; -Rpass-analysis=: what was found.
void remark_done(const llvm::Function& function, const llvm::Instruction* at, const std::string& message);
void remark_missed(const llvm::Function& function, const llvm::Instruction* at, const std::string& message);
void remark_found(const llvm::Function& function, const llvm::Instruction* at, const std::string& message);

/// An error in the plugin itself: says so, names the kernel and ends the compiler.
[[noreturn]] void internal_error(const llvm::Function& function, const std::string& what);

/// The line of an instruction or, if it has none, of its nearest neighbour in the block; "" without debug locations.
std::string line_of(const llvm::Instruction& at);

/// Writes the function to the folder named by TRELLIS_SPMD_DUMP, if it is set, as <function>.<stage>.ll.
void dump(const llvm::Function& function, const char* stage);

/// True if the option -trellis-spmd-without of LLVM or the environment's TRELLIS_SPMD_WITHOUT, lists separated by
/// commas, name this step: cuts, bounds, lanes, uniform, contiguous. Ends the compiler if they name another.
bool without(const char* step);

}  // namespace trellis::spmd
