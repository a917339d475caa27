// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Periodic images: for every atom within `range` of a face, edge or corner of the box, a row after the atoms, one box
// further. Any box at least as wide as `range` will do.

#include "examples/minimd/cells.hpp"

namespace examples::minimd {

struct Images {
  View<int*> atom;  // the atom whose image it is
  Vectors shift;    // position of the image - position of the atom
};

// Brings atoms back into the box, sorts their rows by cell (neighbours in space become neighbours in memory) and makes
// the images. Throws InputError for a box that is too small.
Images sort_atoms(Atoms& atoms, double range);

// Moves the images along with their atoms.
void move_images(const Atoms& atoms, const Images& images);

}  // namespace examples::minimd
