// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Jacobi's elliptic functions, as needed for Zolotarev's problem (N. I. Achieser, Theory of Approximation, appendix E):
// the best rational approximation of order n to y^(-1/2) on [lower, upper] has its poles at -lower sc^2(u), u = (2 l -
// 1) K' / (2 n + 1), its zeros at the even multiples, and its error is largest at lower / dn^2(u), at all multiples; k
// = sqrt(lower / upper), and all functions have the complementary modulus k'. For other functions with a cut on the
// negative axis these are good first guesses, and the error still falls as exp(-2 pi K / K') per order. Real is a
// multiprecision type: the bits do not depend on the machine.

#include <limits>
#include <vector>

namespace trellis::hmc {

template <class Real>
struct Jacobi {
  Real sn, cn, dn;
};

// sn, cn and dn of modulus k' = sqrt(1 - k^2), and its quarter period K', by the arithmetic-geometric mean (Abramowitz
// and Stegun, 16.4 and 17.6).
template <class Real>
class EllipticFunctions {
 public:
  explicit EllipticFunctions(const Real& k) : k_(k), modulus_(sqrt(Real(1 - k * k))) {
    Real a = 1, b = k, c = modulus_;
    const Real end = std::numeric_limits<Real>::epsilon();
    while (c > end) {
      const Real mean = (a + b) / 2;
      c = (a - b) / 2;
      b = sqrt(Real(a * b));
      a = mean;
      scale_.push_back(a);
      ratio_.push_back(c / a);
    }
    quarter_period_ = acos(Real(-1)) / (2 * a);
  }

  const Real& quarter_period() const { return quarter_period_; }

  Jacobi<Real> operator()(const Real& u) const {
    Real phi = u;
    if (!scale_.empty()) phi *= ldexp(scale_.back(), int(scale_.size()));
    for (auto ratio = ratio_.rbegin(); ratio != ratio_.rend(); ++ratio) phi = (phi + asin(Real(*ratio * sin(phi)))) / 2;
    const Real sn = sin(phi), cn = cos(phi);
    return {sn, cn, sqrt(Real(cn * cn + k_ * k_ * sn * sn))};
  }

  // The functions at the sum of two arguments, by the addition theorem: no transcendental functions, so long sequences
  // of points are cheap.
  Jacobi<Real> sum(const Jacobi<Real>& u, const Jacobi<Real>& v) const {
    const Real both = modulus_ * u.sn * v.sn;
    const Real denominator = 1 - both * both;
    return {(u.sn * v.cn * v.dn + v.sn * u.cn * u.dn) / denominator,
            (u.cn * v.cn - u.sn * u.dn * v.sn * v.dn) / denominator,
            (u.dn * v.dn - modulus_ * modulus_ * u.sn * u.cn * v.sn * v.cn) / denominator};
  }

 private:
  Real k_, modulus_, quarter_period_;
  std::vector<Real> scale_, ratio_;
};

}  // namespace trellis::hmc
