// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Heat in a square plate whose edge is kept at 0: du/dt = Laplace u, by explicit Euler on a grid of spacing h,
//   next(i, j) = u(i, j) + r (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4 u(i, j)),   r = dt / h^2 <= 1/4.
// Grids include the edge, which no step writes. 16 bytes and 6 flops per point and step.

#include <utility>

#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace examples::heat {

using namespace trellis;

// j runs fastest in memory and among threads, on every machine.
using Grid = View<double**, LayoutRight>;
using Points = MDRangePolicy<DefaultExecutionSpace, Rank<2, Iterate::Right>>;

inline void step(const Grid& u, const Grid& next, double r) {
  const Index rows = u.extent(0), columns = u.extent(1);
  const double points = double(rows - 2) * double(columns - 2);
  parallel_for(
      Kernel("heat step", 16 * points, 6 * points), Points({1, 1}, {rows - 1, columns - 1}),
      TRELLIS_LAMBDA(Index i, Index j) {
        next(i, j) = u(i, j) + r * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
      });
}

// The grid after `steps` steps; overwrites both grids.
inline Grid evolve(Grid u, Grid next, double r, int steps) {
  for (int n = 0; n < steps; ++n) {
    step(u, next, r);
    std::swap(u, next);
  }
  return u;
}

}  // namespace examples::heat
