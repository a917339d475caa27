// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/gcr.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::solver::detail {

std::vector<Complex> GcrCoefficients::orthogonalise(const std::vector<Complex>& products) {
  std::vector<Complex> c;
  for (std::size_t i = 0; i < products.size(); ++i) c.push_back(products[i] / norms_[i]);
  projections_.push_back(c);
  return c;
}

bool GcrCoefficients::step(Complex product, double norm, double before, int iteration) {
  if (!std::isfinite(product.real()) || !std::isfinite(product.imag()) || !std::isfinite(norm))
    fail("GCR: <A z, r> = ({}, {}) and |A z|^2 = {} in iteration {}", product.real(), product.imag(), norm,
         iteration + 1);
  const bool independent = norm > epsilon_ * epsilon_ * before;
  norms_.push_back(norm);
  alpha_.push_back(independent ? product / norm : Complex(0));
  return alpha_.back() != 0.0;
}

std::vector<Complex> GcrCoefficients::combination() const {
  std::vector<Complex> y = alpha_;
  for (int i = static_cast<int>(y.size()) - 1; i >= 0; --i)
    for (std::size_t j = i + 1; j < y.size(); ++j) y[i] -= projections_[j][i] * y[j];
  return y;
}

void require_valid_directions(int directions) {
  if (directions < 1 || directions > most_vectors)
    fail("GCR: {} directions per cycle; from 1 to {}", directions, most_vectors);
}

}  // namespace trellis::solver::detail
