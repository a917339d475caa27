// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precisions in which solves of molecular dynamics iterate (rational_solver.hpp), and their names in inputs.

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

}  // namespace trellis::hmc
