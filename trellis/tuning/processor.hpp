// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the program runs on, in words: figures and tunings hold for it and for nothing else.

#include <string>

namespace trellis::tuning {

// The processor's model, "unknown" where the system does not say.
std::string processor();

// What kernels run on: "8 threads of <processor>", or the GPU. Throws Error where there should be one and is not.
std::string runs_on();

// Processor with its family and model numbers, sizes of the caches, bytes of a register, compiler, program version.
std::string machine_identity();

}  // namespace trellis::tuning
