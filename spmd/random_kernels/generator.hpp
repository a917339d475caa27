// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// generate_kernel(seed): a legal kernel, free of races by construction: between two barriers, either all work-items
// read an array of the group, or each reads and writes only its own slots, which a permutation reassigns at barriers.
// Control flow that contains barriers has the same state of all arrays at its beginning and end. for_fission: only
// conditions that are known to be uniform decide about barriers. dropped: numbers of statements to leave out (reduce.sh
// shrinks failures); statements that others need are kept.

#include <cstdint>
#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

Kernel generate_kernel(std::uint64_t seed, const std::vector<int>& dropped = {});

}  // namespace trellis::random_kernels
