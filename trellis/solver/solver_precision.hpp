// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precision in which a solver iterates. For each kind of quark a table names those that its solvers have.
//   double_   in double
//   mixed     in single, corrected in double until the requested residual is reached
//   fixed16   the same, with numbers stored in 16 bits; in molecular dynamics (hmc/rational_solver.hpp) in single with
//             links in 16 bits only
//   single    in single only: residuals end near 1e-6

namespace trellis::solver {

enum class SolverPrecision { double_, mixed, fixed16, single };

}  // namespace trellis::solver
