// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Least-squares fits of data with correlated errors: the minimum over p of
//   chi^2 = sum_ij (y_i - f(x_i, p)) (C^-1)_ij (y_j - f(x_j, p)),
// by the Levenberg-Marquardt method (D. W. Marquardt, J. SIAM 11 (1963) 431), with derivatives by central differences.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/analysis/statistics.hpp"

namespace trellis::analysis {

// A symmetric positive definite matrix, kept as its Cholesky factor L.
class Covariance {
 public:
  // elements[i * size + j]. Throws if the matrix is singular to rounding, as happens with too few samples for the
  // number of points.
  Covariance(int size, Series elements);

  int size() const { return size_; }
  // L^-1 v, where C = L L^T: numbers whose squares add up to v^T C^-1 v.
  Series whitened(std::span<const double> v) const;
  // C^-1 v
  Series solved(std::span<const double> v) const;

 private:
  int size_;
  Series factor_;
};

// The covariance of means from B jackknife samples (leave_one_out), samples[sample][point]:
//   C_ij = (B - 1) / B sum_b (s_bi - mean_i) (s_bj - mean_j)
// shrinkage, 0 to 1: the fraction by which correlations are reduced, towards a diagonal matrix (O. Ledoit and M. Wolf,
// J. Multivar. Anal. 88 (2004) 365); 1 keeps only the diagonal. Throws if there are no more samples than points and no
// shrinkage, and for fewer than 2 samples.
Covariance jackknife_covariance(std::span<const Series> samples, double shrinkage);

// The least shrinkage that so many bins allow for a fit to so many points: none if there are at least twice as many
// bins, 1 if there are no more bins than points, something in between otherwise.
double least_shrinkage(std::int64_t bins, std::int64_t points);

// f(x, parameters)
using Model = std::function<double(double x, std::span<const double> parameters)>;

struct Fit {
  Series parameters, errors;  // errors: from the curvature at the minimum
  double chi2 = 0;
  int degrees = 0;         // of freedom
  double probability = 1;  // of a larger chi^2, if there are degrees of freedom
  int iterations = 0;
};

// Throws if the fit does not converge, or if the data do not determine all parameters. x, y and the covariance must
// have the same size, at least the number of parameters.
Fit fit(const Model& model, std::span<const double> x, std::span<const double> y, const Covariance& covariance,
        Series start);

// A fit to means whose covariance is estimated from the same B jackknife samples, jackknife_covariance(), from the best
// of several starts. An estimate C from so few makes
// - the parameters fluctuate more, and G C G^T pretends that they fluctuate less, where G = (F^T C^-1 F)^-1 F^T C^-1 is
//   the response of parameters to data, with derivatives F. Without shrinkage errors would be too small by
//   sqrt((B - 1 - d)(B - 2 - d) / ((B - 1)(B - 2))), or about sqrt((1 - d / B) / (1 + d / B)), where d is the number of
//   degrees of freedom (C. R. Rao, Proc. 5th Berkeley Symp. (1967) 355; D. Toussaint and W. Freeman, arXiv:0808.2211);
// - chi^2 larger: chi^2 (B - d) / (d (B - 1)) is distributed as F(d, B - d) (H. Hotelling).
// Therefore the parameters of sample b are those of the means, moved by G_b (sample b - means), where G_b is from the
// covariance of the other bins, which do not know what is in this one: errors from these samples have the right size
// with any shrinkage. The probability is that of F. With shrinkage s, d is replaced by d (1 - s)^2 in B - d; since
// chi^2 is then too small on average, the probability is too large. chi^2 without shrinkage is multiplied by
// (B - 2 - d) / (B - 1), so that d is its mean.
struct JackknifeFit {
  Fit best;                     // errors: of the jackknife
  std::vector<Series> samples;  // [sample][parameter]
};
// linear: parameters in which the model is linear; fits begin with the best values of these for the others' start, so
// that a start with a mass, say, is not misled by a poor amplitude.
// Throws as fit() does, and, without shrinkage, unless there are at least two samples more than points.
JackknifeFit jackknife_fit(const Model& model, std::span<const double> x, std::span<const double> means,
                           std::span<const Series> samples, double shrinkage, std::span<const Series> starts,
                           std::span<const std::size_t> linear = {});

// The probability of a larger chi^2.
double chi_square_probability(double chi2, int degrees);

}  // namespace trellis::analysis
