// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The heat problem: stationary temperature u in the unit cube, conductivity 1,
//   -div grad u = f inside,   u = g on the faces,
// with a known solution (Roache, "Code Verification by the Method of Manufactured Solutions", J. Fluids Eng.
// 124, 4 (2002)):
//   u = x + sin(pi x) sin(pi y) sin(pi z),   f = 3 pi^2 sin(pi x) sin(pi y) sin(pi z),   g = x.
// The faces x = 0 and x = 1 are held at 0 and 1, the others have the linear profile, and the inside is heated.
// A Heat has the members solution(x, y, z) and source(x, y, z); the boundary has the solution's values.

#include <cmath>
#include <numbers>

#include "trellis/core/config.hpp"

namespace examples::minife {

struct ManufacturedHeat {
  TRELLIS_FUNCTION static double bump(double x, double y, double z) {
    constexpr double pi = std::numbers::pi;
    return std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * z);
  }
  TRELLIS_FUNCTION double solution(double x, double y, double z) const { return x + bump(x, y, z); }
  TRELLIS_FUNCTION double source(double x, double y, double z) const {
    return 3 * std::numbers::pi * std::numbers::pi * bump(x, y, z);
  }
};

// No heating: linear functions are solved exactly on any mesh (the patch test).
struct LinearHeat {
  TRELLIS_FUNCTION double solution(double x, double y, double z) const { return 1 + 2 * x - 3 * y + 0.5 * z; }
  TRELLIS_FUNCTION double source(double, double, double) const { return 0; }
};

}  // namespace examples::minife
