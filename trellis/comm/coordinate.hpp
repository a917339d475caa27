// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One number for each direction x, y, z, t: a site, the extents of a lattice, a block or a grid, or steps.

#include <array>
#include <string>

#include "trellis/core/base/joined.hpp"

namespace trellis {

using Coordinate = std::array<int, 4>;

inline std::string to_string(const Coordinate& numbers) { return joined(numbers, "x"); }  // "4x4x4x8"

}  // namespace trellis
