// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The vector work of BiCGStab in four passes, with update_residual for s: R 12 W 4 per iteration in total. The inner
// product of the shadow residual with the next residual is computed in advance from its parts, <q, s - omega t> = <q,
// s> - omega <q, t>, so one pass updates x, r and p. q is the shadow residual, v = A p, s = r - alpha v, t = A s.
// Inactive vectors are as in complex_algebra.hpp.

#include "trellis/solver/algebra/complex_algebra.hpp"

namespace trellis::solver {

struct ShadowProducts {
  std::vector<Complex> qv;  // <q, v>
  std::vector<double> vv;
};
// R 2
template <class T, int Reals, int W>
ShadowProducts shadow_products(std::span<const double> on, const ParityField<T, Reals, W>& q,
                               const ParityField<T, Reals, W>& v);

struct StabilisingProducts {
  std::vector<Complex> ts, qt, qs;  // <t, s>, <q, t>, <q, s>
  std::vector<double> tt;
};
// R 3
template <class T, int Reals, int W>
StabilisingProducts stabilising_products(std::span<const double> on, const ParityField<T, Reals, W>& t,
                                         const ParityField<T, Reals, W>& s, const ParityField<T, Reals, W>& q);

struct StabilisedStep {
  std::vector<Complex> alpha, omega, beta;
};
// Where alpha is not 0: x <- x + alpha p + omega s, r <- s - omega t, p <- r + beta (p - omega v); s is stored where r
// will be. Returns |r|^2. R 5 W 3. X is T, or float if T is Fixed16.
template <class T, class X, int Reals, int W>
std::vector<double> stabilised_update(const StabilisedStep& step, const ParityField<T, Reals, W>& t,
                                      const ParityField<T, Reals, W>& v, const ParityField<X, Reals, W>& x,
                                      const ParityField<T, Reals, W>& r, const ParityField<T, Reals, W>& p);

// The true residual is `fresh`. Where keep is not 0: p <- fresh + keep (p - r); elsewhere p <- fresh, q <- fresh.
// r <- fresh. Returns <q, fresh>. R 4 W 3
template <class T, int Reals, int W>
std::vector<Complex> replace_residual(std::span<const Complex> keep, const ParityField<T, Reals, W>& fresh,
                                      const ParityField<T, Reals, W>& r, const ParityField<T, Reals, W>& p,
                                      const ParityField<T, Reals, W>& q);

}  // namespace trellis::solver
