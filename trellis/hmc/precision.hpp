// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// In which precision the solves of molecular dynamics iterate (rational_solver.hpp), and their names in the input.

#include <array>
#include <string_view>

namespace trellis::hmc {

enum class Precision { double_, mixed, single };

struct NamedPrecision {
  std::string_view name;
  Precision precision;
};
inline constexpr std::array precisions{
    NamedPrecision{"double", Precision::double_},
    NamedPrecision{"mixed", Precision::mixed},
    NamedPrecision{"single", Precision::single},
};

}  // namespace trellis::hmc
