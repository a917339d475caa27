// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/variational.hpp"

#include <cmath>

#include "trellis/analysis/fit.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

Series product(const Series& matrix, const Series& v) {
  Series result(v.size());
  for (std::size_t a = 0; a < v.size(); ++a)
    for (std::size_t b = 0; b < v.size(); ++b) result[a] += matrix[a * v.size() + b] * v[b];
  return result;
}

}  // namespace

double projected(const Series& v, const Series& matrix) {
  const auto of = product(matrix, v);
  double sum = 0;
  for (std::size_t a = 0; a < v.size(); ++a) sum += v[a] * of[a];
  return sum;
}

Series lowest_state(int size, const Series& early, const Series& late) {
  const Covariance metric(size, early);
  // Powers of C(early)^-1 C(late): other eigenvalues are smaller by exponentials of gaps to excited states.
  constexpr int powers = 2000;
  Series v(std::size_t(size), 1.0);
  for (int n = 0; n < powers; ++n) {
    v = metric.solved(product(late, v));
    const double norm = projected(v, early);
    if (!(norm > 0) || !std::isfinite(norm)) fail("no combination of operators has a signal");
    for (double& x : v) x /= std::sqrt(norm);
  }
  if (!(projected(v, late) > 0)) fail("no combination of operators has a signal at the later time");
  return v;
}

}  // namespace trellis::analysis
