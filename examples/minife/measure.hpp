// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the program does: checks the physics on three meshes, then measures the kernels on the finest.

#include "examples/result.hpp"

namespace examples::minife {

struct Settings {
  long nx = 100, ny = 0, nz = 0;  // elements; 0: as many as nx
  double distortion = 0.05;       // of the mesh (mesh.hpp)
  int iterations = 200;           // that are timed
  double tolerance = 1e-10;       // of the solves that are checked
  int repetitions = 5;
  bool layouts = true;  // also measure the layouts that are wrong for this machine
};

// Prints what it finds. Throws Error when a check fails: errors that do not fall as h^2, residuals of recursion and
// solution that part, results of the two versions that differ.
Result measure(const Settings& settings);

}  // namespace examples::minife
