// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rational approximations for RHMC (M. A. Clark and A. D. Kennedy, Phys. Rev. Lett. 98 (2007) 051601): a product of
// powers f(y) = prod_j (y + offset_j)^power_j, y an eigenvalue of the squared Dirac operator, becomes a constant and a
// sum of shifted inverses, which one multi-shift solver computes.
//
//   y^(-1/4) on [4e-7, 1]:                     rational_approximation({{0, -0.25}}, 4e-7, 1, 1e-9)
//   a Hasenbusch ratio, ((y + d) / y)^(1/4):   rational_approximation({{d, 0.25}, {0, -0.25}}, lower, upper, 1e-9)
//
// Functions: with the offsets in ascending order, the sums power_1 + ... + power_j must all lie in [-1, 0] or all in
// [0, 1]; all poles and zeros of the best approximation are then real and negative. Functions that already have the
// form of r (1, 1/(y + o), (y + a)/(y + b)) are returned as they are, with error 0 unless rounding affects more than
// the last digit.
//
// The coefficients are computed in multiprecision software arithmetic (remez.hpp) and rounded to double once: their
// bits depend neither on threads nor on the machine or its mathematical library.
// Cost: order 20 takes about 0.05 s and order 30 about 0.1 s on one core; searching for the order, two or three times
// that.

#include <string>
#include <vector>

namespace trellis::hmc {

struct PowerFactor {
  double offset;  // >= 0
  double power;
};

// r(y) = constant + sum_i residues[i] / (y + poles[i]).
struct RationalApproximation {
  double constant = 0;
  std::vector<double> residues, poles;  // poles ascending and non-negative
  double lower = 0, upper = 0;          // the range of y
  // Largest |r/f - 1| there: the levelled Remez error plus the effect of rounding, in the coefficients and in
  // operator(), as found at some 16 n points (elsewhere rounding may be twice that). Rounding is about 1e-16 if f
  // decreases; if f increases, r is a difference: rounding grows at least as (upper / lower)^power, and with the order.
  // It is 1e-14 for y^(1/8) on [1e-8, 1] at order 40, 2e-10 for y^(1/2) on [1, 1e9] at order 33.
  double error = 0;

  int order() const { return int(poles.size()); }
  double operator()(double y) const;
};

// The best approximation of this order, the same for numerator and denominator, with the least relative error.
// Throws InputError for an interval that is empty, reversed or outside the domain of f, a negative offset, an order
// outside [0, 40] or one whose error would be below 1e-75, and a function that is not one of the above. Also if the
// Remez algorithm does not converge, which happens when the sums of powers return to an integer between offsets that
// are far apart, as in (y + 0.001)^0.5 / y.
RationalApproximation remez(const std::vector<PowerFactor>& f, double lower, double upper, int order);

// The smallest order with this error. Throws InputError like remez(), and if no order up to 40 reaches the error,
// naming the error that is reached.
RationalApproximation rational_approximation(const std::vector<PowerFactor>& f, double lower, double upper,
                                             double error);

// A best approximation r of f and its reciprocal, an approximation of 1/f, also with more digits than double precision
// has, for other programs:
//   r   = constant prod_i (y + zeros[i]) / (y + poles[i])  =  constant + sum_i residues[i] / (y + poles[i])
//   1/r = inverse_constant + sum_i inverse_residues[i] / (y + zeros[i])
struct RationalInFull {
  RationalApproximation r, inverse;  // in double precision, each with its error
  double levelled_error = 0;         // of r without rounding
  std::string constant, inverse_constant;
  std::vector<std::string> zeros, poles, residues, inverse_residues;
};

// The smallest order whose best approximation has this error before its numbers are rounded. Throws InputError like
// rational_approximation().
int order_of_error(const std::vector<PowerFactor>& f, double lower, double upper, double error);

// As remez(), with numbers of this many significant decimal digits, from 2 to 40. Throws InputError also for functions
// that are rational themselves.
RationalInFull remez_in_full(const std::vector<PowerFactor>& f, double lower, double upper, int order, int digits);

}  // namespace trellis::hmc
