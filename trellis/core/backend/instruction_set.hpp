// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The instruction set that the libraries were compiled for, by the compilers' name: "x86-64-v3" (the highest level of
// x86-64 that is completely supported), "armv8-a".

#include <string>

namespace trellis::backend {

std::string compiled_instruction_set();

// The best of these names that this processor supports.
std::string processor_instruction_set();

// Throws InputError if TRELLIS_ISA in the environment is not the one that was compiled: only a program with several
// (TRELLIS_ARCH=portable) has a choice, and makes it before this one starts.
void require_instruction_set();

}  // namespace trellis::backend
