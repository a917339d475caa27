// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fastest way to run the Wilson operator on this machine, found by trial: the order of sites (grid of virtual
// nodes, columns, bricks), prefetch distances, whether results bypass the caches, and the number of threads. None of it
// changes a bit of a result. On a GPU only the order of sites and the stores are tuned.
//
// The search optimises one coordinate after another: grid, columns, stores, distances, threads; on a GPU grid, columns,
// the extents of bricks one by one, stores. A candidate is accepted if it is faster than the best so far by one percent
// (ten for fewer threads), twice, by the median of the ratios of alternating calls; in the end the final settings must
// be faster than the untuned ones. So drift and other users of the machine do not decide. Results are stored by
// tuning_cache.hpp.

#include <functional>
#include <string>

#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/tuning/precision.hpp"

namespace trellis::tuning {

// The case that is tuned.
struct TuningCase {
  std::string kernel = "wilson";
  Coordinate size{};
  Precision precision = Precision::double_;
  int lanes = 1;
  dirac::LinkFormat links = dirac::LinkFormat::two_rows;
  int vectors = 1;
  int threads = 1;  // available

  bool operator==(const TuningCase&) const = default;
};

// "wilson 16x16x16x16 single, 16 lanes, 12 reals a link, 1 vector, 2 threads"
std::string describe(const TuningCase& what);

struct WilsonTuning {
  LatticeShape shape = {};
  dirac::WilsonSettings settings = {};
  int threads = 0;             // to use; 0: all available
  double seconds = 0;          // per application when it was tuned; 0 if it was not
  double untuned_seconds = 0;  // with the default settings
};

// Whether the case can be run with these settings. Cached settings are used only if this is true.
bool fits(const TuningCase& what, const WilsonTuning& how);

inline constexpr int farthest_ahead = 64;  // prefetch distances, hops

struct TuningParameters {
  double seconds = 0.15;  // for each candidate
  double budget = 60;     // seconds in total; settings not tried by then stay unchanged
};

// One candidate, for progress reports.
struct TuningStep {
  std::string coordinate;
  WilsonTuning candidate;
  double ratio = 0;  // its time relative to that of the best so far
  bool accepted = false;
};

// Throws InputError if the case cannot be run.
WilsonTuning tune(const TuningCase& what, const TuningParameters& parameters,
                  const std::function<void(const TuningStep&)>& watch = {});

// What the search tries, for its tests. Grids of virtual nodes, those that do not cut t first; columns for the blocks
// of a grid; extents in direction mu of a brick of these columns, with the others unchanged.
std::vector<Coordinate> lane_grids(const Coordinate& size, int lanes);
std::vector<std::array<int, 2>> columns(const Coordinate& size, const Coordinate& lane_grid);
std::vector<Coordinate> bricks(const Lattice& lattice, int mu);

}  // namespace trellis::tuning
