// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's input as the planner sees it.

#include <optional>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/bench/model/planned_trajectory.hpp"

namespace trellis::measure {
struct GaugeSelection;
}

namespace trellis::app {

class PlanInput {
 public:
  // Computes rational approximations, which takes a few tenths of a second with quarks. Throws InputError if there are
  // none.
  explicit PlanInput(const RunInput& input);

  const RunInput& input() const { return input_; }
  // With their rational approximations.
  const std::vector<hmc::QuarkTerm>& quarks() const { return quarks_; }
  // The solves of a trajectory with bounds on their iterations; none without quarks.
  std::vector<bench::SolveWork> solves() const;
  // With these iterations. Includes measuring the loops that every row of the table has. Its memory includes that of
  // other observables of links, flow, smoothings, Wilson loops and glueballs, which are measured beside what the chain
  // keeps, and is that of the measurements of quarks if they need more, or of the choice of an algorithm, if there is
  // one to come and it does.
  bench::PlannedTrajectory trajectory(const std::vector<bench::SolveWork>& solves) const;
  // Bytes per site, of a chain without measurements of quarks; and of [measure.quarks], [measure.hadrons] and
  // [measure.staggered_hadrons] with so many noise vectors at once, and the links: what a run needs after it has freed
  // the chain's other fields. Zero if nothing of this is measured.
  double chain_bytes() const;
  double measuring_bytes(int noise_vectors) const;

 private:
  bench::PlannedTrajectory chain(const std::vector<bench::SolveWork>& solves,
                                 const measure::GaugeSelection& selection) const;
  std::vector<bench::FieldMemory> measuring(int noise_vectors) const;
  // While the algorithm is chosen: a trajectory of the candidate that needs most, with the forces of all its terms.
  std::vector<bench::FieldMemory> choosing() const;

  const RunInput& input_;
  std::vector<hmc::QuarkTerm> quarks_;
  mutable std::optional<std::vector<bench::FieldMemory>> choosing_ = {};  // computed once
};

}  // namespace trellis::app
