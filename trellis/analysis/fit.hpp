// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Least-squares fits of numbers with correlated errors: the minimum over p of
//   chi^2 = sum_ij (y_i - f(x_i, p)) (C^-1)_ij (y_j - f(x_j, p)),
// by Levenberg and Marquardt (D. W. Marquardt, J. SIAM 11 (1963) 431), with derivatives by central differences.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/analysis/statistics.hpp"

namespace trellis::analysis {

// A symmetric positive definite matrix, kept as its Cholesky factor L.
class Covariance {
 public:
  // elements[i size + j]. Error if the matrix is singular to rounding, as with too few samples for this many points.
  Covariance(int size, Series elements);

  int size() const { return size_; }
  // L^-1 v, C = L L^T: numbers whose squares add up to v^T C^-1 v.
  Series whitened(std::span<const double> v) const;

 private:
  int size_;
  Series factor_;
};

// The covariance of means from B jackknife samples (leave_one_out), samples[sample][point]:
//   C_ij = (B - 1) / B sum_b (s_bi - mean_i) (s_bj - mean_j)
// shrinkage, 0 to 1: the fraction of the correlations that is removed, towards the diagonal (O. Ledoit and M. Wolf, J.
// Multivar. Anal. 88 (2004) 365); 1 keeps only the diagonal. Error without shrinkage for no more samples than points.
Covariance jackknife_covariance(std::span<const Series> samples, double shrinkage);

// f(x, parameters)
using Model = std::function<double(double x, std::span<const double> parameters)>;

struct Fit {
  Series parameters, errors;  // errors: of the curvature at the minimum
  double chi2 = 0;
  int degrees = 0;         // of freedom
  double probability = 1;  // of a larger chi^2, if there are degrees of freedom
  int iterations = 0;
};

// Error if it does not converge, or if some parameter changes nothing. x, y and the covariance have one size, not below
// the number of parameters.
Fit fit(const Model& model, std::span<const double> x, std::span<const double> y, const Covariance& covariance,
        Series start);

// The probability that chi^2 is larger.
double chi_square_probability(double chi2, int degrees);

}  // namespace trellis::analysis
