// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Timings of the staggered operator, of its solvers and of the kernels of its force, on a random configuration.
//
// Each is timed alternately with MIX, a fair yardstick for the operator: the links that D_eo reads and its vectors,
// read once, in order, with the result written by streaming stores. That is the time in which the same threads move the
// same bytes without computing. For kernels that do not read these links MIX is only a bandwidth.
//
// Flops per even site (half the lattice):
//   D_eo                  570 per vector; in single precision also with links and vectors in 16 bits
//   D_eo HISQ             1146 per vector: fat and long links, hops of one and three steps
//   operator              m^2 psi - D_eo D_oe psi with its inner product with psi: 1140 + 24
//   CG iteration          operator, r - alpha A p and its norm (24), x + alpha p (12), r + beta p (12)
//   multi-shift iteration with n shifts: operator, residual with its norm, direction (36), 30 per shift
// and per lattice site: force 4 x 72 per pole, stout smearing 46 products of 198 and 4 x 550, its force 6 x 2200 and
// 4 x 1350. Bytes: each number read or written once (staggered.cpp).

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
  double seconds = 0;      // per call or iteration, median
  double mix_bytes = 0;    // moved by MIX with the kernel's number of right-hand sides
  double mix_seconds = 0;  // MIX's median, timed alternately with the kernel
  int lanes = 1;
};

// D_eo for each number of right-hand sides, with one-link and with fat and long links.
template <class T, int W>
std::vector<StaggeredFigure> staggered_hops(const Coordinate& size, std::span<const int> right_hand_sides,
                                            const tuning::TimingParameters& timing);
// D_eo in 16 bits, if in single precision, for each number; then everything else with one right-hand side.
template <class T, int W>
std::vector<StaggeredFigure> staggered_kernels(const Coordinate& size, std::span<const int> right_hand_sides,
                                               const tuning::TimingParameters& timing);

}  // namespace trellis::bench
