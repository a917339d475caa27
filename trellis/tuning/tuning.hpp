// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fastest way to run a kernel on this machine, found by trial: the order of sites (grid of virtual nodes, columns,
// bricks), and for the operators of quarks prefetch distances, whether results bypass the caches, the threads of a
// GPU's blocks, and for the Wilson operator the number of threads. None of it changes a bit of a result. On a GPU there
// are no distances.
//
// The search optimises one coordinate after another: grid, columns, stores, distances, threads; on a GPU grid, columns,
// the extents of bricks one by one, stores, blocks. A candidate is accepted if it is faster than the best so far by one
// percent (ten for fewer threads), twice, by the median of the ratios of alternating calls; in the end the final
// settings must be faster than the untuned ones. So drift and other users of the machine do not decide. Results are
// stored by tuning_cache.hpp.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "trellis/core/base/named.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/stencil/hop_settings.hpp"
#include "trellis/dirac/wilson/wilson_links.hpp"
#include "trellis/tuning/precision.hpp"

namespace trellis::tuning {

// What is tuned: the hops of Wilson or staggered quarks; the gauge force, of plaquettes alone, with rectangles, or with
// rectangles and parallelograms; or what a trajectory with staggered quarks spends its time on, the operator sixteen
// times with a force with rectangles (with long links also parallelograms), because they share a lattice.
enum class TunedKernel { wilson, staggered, plaquette_force, rectangle_force, parallelogram_force, dynamics };

inline constexpr std::array<NamedValue<TunedKernel>, 6> tuned_kernels{{
    {"wilson", TunedKernel::wilson},
    {"staggered", TunedKernel::staggered},
    {"plaquette force", TunedKernel::plaquette_force},
    {"rectangle force", TunedKernel::rectangle_force},
    {"parallelogram force", TunedKernel::parallelogram_force},
    {"dynamics", TunedKernel::dynamics},
}};

// The links that staggered quarks see, by name.
inline constexpr std::array<NamedValue<dirac::LinkKind>, 3> quark_link_names{{
    {"su3", dirac::LinkKind::su3},
    {"fat", dirac::LinkKind::fat},
    {"long", dirac::LinkKind::fat_and_long},
}};

// The case that is tuned. Staggered quarks have links of two rows if these are in SU(3), and in 16 bits vectors in
// single precision; forces have whole links, and the number of vectors does not apply to them.
struct TuningCase {
  TunedKernel kernel = TunedKernel::wilson;
  Coordinate size{};  // a rank's part
  Precision precision = Precision::double_;
  int lanes = 1;
  dirac::LinkFormat links = dirac::LinkFormat::two_rows;
  int vectors = 1;
  int threads = 1;   // available
  Coordinate cut{};  // 1: directions that are cut between ranks, in which there are ghosts
  // What the staggered operator applies: fat links for one step, and long ones for three. A force has improved links
  // (Fat7, or Asqtad with long ones) beside it, made once: their kernels are those of their own force.
  dirac::LinkKind quark_links = dirac::LinkKind::su3;

  bool operator==(const TuningCase&) const = default;
};

// "wilson 16x16x16x16 single, 16 lanes, 12 reals a link, 1 vector, 2 threads"
std::string describe(const TuningCase& what);

// Whether the kernel is one of quarks, for which there is more to tune than the order of sites.
inline bool has_hops(const TuningCase& what) {
  return what.kernel == TunedKernel::wilson || what.kernel == TunedKernel::staggered ||
         what.kernel == TunedKernel::dynamics;
}
// The longest hop, in steps: how far vectors must reach.
inline int longest_hop(const TuningCase& what) { return what.quark_links == dirac::LinkKind::fat_and_long ? 3 : 1; }
// Those of a kernel that is not tuned.
dirac::HopSettings default_settings(const TuningCase& what);

struct KernelTuning {
  LatticeShape shape = {};  // its ghosts are those of the case
  dirac::HopSettings settings = {};
  int threads = 0;             // to use; 0: all available
  double seconds = 0;          // per application when it was tuned; 0 if it was not
  double untuned_seconds = 0;  // with the default settings, timed in turn
};

// Whether the case can be run with these settings. Cached settings are used only if this is true.
bool fits(const TuningCase& what, const KernelTuning& how);

inline constexpr int farthest_ahead = 64;                          // prefetch distances, hops
inline constexpr std::array<int, 4> block_sizes{32, 64, 96, 128};  // threads of a GPU's block

struct TuningParameters {
  double seconds = 0.15;  // for each candidate
  double budget = 60;     // seconds in total; settings not tried by then stay unchanged
};

// One candidate, for progress reports.
struct TuningStep {
  std::string coordinate;
  KernelTuning candidate;
  double ratio = 0;  // its time relative to that of the best so far
  bool accepted = false;
};

// Throws InputError if the case cannot be run.
KernelTuning tune(const TuningCase& what, const TuningParameters& parameters,
                  const std::function<void(const TuningStep&)>& watch = {});

// What the search tries, for its tests. Grids of virtual nodes, those that do not cut t first; columns for the blocks
// of a grid; extents in direction mu of a brick of these columns, with the others unchanged.
std::vector<Coordinate> lane_grids(const Coordinate& size, int lanes);
std::vector<std::array<int, 2>> columns(const Coordinate& size, const Coordinate& lane_grid);
std::vector<Coordinate> bricks(const Lattice& lattice, int mu);

}  // namespace trellis::tuning
