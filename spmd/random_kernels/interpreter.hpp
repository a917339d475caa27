// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// interpret(kernel, input): the output of a kernel. The work-items of a group run one after the other, each up to its
// next barrier; then all continue. Throws std::logic_error if the kernel is not legal: work-items at different
// barriers, or two accesses to one number of the group's memory without a barrier in between, one of them a write
// (unless races are ignored).

#include <cstdint>
#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

struct Result {
  std::vector<std::uint32_t> out;                   // `outputs` numbers per work-item, by global linear id
  std::vector<std::vector<std::uint32_t>> scratch;  // for each array of Place::global, by group and index
  std::uint64_t barriers = 0;                       // passed together by the work-items, over all groups
};

constexpr std::uint32_t untouched = 0xdeadbeefU;  // initial contents of out and scratch

std::vector<std::uint32_t> make_input(std::uint64_t seed);
Result empty_result(const Kernel& kernel);

enum class Races { errors, ignored };
Result interpret(const Kernel& kernel, const std::vector<std::uint32_t>& input, Races races = Races::errors);

}  // namespace trellis::random_kernels
