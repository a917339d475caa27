// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the Wilson operator is run best on this machine, found by trying: where sites are (grid of virtual nodes,
// columns, bricks), how far ahead numbers are asked for, whether results pass the caches, and on how many threads. None
// of it changes a bit of a result. On a GPU it is where sites are, and the stores.
//
// The search goes along one coordinate after another: grid, columns, stores, distances, threads; on a GPU grid,
// columns, the extents of bricks one by one, stores. A candidate takes over when it is faster than the best so far by a
// percent (ten for fewer threads), twice, by the median of the ratios of calls in turn, and in the end all must be
// faster together than running untuned: a machine that drifts or is shared does not decide. What was found is kept by
// tuning_cache.hpp.

#include <functional>
#include <string>

#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/tuning/precision.hpp"

namespace trellis::tuning {

// What is tuned.
struct TuningCase {
  std::string kernel = "wilson";
  Coordinate size{};
  Precision precision = Precision::double_;
  int lanes = 1;
  dirac::LinkFormat links = dirac::LinkFormat::two_rows;
  int vectors = 1;
  int threads = 1;  // that there are

  bool operator==(const TuningCase&) const = default;
};

// "wilson 16x16x16x16 single, 16 lanes, 12 reals a link, 1 vector, 2 threads"
std::string describe(const TuningCase& what);

struct WilsonTuning {
  LatticeShape shape = {};
  dirac::WilsonSettings settings = {};
  int threads = 0;             // to use; 0: all that there are
  double seconds = 0;          // one application when it was tuned; 0: it was not
  double untuned_seconds = 0;  // with what is used without tuning
};

// Can the case be run like this? What a cache says is believed only then.
bool fits(const TuningCase& what, const WilsonTuning& how);

inline constexpr int farthest_ahead = 64;  // prefetch distances, hops

struct TuningParameters {
  double seconds = 0.15;  // for each candidate
  double budget = 60;     // seconds in all; what is not tried by then stays as it was
};

// One candidate, for those who want to watch.
struct TuningStep {
  std::string coordinate;
  WilsonTuning candidate;
  double ratio = 0;  // its time over that of the best so far
  bool accepted = false;
};

// Throws InputError where the case cannot be run.
WilsonTuning tune(const TuningCase& what, const TuningParameters& parameters,
                  const std::function<void(const TuningStep&)>& watch = {});

// What the search tries, for its tests. Grids of virtual nodes, those with t whole first; columns of a grid's blocks;
// extents in direction mu of a brick of these columns, the others as they are.
std::vector<Coordinate> lane_grids(const Coordinate& size, int lanes);
std::vector<std::array<int, 2>> columns(const Coordinate& size, const Coordinate& lane_grid);
std::vector<Coordinate> bricks(const Lattice& lattice, int mu);

}  // namespace trellis::tuning
