// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ text of random kernels, which launch.hpp registers with the program they are linked into.

#include <string>
#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

// A namespace with the kernel as `template <WorkItems Way> void run(const Buffers&)`, and its registration.
std::string write_kernel(const Kernel& kernel, const std::vector<int>& dropped);
// The text before the kernels of a file.
std::string file_head();

}  // namespace trellis::random_kernels
