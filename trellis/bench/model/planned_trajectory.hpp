// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one trajectory runs and holds: the trajectory itself, in a dry run (core/runtime/dry_run.hpp) on a lattice that
// is small enough for any machine, counted a site. That is the same on all lattices and for any number of ranks; ghosts
// come on top (ghost_count.hpp). Solves take the iterations that SolveWork says. Left out: what does not run, which is
// rejected trajectories and checks of reversibility; the cycles of solves in mixed precision, which is thought to be
// one, with as many iterations of each pole.

#include "trellis/bench/model/ghost_count.hpp"
#include "trellis/bench/model/solver_work.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::bench {

enum class Ghosts { none, near, all };  // that a field has

// Memory where kernels run, by the labels of Views.
struct FieldMemory {
  std::string label;
  double bytes = 0;  // a site of the lattice
  Ghosts ghosts = Ghosts::none;
  double fixed = 0;  // bytes on any lattice

  // On a rank with a block of this many sites.
  double on_rank(double sites, const GhostCount& count) const;
};

struct PlannedTrajectory {
  std::vector<KernelWork> kernels;  // of a trajectory that is not the first
  std::vector<FieldMemory> fields;  // when most memory is in use
};

// The next trajectory of a chain, on links that it keeps.
using Trajectory = std::function<hmc::TrajectoryRecord(std::uint32_t number)>;
// A chain on this lattice, which has as many lanes as its doubles can fill.
using MakeTrajectory = std::function<Trajectory(const Lattice& lattice)>;

// Calls `make` three times, for lattices no larger than `size` or 8^4 (16 in t). A tenth of a second beside the
// rational approximations that `make` computes.
PlannedTrajectory plan_trajectory(const Coordinate& size, const MakeTrajectory& make,
                                  const std::vector<SolveWork>& solves);

}  // namespace trellis::bench
