// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/images.hpp"

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"

namespace examples::minimd {

using namespace trellis;

namespace {

// Calls f(sx, sy, sz) for the shifts, in boxes, that bring x within `range` of the box; (0, 0, 0) is not one.
template <class F>
TRELLIS_FUNCTION void for_each_image(const double* x, double box, double range, const F& f) {
  int low[3], high[3];
  for (int c = 0; c < 3; ++c) {
    low[c] = x[c] >= box - range ? -1 : 0;
    high[c] = x[c] < range ? 1 : 0;
  }
  for (int sz = low[2]; sz <= high[2]; ++sz)
    for (int sy = low[1]; sy <= high[1]; ++sy)
      for (int sx = low[0]; sx <= high[0]; ++sx)
        if (sx != 0 || sy != 0 || sz != 0) f(sx, sy, sz);
}

void wrap(const Atoms& atoms) {
  const auto position = atoms.position;
  const double box = atoms.box;
  parallel_for(
      "wrap", atoms.count, TRELLIS_LAMBDA(Index i) {
        for (int c = 0; c < 3; ++c) {
          const double x = position(i, c);
          const double inside = x - box * std::floor(x / box);
          position(i, c) = inside < box ? inside : 0.0;  // values just below zero would round up to `box`
        }
      });
}

int count_images(const Atoms& atoms, double range) {
  const auto position = atoms.position;
  const double box = atoms.box;
  int images = 0;
  parallel_reduce(
      "count images", atoms.count,
      TRELLIS_LAMBDA(Index i, int& sum) {
        const double x[3] = {position(i, 0), position(i, 1), position(i, 2)};
        int own = 0;
        for_each_image(x, box, range, [&own](int, int, int) { ++own; });
        sum += own;
      },
      images);
  return images;
}

// Row i becomes a copy of row from(i).
void permute_atoms(Atoms& atoms, const View<int*>& from) {
  const Index rows = atoms.count + atoms.images + Atoms::rows_behind_images;
  const Vectors old_position = atoms.position, old_velocity = atoms.velocity;
  const View<int*> old_id = atoms.id;
  const Vectors position(uninitialized, "positions", rows), velocity(uninitialized, "velocities", atoms.count);
  const View<int*> id(uninitialized, "ids", atoms.count);
  const Index behind = atoms.far_row();
  parallel_for(
      "sort atoms", rows, TRELLIS_LAMBDA(Index i) {
        const Index old = i < id.extent(0) ? from(i) : -1;
        for (int c = 0; c < 3; ++c) {
          position(i, c) = old >= 0 ? old_position(old, c) : i >= behind ? 1e9 : 0.0;
          if (old >= 0) velocity(i, c) = old_velocity(old, c);
        }
        if (old >= 0) id(i) = old_id(old);
      });
  atoms.position = position;
  atoms.velocity = velocity;
  atoms.id = id;
}

Images make_images(const Atoms& atoms, double range) {
  const auto position = atoms.position;
  const double box = atoms.box;
  const View<int*> atom(uninitialized, "atom of image", atoms.images);
  const Vectors shift(uninitialized, "shift of image", atoms.images);
  int total = 0;
  parallel_scan(
      "images", atoms.count,
      TRELLIS_LAMBDA(Index i, int& at, bool final) {
        const double x[3] = {position(i, 0), position(i, 1), position(i, 2)};
        for_each_image(x, box, range, [&](int sx, int sy, int sz) {
          if (final) {
            atom(at) = int(i);
            shift(at, 0) = sx * box;
            shift(at, 1) = sy * box;
            shift(at, 2) = sz * box;
          }
          ++at;
        });
      },
      total);
  return {atom, shift};
}

}  // namespace

Images sort_atoms(Atoms& atoms, double range) {
  if (atoms.box < range) {
    fail_input("a box of {:.3f}; it must be at least as wide as cutoff plus skin, {:.3f}", atoms.box, range);
  }
  wrap(atoms);
  atoms.images = count_images(atoms, range);
  permute_atoms(atoms, sort_into_cells(CellGrid(atoms.box, range), atoms.position, atoms.count).atoms);
  const Images images = make_images(atoms, range);
  move_images(atoms, images);
  return images;
}

void move_images(const Atoms& atoms, const Images& images) {
  const auto position = atoms.position;
  const auto atom = images.atom;
  const auto shift = images.shift;
  const Index first = atoms.count;
  parallel_for(
      "move images", atoms.images, TRELLIS_LAMBDA(Index g) {
        for (int c = 0; c < 3; ++c) position(first + g, c) = position(atom(g), c) + shift(g, c);
      });
}

}  // namespace examples::minimd
