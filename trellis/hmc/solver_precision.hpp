// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precisions in which solves of rational functions iterate (rational_solver.hpp), and their names in inputs. 16
// bits are for molecular dynamics only: energies would see them.

#include <array>

#include "trellis/core/base/named.hpp"
#include "trellis/solver/solver_precision.hpp"

namespace trellis::hmc {

using solver::SolverPrecision;

inline constexpr std::array<NamedValue<SolverPrecision>, 3> solver_precisions{{
    {"double", SolverPrecision::double_},
    {"mixed", SolverPrecision::mixed},
    {"single", SolverPrecision::single},
}};
inline constexpr std::array<NamedValue<SolverPrecision>, 4> molecular_dynamics_precisions{{
    solver_precisions[0],
    solver_precisions[1],
    solver_precisions[2],
    {"16-bit", SolverPrecision::fixed16},
}};

}  // namespace trellis::hmc
