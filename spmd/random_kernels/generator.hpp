// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// generate_kernel(seed): a legal kernel. Free of races by construction: between two barriers an array of the group is
// either read by all work-items, or each reads and writes slots of its own alone, which a permutation gives out anew at
// barriers. Control flow with barriers in it has the same state of all arrays where it begins and where it ends.
// for_fission: only conditions that are known to be uniform decide about barriers.
// dropped: numbers of statements to leave out (reduce.sh makes failures small); those that others need stay.

#include <cstdint>
#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

Kernel generate_kernel(std::uint64_t seed, const std::vector<int>& dropped = {});

}  // namespace trellis::random_kernels
