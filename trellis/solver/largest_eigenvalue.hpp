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

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/core/device/readback.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/operator.hpp"
#include "trellis/solver/resident_steps.hpp"
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

namespace detail {

// Numbers of each step, in the memory of vectors.
class LanczosNumbers {
 public:
  explicit LanczosNumbers(int max_steps) : numbers_("numbers of steps", 2 * max_steps) {}
  double* products() const { return numbers_.data(); }
  double* norms2() const { return numbers_.data() + numbers_.size() / 2; }
  // All products, then all norms.
  std::vector<double> seen() const {
    Readback<double, FieldSpace> readback(numbers_.size());
    readback.ask(FieldSpace{}, numbers_.data());
    const double* const here = readback.look();
    return {here, here + numbers_.size()};
  }

 private:
  FieldView<double*> numbers_;
};

}  // namespace detail

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
  // True if another step is needed after one with <v, A v> = product and |w|^2 = norm2.
  const auto goes_on = [&](double product, double norm2) {
    diagonal.push_back(product);
    beta = std::sqrt(norm2);
    const Eigenpair top = largest_tridiagonal_eigenvalue(diagonal, off_diagonal);
    estimate = {top.value, beta * top.last, int(diagonal.size())};
    off_diagonal.push_back(beta);
    return estimate.error > parameters.tolerance * std::abs(estimate.value) && estimate.steps < parameters.max_steps;
  };
  const detail::LanczosNumbers numbers(parameters.max_steps);
  for (int first = 0; run_steps(a, LanczosSteps<V>{v, w, previous, numbers.products(), numbers.norms2(), first,
                                                   std::min(resident_lanczos_turns, parameters.max_steps - first)});) {
    const std::vector<double> seen = numbers.seen();
    for (int k = 0; k < resident_lanczos_turns; ++k, ++first)
      if (!goes_on(seen[std::size_t(first)], seen[std::size_t(parameters.max_steps + first)])) return estimate;
  }
  for (;;) {
    const double product = a(v, w)[0];
    if (!goes_on(product, lanczos_residual(product, v, off_diagonal.empty() ? 0.0 : off_diagonal.back(), previous, w)))
      break;
    scale(1 / beta, w);
    std::swap(previous, v);
    std::swap(v, w);
  }
  return estimate;
}

}  // namespace trellis::solver
