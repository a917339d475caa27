// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/atoms.hpp"

#include <cmath>

#include "trellis/core/mirror.hpp"
#include "trellis/core/random.hpp"

namespace examples::minimd {

using namespace trellis;

namespace {

// Row i of a host View is f(i).
template <class V, class F>
void set_rows(const V& rows, Index count, const F& f) {
  for (Index i = 0; i < count; ++i) {
    const std::array<double, 3> row = f(i);
    for (int c = 0; c < 3; ++c) rows(i, c) = row[c];
  }
}

template <class V>
void set_temperature(const V& velocity, double temperature) {
  const Index count = velocity.extent(0);
  double mean[3] = {}, square = 0;
  for (Index i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) mean[c] += velocity(i, c) / double(count);
  for (Index i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) {
      velocity(i, c) -= mean[c];
      square += velocity(i, c) * velocity(i, c);
    }
  const double scale = std::sqrt(temperature * 3.0 * double(count - 1) / square);
  for (Index i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) velocity(i, c) *= scale;
}

}  // namespace

Atoms fcc_lattice(int size, double density, double temperature, std::uint64_t seed) {
  const double edge = std::cbrt(4 / density);  // of a cell with four atoms
  Atoms atoms;
  atoms.box = size * edge;
  atoms.count = Index{4} * size * size * size;
  atoms.position = Vectors("positions", atoms.count + Atoms::rows_behind_images);
  atoms.velocity = Vectors("velocities", atoms.count);
  atoms.force = Vectors("forces", atoms.count);
  atoms.id = View<int*>("ids", atoms.count);

  const auto position = create_mirror_view(HostSpace{}, atoms.position);
  const auto velocity = create_mirror_view(HostSpace{}, atoms.velocity);
  const auto id = create_mirror_view(HostSpace{}, atoms.id);
  set_rows(position, atoms.count, [&](Index i) {
    constexpr double corner[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const Index cell = i / 4;
    const double* const at = corner[i % 4];
    return std::array{edge * (double(cell % size) + at[0]), edge * (double(cell / size % size) + at[1]),
                      edge * (double(cell / size / size) + at[2])};
  });
  constexpr RandomPurpose velocities{128};
  const RandomStream stream{.seed = seed, .purpose = velocities};
  set_rows(velocity, atoms.count, [&](Index i) {
    const auto [x, y] = stream.uniform(std::uint64_t(i), 0);
    return std::array{x - 0.5, y - 0.5, stream.uniform(std::uint64_t(i), 1)[0] - 0.5};
  });
  set_temperature(velocity, temperature);
  for (Index i = 0; i < atoms.count; ++i) id(i) = int(i);
  deep_copy(atoms.position, position);
  deep_copy(atoms.velocity, velocity);
  deep_copy(atoms.id, id);
  return atoms;
}

}  // namespace examples::minimd
