// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of this folder, by file.

#include <vector>

#include "bench/spmd/problem.hpp"

namespace trellis::bench::spmd {

std::vector<KernelEntry> matrix_kernels();
std::vector<KernelEntry> matrix_vector_kernels();
std::vector<KernelEntry> system_kernels();
std::vector<KernelEntry> group_kernels();
std::vector<KernelEntry> point_kernels();
std::vector<KernelEntry> image_kernels();
std::vector<KernelEntry> field_kernels();
std::vector<KernelEntry> integer_kernels();

}  // namespace trellis::bench::spmd
