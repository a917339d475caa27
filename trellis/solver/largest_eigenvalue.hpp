// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The largest eigenvalue of a Hermitian operator by Lanczos iteration (J. Res. NBS 45 (1950) 255) without
// reorthogonalisation, which duplicates eigenvalues but shifts none. A start vector of normal numbers is drawn site by
// site from the stream that the caller names.
//
// value is the largest Ritz value, which apart from rounding never exceeds the largest eigenvalue; an eigenvalue lies
// within error = beta_m |s_m| of it, |A v - value v| for the Ritz vector v. (That no larger one was missed is only as
// certain as that the random vector has a component along it.) Cost per step: A, and R 4 W 2. Throws Error for numbers
// that are not finite.

#include <cmath>

#include "trellis/core/random.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/operator.hpp"
#include "trellis/solver/tridiagonal.hpp"

namespace trellis::solver {

inline constexpr RandomPurpose spectrum_purpose{8};

struct LanczosParameters {
  int max_steps = 60;
  double tolerance = 1e-3;  // stops once error <= tolerance * value
};

struct EigenvalueEstimate {
  double value = 0;
  double error = 0;
  int steps = 0;
};

// x_0 <- normal numbers of variance 1; draws 0, 1, ... of each site. Defined only for the instantiated fields.
template <class T, int Reals, int W>
void fill_normal(const RandomStream& stream, const ParityField<T, Reals, W>& x);

// x <- a x. R 1 W 1
template <class T, int Reals, int W>
void scale(double a, const ParityField<T, Reals, W>& x);

// w <- w - alpha v - beta u; returns |w|^2. R 3 W 1
template <class T, int Reals, int W>
double lanczos_residual(double alpha, const ParityField<T, Reals, W>& v, double beta, const ParityField<T, Reals, W>& u,
                        const ParityField<T, Reals, W>& w);

// `like` provides the lattice and parity and is not read.
template <class V, HermitianOperator<V> A>
EigenvalueEstimate largest_eigenvalue(const A& a, const V& like, const RandomStream& stream,
                                      const LanczosParameters& parameters = {}) {
  V v(like.lattice(), like.parity()), previous = v.like(), w = v.like();
  fill_normal(stream, v);
  std::vector<double> diagonal, off_diagonal;
  double beta = std::sqrt(norms2(v)[0]);
  scale(1 / beta, v);
  EigenvalueEstimate estimate;
  if (in_dry_run()) {  // as many steps as most configurations take
    const DryLoop turns(0.8 * parameters.max_steps);
    a(v, w);
    lanczos_residual(0, v, 0, previous, w);
    scale(1, w);
    return estimate;
  }
  for (int m = 1; m <= parameters.max_steps; ++m) {
    diagonal.push_back(a(v, w)[0]);
    beta = std::sqrt(lanczos_residual(diagonal.back(), v, m > 1 ? off_diagonal.back() : 0.0, previous, w));
    const Eigenpair top = largest_tridiagonal_eigenvalue(diagonal, off_diagonal);
    estimate = {top.value, beta * top.last, m};
    if (!(estimate.error > parameters.tolerance * std::abs(estimate.value))) break;
    scale(1 / beta, w);
    off_diagonal.push_back(beta);
    std::swap(previous, v);
    std::swap(v, w);
  }
  return estimate;
}

}  // namespace trellis::solver
