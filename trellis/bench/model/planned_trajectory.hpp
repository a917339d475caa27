// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one trajectory runs and stores, found by a dry run (core/runtime/dry_run.hpp) of the trajectory itself on a
// lattice that is small enough for any machine, per site. That is the same on all lattices and for any number of ranks;
// ghosts come on top (ghost_count.hpp). Solves take the iterations that SolveWork gives. Not included, because they do
// not run: rejected trajectories and reversibility checks. Solves in mixed precision are assumed to take one cycle,
// with the same number of iterations for each pole.

#include "trellis/bench/model/ghost_count.hpp"
#include "trellis/bench/model/solver_work.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::bench {

enum class Ghosts { none, near, all };  // which ghosts a field has

// Memory in the kernels' space, by the labels of Views.
struct FieldMemory {
  std::string label;
  double bytes = 0;  // per lattice site
  Ghosts ghosts = Ghosts::none;
  double fixed = 0;  // bytes on any lattice

  // On a rank with a block of this many sites.
  double on_rank(double sites, const GhostCount& count) const;
};

struct PlannedTrajectory {
  std::vector<KernelWork> kernels;  // of a trajectory after the first
  std::vector<FieldMemory> fields;  // when memory use is largest
};

// The next trajectory of a chain, on links that the chain keeps.
using Trajectory = std::function<hmc::TrajectoryRecord(std::uint32_t number)>;
// Creates a chain on this lattice, which has as many lanes as fill a register with doubles.
using MakeTrajectory = std::function<Trajectory(const Lattice& lattice)>;
// Work on this lattice that needs memory, but whose kernels are not counted.
using OtherWork = std::function<void(const Lattice& lattice)>;

// Calls `make` three times, for lattices no larger than `size` or 8^4 (16 in t). longest_hop: of the quarks, in steps.
// Takes a tenth of a second in addition
// to the rational approximations that `make` computes.
PlannedTrajectory plan_trajectory(const Coordinate& size, const MakeTrajectory& make,
                                  const std::vector<SolveWork>& solves, int longest_hop = 1);

// The memory of other work, found in the same way.
std::vector<FieldMemory> plan_memory(const Coordinate& size, const OtherWork& work, int longest_hop = 1);

}  // namespace trellis::bench
