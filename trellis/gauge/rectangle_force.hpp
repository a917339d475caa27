// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The force of an action of plaquettes and 1 x 2 rectangles. Every rectangle is two plaquettes that share a side:
// with P = P_{mu nu}(x) and its four neighbours in the plane parallel-transported to x,
//   A = U_mu(x) P(x + mu) U_mu(x)^dagger,                N = U_nu(x) P(x + nu) U_nu(x)^dagger,
//   B = U_mu(x - mu)^dagger P(x - mu) U_mu(x - mu),      D = U_nu(x - nu)^dagger P(x - nu) U_nu(x - nu),
// the rectangles that contain P, written so that they start with one of P's links, are
//   of U_mu(x)  A P, P N, P B      of U_nu(x + mu)  P N, P B, P D   (carried to x)
//   of U_nu(x)  A P, P N, D P      of U_mu(x + nu)  A P, B P, D P   (carried to x).
// Their imaginary parts give forces in the algebra; those that belong to other sites are stored (plaquette_shares.hpp).
// Links must be in SU(3) to rounding.
//
// Cost per site: 6 x (3 + 14) matrix products and 12 rotations of 288 flops, compared with 4 x 67 products link by
// link. Three passes move 680 numbers. Work space: 240 numbers per site.

#include <memory>

#include "trellis/gauge/staple.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis::gauge {

// Work space is allocated on the first call, and again for another lattice. Copies share it, so they must not run at
// the same time.
template <class T, int W>
class RectangleForce {
 public:
  struct Work;  // work space; public only because nvcc makes no kernels in private members
  static constexpr double site_flops = 6 * (17 * product_flops + 2 * 288);

  // p_a(x, mu) += step * F_a(x, mu), like add_force() of action.hpp.
  // ghosts: of u, if they are on their way.
  void operator()(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p,
                  ExchangeUnderWay ghosts = {});

 private:
  std::shared_ptr<Work> work_;
};

}  // namespace trellis::gauge
