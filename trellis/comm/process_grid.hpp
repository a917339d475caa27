// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the ranks of a job share a lattice: a grid of ranks, each with a block of sites of equal, even extents. Rank
// numbers run fastest in the direction `order[0]`, so that neighbours there are likely to share a machine.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/coordinate.hpp"

namespace trellis::comm {

class ProcessGrid {
 public:
  // A single process.
  ProcessGrid() = default;
  // Throws InputError if the product of the extents is not the number of ranks. order: a permutation of the directions.
  ProcessGrid(const Communicator& ranks, const Coordinate& extents, const Coordinate& order = {0, 1, 2, 3});
  // As seen by rank `rank` of a job with this grid: geometry only, for plans and tests; ranks() is this process.
  ProcessGrid(const Coordinate& extents, int rank, const Coordinate& order = {0, 1, 2, 3});

  const Communicator& ranks() const { return ranks_; }
  const Coordinate& extents() const { return extents_; }
  const Coordinate& order() const { return order_; }
  int size() const { return extents_[0] * extents_[1] * extents_[2] * extents_[3]; }
  // The coordinate of this rank.
  const Coordinate& coordinate() const { return coordinate_; }
  // The rank that is this many steps away in each direction, around the torus.
  int neighbour(const Coordinate& steps) const;
  int rank_at(const Coordinate& coordinate) const;

  // Extents of a rank's block. Throws InputError, saying what would fit, if the lattice does not divide into blocks of
  // even extents.
  Coordinate local(const Coordinate& lattice) const;

  bool operator==(const ProcessGrid&) const = default;

 private:
  Communicator ranks_;
  Coordinate extents_{1, 1, 1, 1};
  Coordinate order_{0, 1, 2, 3};
  Coordinate coordinate_{};
};

// The cost of a message and of a byte, for the choice of a grid.
struct LinkCost {
  double latency = 2e-6;           // s per message
  double bandwidth = 10e9;         // bytes/s per rank, to a rank on another machine
  double bandwidth_inside = 50e9;  // to one on the same machine
  int ranks_on_machine = 1;
};

// What is sent in an exchange with nearest neighbours by the rank that sends most to other machines. Ranks of a grid
// are numbered in the order 0, 1, 2, 3.
struct HaloTraffic {
  int messages = 0;
  std::int64_t inside = 0, outside = 0;  // sites sent to ranks on the same machine and on others
  // number of messages * latency + bytes / bandwidth, one after the other.
  double seconds(const LinkCost& cost, double bytes_per_site) const;
};
HaloTraffic halo_traffic(const Coordinate& lattice, const Coordinate& extents, int ranks_on_machine);

// All grids of this many ranks into which a lattice divides, the cheapest first: by the time of a halo exchange of
// `bytes_per_site`. Among equal ones, those that cut t most come first, then z, then y. Empty if there is none.
// longest_hop: of an operator, in steps; blocks are at least as wide in every direction that is cut.
struct GridChoice {
  Coordinate extents;
  double seconds;
  std::int64_t surface;  // sites that a rank sends
};
std::vector<GridChoice> possible_grids(const Coordinate& lattice, int ranks, const LinkCost& cost,
                                       double bytes_per_site = 96, int longest_hop = 1);
// The first of these; throws InputError that lists numbers of ranks that would divide the lattice.
Coordinate best_grid(const Coordinate& lattice, int ranks, const LinkCost& cost = {}, double bytes_per_site = 96,
                     int longest_hop = 1);

// "2x2x1x4", as inputs and reports write it.

}  // namespace trellis::comm
