// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/process_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {

namespace {

constexpr const char* names[] = {"x", "y", "z", "t"};

std::int64_t product(const Coordinate& extents) {
  return std::int64_t(extents[0]) * extents[1] * extents[2] * extents[3];
}

void require_valid(const Coordinate& extents, const Coordinate& order) {
  for (const int extent : extents)
    if (extent < 1) fail_input("process grid {}: its extents must be at least 1", to_string(extents));
  Coordinate sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != Coordinate{0, 1, 2, 3})
    fail_input("process grid {}: the order {} is not a permutation of the directions 0, 1, 2, 3", to_string(extents),
               joined(order, ", "));
}

Coordinate coordinate_of(int rank, const Coordinate& extents, const Coordinate& order) {
  Coordinate coordinate{};
  for (const int mu : order) {
    coordinate[std::size_t(mu)] = rank % extents[std::size_t(mu)];
    rank /= extents[std::size_t(mu)];
  }
  return coordinate;
}

}  // namespace

ProcessGrid::ProcessGrid(const Communicator& ranks, const Coordinate& extents, const Coordinate& order)
    : ranks_(ranks), extents_(extents), order_(order) {
  require_valid(extents, order);
  if (product(extents) != ranks.size())
    fail_input("process grid {}: it has {}, and there {} {}", to_string(extents), plural(product(extents), "place"),
               ranks.size() == 1 ? "is" : "are", plural(ranks.size(), "rank"));
  coordinate_ = coordinate_of(ranks.rank(), extents, order);
}

ProcessGrid::ProcessGrid(const Coordinate& extents, int rank, const Coordinate& order)
    : extents_(extents), order_(order) {
  require_valid(extents, order);
  if (rank < 0 || rank >= product(extents))
    fail_input("process grid {}: there is no rank {}; ranks are 0 to {}", to_string(extents), rank,
               product(extents) - 1);
  coordinate_ = coordinate_of(rank, extents, order);
}

int ProcessGrid::neighbour(const Coordinate& steps) const {
  Coordinate there = coordinate_;
  for (std::size_t mu = 0; mu < 4; ++mu)
    there[mu] = ((there[mu] + steps[mu]) % extents_[mu] + extents_[mu]) % extents_[mu];
  return rank_at(there);
}

int ProcessGrid::rank_at(const Coordinate& coordinate) const {
  int rank = 0;
  for (std::size_t k = 4; k-- > 0;) {
    const auto mu = std::size_t(order_[k]);
    rank = rank * extents_[mu] + coordinate[mu];
  }
  return rank;
}

Coordinate ProcessGrid::local(const Coordinate& lattice) const {
  Coordinate block{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int sites = lattice[mu], blocks = extents_[mu];
    if (sites % (2 * blocks) != 0) {
      std::vector<int> fitting;
      for (int n = 1; 2 * n <= sites; ++n)
        if (sites % (2 * n) == 0) fitting.push_back(n);
      fail_input("process grid {}: the {} sites of lattice {} in {} do not make {} block{} of even extent; {}",
                 to_string(extents_), sites, to_string(lattice), names[mu], blocks, blocks == 1 ? "" : "s",
                 fitting.empty() ? "extents must be even"
                                 : fmt::format("{} do{}", joined(fitting, ", "), fitting.size() == 1 ? "es" : ""));
    }
    block[mu] = sites / blocks;
  }
  return block;
}

}  // namespace trellis::comm
