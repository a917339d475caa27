// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's input as plans see it.

#include "trellis/app/input/input.hpp"
#include "trellis/bench/model/planned_trajectory.hpp"

namespace trellis::app {

class PlanInput {
 public:
  // Computes rational approximations: some tenths of a second with quarks. Throws InputError where there are none.
  explicit PlanInput(const RunInput& input);

  // The solves of a trajectory with the bounds of their iterations; none without quarks.
  std::vector<bench::SolveWork> solves() const;
  // With these iterations. The loops that each row of the table has are measured, too.
  bench::PlannedTrajectory trajectory(const std::vector<bench::SolveWork>& solves) const;

 private:
  const RunInput& input_;
  std::vector<hmc::QuarkTerm> quarks_;
};

}  // namespace trellis::app
