// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/plan_input.hpp"

#include "trellis/app/run/chain_setup.hpp"

namespace trellis::app {

bench::TrajectoryDescription trajectory_of(const RunInput& input) {
  bench::TrajectoryDescription trajectory{.size = input.size,
                                          .loops = gauge::Action{input.action.beta, input.action.c1},
                                          .gauge_terms = input.action.terms(),
                                          .hmc = {.length = input.algorithm.trajectory_length, .levels = {}},
                                          .quarks = quark_action(input),
                                          .quark_terms = quark_terms(input.quarks)};
  if (input.algorithm.kind == AlgorithmKind::heatbath) {
    trajectory.overrelaxation_steps = int(input.algorithm.overrelaxation_steps);
    return trajectory;
  }
  for (const auto& level : input.algorithm.levels)
    trajectory.hmc.levels.push_back({level.scheme(), int(level.steps), level.terms});
  return trajectory;
}

}  // namespace trellis::app
