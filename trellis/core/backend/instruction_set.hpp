// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The instruction set that the libraries were compiled for, by the name that compilers have for it: "x86-64-v3" (the
// highest level of x86-64 that is there as a whole), "armv8-a".

#include <string>

namespace trellis::backend {

std::string compiled_instruction_set();

// The best of these names that this processor can do.
std::string processor_instruction_set();

// Throws InputError where the environment's TRELLIS_ISA names another than the one compiled: only a program of several
// (TRELLIS_ARCH=portable) has a choice, and makes it before this one starts.
void require_instruction_set();

}  // namespace trellis::backend
