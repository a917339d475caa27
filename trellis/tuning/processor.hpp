// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A description of what the program runs on: figures and tunings are valid only there.

#include <string>

namespace trellis::tuning {

// The processor's model, "unknown" if the system does not say.
std::string processor();

// What kernels run on: "8 threads of <processor>", or the GPU. Throws Error if there should be a GPU and is none.
std::string runs_on();

// Processor with its family and model numbers, sizes of the caches, bytes of a register, compiler, program version.
std::string machine_identity();

}  // namespace trellis::tuning
