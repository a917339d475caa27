// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precision in which molecular-dynamics solves iterate (rational_solver.hpp), and the names in the input.

#include <array>

#include "trellis/core/base/named.hpp"

namespace trellis::hmc {

enum class Precision { double_, mixed, single };

inline constexpr std::array<NamedValue<Precision>, 3> precisions{{
    {"double", Precision::double_},
    {"mixed", Precision::mixed},
    {"single", Precision::single},
}};

}  // namespace trellis::hmc
