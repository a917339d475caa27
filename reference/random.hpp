// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers for tests: a 64-bit Mersenne twister (std::mt19937_64), uniform numbers in [0, 1) from its top 53 bits
// and normal numbers by Box-Muller; all bits are determined by the seed, not by the standard library.

#include <cstdint>
#include <random>

#include "reference/algebra.hpp"

namespace trellis::reference {

struct Random {
  explicit Random(std::uint64_t seed) : engine(seed) {}
  double uniform();
  double normal();

  std::mt19937_64 engine;
};

// Haar measure: Gram-Schmidt on a matrix of normal numbers.
Matrix random_su3(Random& random);

// exp(i spread sum_a p_a T_a) with normal p_a: near one for a small spread.
Matrix random_su3_near_one(Random& random, double spread);

// sum_a p_a T_a with normal p_a, <p_a^2> = 1.
Matrix random_hermitian(Random& random);

}  // namespace trellis::reference
