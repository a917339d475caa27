// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The force of parallelograms, the loops a b c -a -b -c of three different directions (parallelogram_kernel.hpp). All
// loops around a site are found from the paths along two sides of the plaquettes at that site; their forces belong to
// links that start at its neighbours, where they are stored (plaquette_shares.hpp). Links are read up to corners.
//
// Cost per site: 24 + 4 * 18 + 24 = 120 matrix products; link by link it would be 4 * 96. The paths of a tile are kept
// in the cache, on a GPU in the memory of a block. Two passes move 520 numbers. Work space: 192 numbers per site.

#include <memory>

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Work space is allocated on the first call, and again for another lattice. Copies share it, so they must not run at
// the same time.
template <class T, int W>
class ParallelogramForce {
 public:
  struct Work;  // work space; public only because nvcc makes no kernels in private members
  static constexpr double site_flops = 120 * product_flops;

  // p_a(x, mu) += step * F_a(x, mu) of S = weight sum (1 - Re tr / 3).
  void operator()(double weight, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p);

 private:
  std::shared_ptr<Work> work_;
};

}  // namespace trellis::gauge
