// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/random.hpp"

#include <cmath>
#include <numbers>

namespace trellis::reference {

double Random::uniform() { return static_cast<double>(engine() >> 11) * 0x1p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Matrix random_su3(Random& random) {
  Matrix m;
  for (Complex& z : m) {
    const double re = random.normal();
    z = Complex(re, random.normal());
  }
  return reunitarise(m);
}

Matrix random_hermitian(Random& random) {
  std::array<double, 8> p;
  for (double& value : p) value = random.normal();
  return from_coefficients(p);
}

Matrix random_su3_near_one(Random& random, double spread) {
  return exponential(Complex(0.0, spread) * random_hermitian(random));
}

}  // namespace trellis::reference
