// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Remez algorithm for f(x) = prod_j (x + offset_j)^power_j on [lower, upper], in multiprecision arithmetic. This is
// the basis of rational.hpp; use that instead.
//
// f must be a Stieltjes function: with the offsets in ascending order, the sums power_1 + ... + power_j, which are the
// phase of f on its cut in units of pi, all lie in [-1, 0]. Then every best approximation r has real, negative, simple
// poles and zeros that alternate, with a pole nearest to 0 (G. A. Baker and P. Graves-Morris, Pade Approximants, 1996,
// chapter 5), and its logarithm is a good quantity to solve for. With log(r/f) levelled at +-L, the relative error of
// r sqrt(1 - E^2) is levelled at +-E, E = tanh(L).
//
// Newton's method levels log(r/f) on 2 n + 2 points by moving the logarithms of poles and zeros; between its steps the
// points move to the extrema. The first guess is Zolotarev's. In these variables only f against r cancels, so
// log10(1/E) + 20 digits suffice for any interval (polynomial coefficients would need hundreds).
// Cost: some ten eliminations of a matrix with 2 n + 2 rows.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

namespace trellis::hmc {

template <unsigned digits>
using Multiprecision =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<digits>, boost::multiprecision::et_off>;

template <class Real>
struct StieltjesProduct {
  std::vector<Real> offsets, powers;  // offsets ascending from 0
  Real lower, upper;                  // range of x, positive
};

// constant prod_i (x + zeros[i]) / (x + poles[i]), with poles and zeros in ascending order.
template <class Real>
struct FactoredRational {
  Real constant;
  std::vector<Real> zeros, poles;
  std::vector<Real> extrema;  // the 2 n + 2 points of largest error
  Real error;                 // there
};

// log10 of the expected error of an order: Zolotarev's asymptotic error, 4 sin(pi a) exp(-(2 n + 1) pi K / K'), with a
// the largest phase; correct within a factor of about two if the error is small.
template <class Real>
double expected_error_exponent(const StieltjesProduct<Real>& f, int order);

// Throws InputError if it does not converge. Multiprecision<38>, two words, is for errors down to 1e-18,
// Multiprecision<100> to 1e-75.
template <class Real>
FactoredRational<Real> best_approximation(const StieltjesProduct<Real>& f, int order);

}  // namespace trellis::hmc
