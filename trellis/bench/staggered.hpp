// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Timings of the staggered operator, of the solvers on it and of the kernels of its force, on a random configuration.
//
// Each is timed in turn with MIX, the fair yardstick of the operator: the links that D_eo reads and its vectors, read
// once, in order, with the result written by streaming stores. It is what the same threads take for the same bytes
// when there is nothing to do with them. Beside kernels that do not read these links MIX is only a bandwidth.
//
// Flops an even site, V even sites being half the lattice:
//   D_eo                  570 a vector; in single precision also with links and vectors in 16 bits
//   operator              m^2 psi - D_eo D_oe psi with its product with psi: 1140 + 24
//   CG iteration          operator, r - alpha A p and its norm (24), x + alpha p (12), r + beta p (12)
//   multi-shift iteration of n shifts: operator, residual with its norm, direction (36), 30 a shift
// and a site of the lattice: force 4 x 72 a pole, stout smearing 46 products of 198 and 4 x 550, the way back
// 6 x 2200 and 4 x 1350. Bytes: each number read or written once (staggered.cpp).

#include <span>
#include <string>
#include <vector>

#include "trellis/lattice/lattice.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct StaggeredFigure {
  std::string kernel;
  int vectors = 1;  // right-hand sides, shifts or poles
  double flops = 0, bytes = 0;
  double seconds = 0;      // one call or one iteration, median
  double mix_bytes = 0;    // of MIX with the kernel's right-hand sides
  double mix_seconds = 0;  // its median, taken in turn with the kernel
  int lanes = 1;
};

// D_eo for each number of right-hand sides.
template <class T, int W>
std::vector<StaggeredFigure> staggered_hops(const Coordinate& size, std::span<const int> right_hand_sides,
                                            const tuning::TimingParameters& timing);
// D_eo in 16 bits, in single precision, for each; then the rest with one.
template <class T, int W>
std::vector<StaggeredFigure> staggered_kernels(const Coordinate& size, std::span<const int> right_hand_sides,
                                               const tuning::TimingParameters& timing);

}  // namespace trellis::bench
