// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Time per iteration of the solvers on the even/odd preconditioned Wilson operator, compared with its floor: the time
// of four hopping terms, measured alongside, plus that of the other vectors that must be read and written at the
// bandwidth of MIX (wilson_setup.hpp):
//   CG on the normal equations   M and M^dagger: 2 vectors; r - alpha A p with its norm, x + alpha p, r + beta p: 8
//   BiCGStab                     M twice: 2; s, and then x, r, p with their inner products: 16
// Both on random links, without clover, at kappa = 0.1.

#include <string>
#include <vector>

#include "trellis/tuning/timing.hpp"
#include "trellis/tuning/tuning.hpp"

namespace trellis::bench {

struct SolverFigure {
  std::string solver;
  double seconds = 0;       // per iteration, median
  double floor = 0;         // seconds
  double hops_seconds = 0;  // one hopping term, median
};

// Throws InputError for 16 bits, and if the case cannot be run.
std::vector<SolverFigure> measure_solvers(const tuning::TuningCase& what, const tuning::KernelTuning& how,
                                          const tuning::TimingParameters& timing);

}  // namespace trellis::bench
