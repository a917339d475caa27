// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program's work: checks the physics on three meshes, then measures the kernels on the finest; or, on several
// ranks, measures weak scaling.

#include "examples/result.hpp"

namespace examples::minife {

struct Settings {
  long nx = 100, ny = 0, nz = 0;  // elements; 0: as many as nx
  double distortion = 0.05;       // of the mesh (mesh.hpp)
  int iterations = 200;           // timed
  double tolerance = 1e-10;       // of the checked solves
  int repetitions = 5;
  bool layouts = true;  // also measure the layouts that do not suit this machine
};

// Prints the results. Throws Error if a check fails: the error does not fall as h^2, the recursive residual and the
// solution's differ, or the two versions disagree.
Result measure(const Settings& settings);

// Weak scaling: the timed solve on 1, 2, 4 ... ranks of the job, and on all, with as many rows on each: a mesh of
// nx x ny elements and `planes` planes of nodes per rank. Collective; the result and what is printed are the first
// rank's. Times are those of the slowest rank. On CPUs also by hand. Throws InputError for a folded mesh, Error if the
// two versions disagree or the residuals do.
struct WeakScaling {
  long nx = 100, ny = 0;  // 0: as nx
  long planes = 0;        // 0: as nx
  double distortion = 0.05;
  int iterations = 200;
  int repetitions = 5;
};
Result measure_weak_scaling(const WeakScaling& settings);

}  // namespace examples::minife
