// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// legal_kernels SEED COUNT: interprets random kernels, which finds those that are not legal, and prints statistics;
// also how many of their barriers, each removed alone, change the output when work-items run one after the other.
// Kernels that would not notice lost barriers test little.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "spmd/random_kernels/generator.hpp"
#include "spmd/random_kernels/interpreter.hpp"
#include "spmd/random_kernels/mutation.hpp"

namespace {

using namespace trellis::random_kernels;

enum class Lost { never_met, noticed, unnoticed };

Lost without(const Kernel& kernel, int barrier, const std::vector<std::uint32_t>& input, const Result& right) {
  try {
    const Result wrong = interpret(without_barrier(kernel, barrier), input, Races::ignored);
    if (wrong.barriers == right.barriers) return Lost::never_met;
    return wrong.out == right.out && wrong.scratch == right.scratch ? Lost::unnoticed : Lost::noticed;
  } catch (const std::logic_error&) {  // the work-items then reach different barriers
    return Lost::noticed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "legal_kernels SEED COUNT\n";
    return 1;
  }
  const std::uint64_t seed = std::stoull(argv[1]), count = std::stoull(argv[2]);
  std::vector<std::uint64_t> barriers;
  int statements = 0, illegal = 0, lost = 0, noticed = 0;
  for (std::uint64_t s = seed; s < seed + count; ++s) {
    try {
      const Kernel kernel = generate_kernel(s);
      statements += kernel.statements;
      const auto input = make_input(s);
      const Result right = interpret(kernel, input);
      barriers.push_back(right.barriers / kernel.groups_in_all());
      if (kernel.size() == 1 || s % 8 != 0) continue;
      for (int n = count_barriers(kernel); n-- > 0;) {
        const Lost is = without(kernel, n, input, right);
        lost += is == Lost::never_met ? 0 : 1;
        noticed += is == Lost::noticed ? 1 : 0;
      }
    } catch (const std::exception& e) {
      std::cerr << e.what() << '\n';
      ++illegal;
    }
  }
  std::sort(barriers.begin(), barriers.end());
  if (!barriers.empty()) {
    std::cout << "statements: " << statements / static_cast<int>(count) << " a kernel; barriers a group: median "
              << barriers[barriers.size() / 2] << ", most " << barriers.back() << '\n';
  }
  std::cout << illegal << " illegal\n";
  std::cout << "of " << lost << " lost barriers " << noticed << " are noticed\n";
  return illegal > 0 || 10 * noticed < 9 * lost ? 1 : 0;
}
