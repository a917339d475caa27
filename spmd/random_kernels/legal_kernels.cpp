// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// legal_kernels SEED COUNT: interprets random kernels, which finds those that are not legal, and says what they are
// like.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "spmd/random_kernels/generator.hpp"
#include "spmd/random_kernels/interpreter.hpp"

int main(int argc, char** argv) {
  using namespace trellis::random_kernels;
  if (argc != 3) {
    std::cerr << "legal_kernels SEED COUNT\n";
    return 1;
  }
  const std::uint64_t seed = std::stoull(argv[1]), count = std::stoull(argv[2]);
  std::vector<std::uint64_t> barriers;
  int statements = 0, illegal = 0;
  for (std::uint64_t s = seed; s < seed + count; ++s) {
    try {
      const Kernel kernel = generate_kernel(s);
      statements += kernel.statements;
      barriers.push_back(interpret(kernel, make_input(s)).barriers / kernel.groups_in_all());
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
  return illegal > 0 ? 1 : 0;
}
