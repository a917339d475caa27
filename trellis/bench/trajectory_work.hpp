// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one trajectory runs and holds: the plan of its integrator (hmc/integrator.hpp), run on a phase space that counts
// kernels instead of moving links. It follows hmc/hybrid_monte_carlo.cpp, hmc/quark_action.cpp and what they call step
// by step, remembering which links were smeared last as these do.
// Not counted: measurements but for plaquettes, rectangle and Polyakov loop, files, checks of reversibility, and what
// iterations in mixed precision need beyond those in single precision and their last steps.

#include "trellis/bench/kernel_work.hpp"
#include "trellis/bench/solver_work.hpp"
#include "trellis/gauge/action.hpp"

namespace trellis::bench {

struct TrajectoryDescription {
  Coordinate size{};
  gauge::LoopWeights loops = {};              // of the whole gauge action
  std::vector<std::string> gauge_terms = {};  // "plaquette", "rectangle"
  hmc::HmcParameters hmc = {};                // no levels: a heatbath sweep
  int overrelaxation_steps = 0;               // after it
  hmc::QuarkAction quarks = {};
  std::vector<hmc::QuarkTerm> quark_terms = {};

  double sites() const { return double(size[0]) * size[1] * size[2] * size[3]; }
  bool is_heatbath() const { return hmc.levels.empty(); }
};

// Solves with the bounds of their iterations (solver_work.hpp).
std::vector<SolveWork> solves_of(const TrajectoryDescription& trajectory);

std::vector<KernelWork> trajectory_work(const TrajectoryDescription& trajectory, const std::vector<SolveWork>& solves);

}  // namespace trellis::bench
