// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// In which precision numbers are stored, and what inputs, options, files and tables call it.

#include <array>

#include "trellis/core/base/named.hpp"

namespace trellis {

enum class Precision { double_, single, fixed16 };

inline constexpr std::array<NamedValue<Precision>, 3> precision_names{{
    {"double", Precision::double_},
    {"single", Precision::single},
    {"16-bit", Precision::fixed16},
}};
constexpr std::string_view name_of(Precision precision) { return name_in(precision_names, precision); }
inline Precision precision_named(std::string_view name) { return named("precision", precision_names, name).value; }

// Bytes of the numbers that arithmetic is done with, which fill the lanes; numbers in 16 bits become floats.
constexpr int arithmetic_bytes(Precision precision) { return precision == Precision::double_ ? 8 : 4; }

}  // namespace trellis
