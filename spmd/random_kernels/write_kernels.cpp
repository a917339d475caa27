// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// write_kernels FILE SEED COUNT   writes COUNT random kernels, with seeds from SEED on, to FILE. SEED may be
//                                 @LIST+K: the K-th batch of COUNT after the seed in the file LIST, where it may be
//                                 followed by numbers of statements to leave out
// With TRELLIS_SPMD_WITHOUT_BARRIER=<n> each kernel lacks its n-th barrier (modulo their number).
// write_kernels --count SEED      prints the number of statements of a kernel
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "spmd/random_kernels/emitter.hpp"
#include "spmd/random_kernels/generator.hpp"
#include "spmd/random_kernels/mutation.hpp"

int main(int argc, char** argv) {
  using namespace trellis::random_kernels;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--count") {
    std::cout << generate_kernel(std::stoull(words[1])).statements << '\n';
    return 0;
  }
  if (words.size() != 3) {
    std::cerr << "write_kernels FILE SEED COUNT\n";
    return 1;
  }
  const std::uint64_t count = std::stoull(words[2]);
  std::uint64_t seed = 0;
  std::vector<int> dropped;
  if (words[1][0] == '@') {
    const auto plus = words[1].rfind('+');
    std::ifstream list(words[1].substr(1, plus - 1));
    if (!(list >> seed)) {
      std::cerr << "no seed in " << words[1] << '\n';
      return 1;
    }
    for (int d = 0; list >> d;) dropped.push_back(d);
    seed += std::stoull(words[1].substr(plus + 1)) * count;
  } else {
    seed = std::stoull(words[1]);
  }
  std::ofstream file(words[0]);
  file << file_head();
  const char* const lost = std::getenv("TRELLIS_SPMD_WITHOUT_BARRIER");
  for (std::uint64_t k = 0; k < count; ++k) {
    Kernel kernel = generate_kernel(seed + k, dropped);
    const int barriers = count_barriers(kernel);
    if (lost != nullptr && barriers > 0) kernel = without_barrier(kernel, std::stoi(lost) % barriers);
    file << write_kernel(kernel, dropped);
  }
  file << "}  // namespace\n}  // namespace trellis::random_kernels\n";
  file.close();
  return file ? 0 : 1;
}
