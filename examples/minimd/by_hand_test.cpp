// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick against the formula, atom by atom: compiled for the machine of the build, and for AVX2.
#include "examples/minimd/by_hand.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace examples::minimd::by_hand {
namespace {

struct Case {
  std::vector<double> position;
  std::vector<int> neighbours, count;
  long room = 48;
  double cutoff_squared = 6.25;
};

// Atoms in a box, neighbours of each among all others, in lists of every length. The last row is far away, and pads.
Case random_case(int atoms) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> place(0, 5);
  Case c;
  for (int n = 0; n < 3 * atoms; ++n) c.position.push_back(place(engine));
  for (int n = 0; n < 3; ++n) c.position.push_back(1e10);
  c.position.push_back(0);  // rows are read as four numbers
  for (int i = 0; i < atoms; ++i) {
    const int count = i % 41;
    for (int k = 0; k < int(c.room); ++k) {
      const int other = int(engine() % std::uint64_t(atoms - 1));
      c.neighbours.push_back(k < count ? (other < i ? other : other + 1) : atoms);
    }
    c.count.push_back(count);
  }
  return c;
}

// EXPECTED: the instructions that it must be made of; empty: any.
TEST(ByHand, ForcesAreThoseOfTheFormula) {
  const std::string expected_instructions = EXPECTED;
  if (!expected_instructions.empty()) {
    EXPECT_EQ(instructions(), expected_instructions);
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "not on this processor";
#endif
  }
  const int atoms = 200;
  const Case c = random_case(atoms);
  int inside = 0, outside = 0;
  for (auto* const version : {forces, forces_omp_simd}) {
    std::vector<double> found(3 * atoms, std::nan(""));
    version({c.position.data(), atoms + 1, c.neighbours.data(), c.room, c.count.data(), found.data(), atoms,
             c.cutoff_squared});
    for (int i = 0; i < atoms; ++i) {
      long double expected[3] = {}, size = 0;
      for (int k = 0; k < c.count[std::size_t(i)]; ++k) {
        const int j = c.neighbours[std::size_t(i * c.room + k)];
        long double d[3], r2 = 0;
        for (int a = 0; a < 3; ++a) {
          d[a] = c.position[std::size_t(3 * i + a)] - c.position[std::size_t(3 * j + a)];
          r2 += d[a] * d[a];
        }
        ++(r2 < c.cutoff_squared ? inside : outside);
        if (r2 >= c.cutoff_squared) continue;
        const long double r_6 = 1 / (r2 * r2 * r2), f = 48 * r_6 / r2 * (r_6 - 0.5L);
        size += std::abs(f) * std::sqrt(r2);
        for (int a = 0; a < 3; ++a) expected[a] += f * d[a];
      }
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(found[std::size_t(3 * i + a)], double(expected[a]), 1e-13 * double(size)) << i << " " << a;
    }
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(outside, 500);
}

}  // namespace
}  // namespace examples::minimd::by_hand
