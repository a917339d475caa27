// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/ghosts.hpp"

#include <algorithm>
#include <cstdlib>

namespace trellis::lattice_detail {

int reach_of(const Coordinate& steps) {
  int directions = 0, total = 0, most = 0;
  for (const int out : steps) {
    directions += out != 0 ? 1 : 0;
    total += std::abs(out);
    most = std::max(most, std::abs(out));
  }
  if (directions == 0 || directions > 2 || most > 2 || total > 3) return 0;
  if (most == 2) return 3;
  return directions;
}

int straight_steps(const Coordinate& steps) {
  int straight = 0;
  for (const int out : steps) {
    if (out != 0 && straight != 0) return 0;
    if (out != 0) straight = std::abs(out);
  }
  return straight;
}

int way_of(const Coordinate& signs) {
  int first = -1, second = -1;
  for (int mu = 0; mu < 4; ++mu)
    if (signs[mu] != 0) (first < 0 ? first : second) = signs[mu] > 0 ? mu : backward(mu);
  if (second < 0) return first;
  // Pairs of directions 01, 02, 12, 03, 13, 23, each with four pairs of signs.
  const int mu = first % 4, nu = second % 4;
  return 8 + 4 * (nu * (nu - 1) / 2 + mu) + 2 * (first / 4) + second / 4;
}

Coordinate signs_of(int way) {
  Coordinate signs{};
  if (way < 8) {
    signs[way % 4] = way < 4 ? 1 : -1;
    return signs;
  }
  const int pair = (way - 8) / 4;
  for (int nu = 1; nu < 4; ++nu)
    for (int mu = 0; mu < nu; ++mu)
      if (nu * (nu - 1) / 2 + mu == pair) {
        signs[mu] = (way / 2) % 2 == 0 ? 1 : -1;
        signs[nu] = way % 2 == 0 ? 1 : -1;
      }
  return signs;
}

GhostTiles::GhostTiles(const Coordinate& block, const Coordinate& cut, int vector_reach) {
  if (cut == Coordinate{}) return;
  std::int64_t volume = 1;
  for (int mu = 0; mu < 4; ++mu) {
    margin_[mu] = std::max(2, vector_reach) * cut[mu];
    extended_[mu] = block[mu] + 2 * margin_[mu];
    volume *= extended_[mu];
  }
  numbers_.assign(std::size_t(volume), -1);
  // Beyond the eight faces, layer by layer; at corners; further out.
  const int layers = 8 * vector_reach;
  std::vector<std::vector<Coordinate>> found(std::size_t(layers + 2));
  for (std::int64_t n = 0; n < volume; ++n) {
    Coordinate x = split(n, extended_);
    for (int mu = 0; mu < 4; ++mu) x[mu] -= margin_[mu];
    const Coordinate steps = steps_out(x, block);
    const int straight = straight_steps(steps), reach = reach_of(steps);
    if (straight > 0 && straight <= vector_reach)
      found[std::size_t(8 * (straight - 1) + way_of(steps))].push_back(x);
    else if (reach > 0)
      found[std::size_t(layers + reach - 2)].push_back(x);
  }
  for (int k = 0; k < layers + 2; ++k) {
    places.insert(places.end(), found[std::size_t(k)].begin(), found[std::size_t(k)].end());
    if (k == 7) near = int(places.size() / 2);
    if (k == layers - 1) of_vectors = int(places.size() / 2);
  }
  count = int(places.size() / 2);
  int next[2] = {0, 0};  // equally many of each parity, since extents are even
  for (const Coordinate& x : places) numbers_[std::size_t(place(x))] = next[parity_of(x)]++;
}

std::int64_t GhostTiles::place(const Coordinate& x) const {
  Coordinate y;
  for (int mu = 0; mu < 4; ++mu) y[mu] = x[mu] + margin_[mu];
  return join(y, extended_);
}

int GhostTiles::number(const Coordinate& x) const {
  if (numbers_.empty()) return -1;
  for (int mu = 0; mu < 4; ++mu)
    if (x[mu] < -margin_[mu] || x[mu] >= extended_[mu] - margin_[mu]) return -1;
  return numbers_[std::size_t(place(x))];
}

}  // namespace trellis::lattice_detail
