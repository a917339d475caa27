// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precision in which numbers are stored, and its names in inputs, options, files and tables.

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

// Bytes of a number in arithmetic, hence of a lane; 16-bit numbers become floats.
constexpr int arithmetic_bytes(Precision precision) { return precision == Precision::double_ ? 8 : 4; }

}  // namespace trellis
