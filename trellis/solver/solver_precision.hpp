// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// In which precision a solver iterates. Of each kind of quark's solvers a table names those that there are.
//   double_   in double
//   mixed     in single, and is corrected in double until the residual is what was asked for
//   fixed16   the same, with numbers stored in 16 bits
//   single    in single alone: residuals end near 1e-6

namespace trellis::solver {

enum class SolverPrecision { double_, mixed, fixed16, single };

}  // namespace trellis::solver
