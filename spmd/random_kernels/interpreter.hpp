// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// interpret(kernel, input): what a kernel writes. Work-items of a group run one after the other, each until its next
// barrier; then all go on. Throws std::logic_error where the kernel is not legal: work-items at different barriers, two
// of them at one number of the group's memory with no barrier between, one of which writes (unless races are ignored).

#include <cstdint>
#include <vector>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

struct Result {
  std::vector<std::uint32_t> out;                   // `outputs` numbers of each work-item, by its global linear id
  std::vector<std::vector<std::uint32_t>> scratch;  // for each array of Place::global, by group and index
  std::uint64_t barriers = 0;                       // that the work-items of all groups passed together
};

constexpr std::uint32_t untouched = 0xdeadbeefU;  // what out and scratch hold before

std::vector<std::uint32_t> make_input(std::uint64_t seed);
Result empty_result(const Kernel& kernel);

enum class Races { errors, ignored };
Result interpret(const Kernel& kernel, const std::vector<std::uint32_t>& input, Races races = Races::errors);

}  // namespace trellis::random_kernels
