// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/bicgstab.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::solver::detail {

namespace {
double size2(Complex z) { return z.real() * z.real() + z.imag() * z.imag(); }
}  // namespace

void BiCGStabCoefficients::start(Complex product, double rr, bool kept) {
  rho = product;
  if (!kept) qq = rr;
}

bool BiCGStabCoefficients::first_half(Complex qv, double vv, int iteration) {
  if (!std::isfinite(size2(qv)) || !std::isfinite(vv) || !std::isfinite(size2(rho)))
    fail("BiCGStab: <q, A p> = ({}, {}) and |A p|^2 = {} in iteration {}", qv.real(), qv.imag(), vv, iteration + 1);
  alpha = 0;
  if (!(size2(qv) > epsilon * epsilon * qq * vv)) return false;
  alpha = quotient(rho, qv);
  return alpha != 0.0;
}

bool BiCGStabCoefficients::second_half(Complex ts, Complex qt, Complex qs, double tt, double ss, int iteration) {
  if (!std::isfinite(size2(ts)) || !std::isfinite(tt) || !std::isfinite(ss))
    fail("BiCGStab: <t, s> = ({}, {}), |t|^2 = {} and |s|^2 = {} in iteration {}", ts.real(), ts.imag(), tt, ss,
         iteration + 1);
  omega = beta = 0;
  if (!(size2(ts) > epsilon * epsilon * tt * ss)) return false;
  omega = {ts.real() / tt, ts.imag() / tt};
  const Complex next = qs - omega * qt;
  const double rr = ss - size2(ts) / tt;  // of the next residual
  if (!(size2(next) > epsilon * epsilon * qq * rr)) return false;
  beta = quotient(next, rho) * quotient(alpha, omega);
  rho = next;
  return true;
}

}  // namespace trellis::solver::detail
