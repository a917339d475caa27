// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The atoms of a periodic cube. Rows of `position`: the atoms of the box, then periodic images of those near its faces,
// so that no kernel needs to find the nearest image; then one row far away, which pads neighbour lists; then one that
// is never used, so that reading four numbers at any row stays within memory.

#include "trellis/core/view.hpp"

namespace examples::minimd {

using trellis::Index;
using trellis::View;

using Vectors = View<double* [3]>;
// As kernels read them, through indices.
using Positions = View<const double* [3], trellis::RandomAccess>;

struct Atoms {
  double box = 0;    // edge of the cube: 0 <= x < box after each building of lists
  Index count = 0;   // atoms
  Index images = 0;  // rows of periodic images after them
  Vectors position, velocity, force;
  View<int*> id;  // an atom keeps its id when rows are sorted

  Index far_row() const { return count + images; }
  static constexpr Index rows_behind_images = 2;
};

// 4 size^3 atoms on a face-centred cubic lattice, which is this system's solid, in the order of cells.
// Velocities are uniform in a cube, then shifted and scaled to zero momentum and the given temperature,
// T = sum v^2 / (3 (count - 1)); they depend only on the seed and an atom's id.
Atoms fcc_lattice(int size, double density, double temperature, std::uint64_t seed);

}  // namespace examples::minimd
