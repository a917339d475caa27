// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/spinor.hpp"

#include <cmath>

#include "reference/random.hpp"

namespace trellis::reference {

Spinor operator+(const Spinor& a, const Spinor& b) {
  Spinor sum;
  for (int k = 0; k < 12; ++k) sum[k] = a[k] + b[k];
  return sum;
}

Spinor operator*(Complex s, const Spinor& a) {
  Spinor product;
  for (int k = 0; k < 12; ++k) product[k] = s * a[k];
  return product;
}

Spinor operator*(const SpinMatrix& m, const Spinor& a) {
  Spinor product{};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int c = 0; c < 3; ++c) product[3 * i + c] += m(i, j) * a[3 * j + c];
  return product;
}

Spinor operator*(const Matrix& m, const Spinor& a) {
  Spinor product{};
  for (int s = 0; s < 4; ++s)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) product[3 * s + i] += m(i, j) * a[3 * s + j];
  return product;
}

SpinorField zero_spinors(const Site& size) { return SpinorField(GaugeConfiguration(size).volume(), Spinor{}); }

SpinorField random_spinors(const Site& size, std::uint64_t seed) {
  Random random(seed);
  SpinorField psi = zero_spinors(size);
  for (Spinor& v : psi)
    for (Complex& z : v) {
      const double re = random.normal();
      z = Complex(re, random.normal());
    }
  return psi;
}

SpinorField point_spinors(const Site& size, const Site& x, int component) {
  SpinorField psi = zero_spinors(size);
  psi.at(GaugeConfiguration(size).index(x)).at(component) = 1.0;
  return psi;
}

SpinorField operator+(const SpinorField& a, const SpinorField& b) {
  SpinorField sum(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) sum[n] = a[n] + b.at(n);
  return sum;
}

SpinorField operator-(const SpinorField& a, const SpinorField& b) { return a + Complex(-1.0) * b; }

SpinorField operator*(Complex s, const SpinorField& a) {
  SpinorField product(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) product[n] = s * a[n];
  return product;
}

SpinorField operator*(const SpinMatrix& m, const SpinorField& a) {
  SpinorField product(a.size());
  for (std::size_t n = 0; n < a.size(); ++n) product[n] = m * a[n];
  return product;
}

SpinorField gauge_transform(const SpinorField& psi, const GaugeTransformation& g) {
  SpinorField result(psi.size());
  for (std::size_t n = 0; n < psi.size(); ++n) result[n] = g.at(n) * psi[n];
  return result;
}

Complex dot(const SpinorField& a, const SpinorField& b) {
  Complex sum = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n)
    for (int k = 0; k < 12; ++k) sum += std::conj(a[n][k]) * b.at(n)[k];
  return sum;
}

double norm(const SpinorField& a) { return std::sqrt(dot(a, a).real()); }

}  // namespace trellis::reference
