// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks and times the steps of heat.hpp on a square with `size` points per side inside the edge.
// Checked on u = sin(3 pi x) sin(2 pi y), h = 1 / (size + 1), an eigenvector of the five-point Laplacian that each step
// multiplies by
//   1 - 4 r (sin^2(3 pi h / 2) + sin^2(2 pi h / 2)),
// exactly up to rounding: after n steps no point may deviate by more than 10 (n + 1) epsilon; otherwise throws Error.
// Timed: `steps` steps per call, starting from the state of the check, both versions on the same grids.

#include "examples/result.hpp"

namespace examples::heat {

struct Settings {
  std::vector<int> sizes{256, 1024, 4096};
  int steps = 20;
  int repetitions = 25;
  double r = 0.2;
  bool ways = false;  // also those of ways.hpp
};

// A row for each size, in GB/s, at 16 bytes per point and step.
Result measure(const Settings& settings);

}  // namespace examples::heat
