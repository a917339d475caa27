// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times whole trajectories of an input on the first ranks of a job.
//
// A chain starts from the input's start and takes the trajectories that `trellis run` would take (measurements,
// reversibility checks and files apart); those of a warm-up are not timed. Its bits do not depend on the ranks, so
// strong scaling does the same work, number by number, on every number of ranks.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "trellis/app/bench/nersc/repeated_links.hpp"
#include "trellis/app/bench/trajectory_options.hpp"
#include "trellis/app/bench/trajectory_parts.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/hmc/trajectory.hpp"
#include "trellis/measure/quark_observables.hpp"

namespace trellis::app {

// What is done with the chain of a case.
struct TimedWork {
  int warm_up = 1, trajectories = 3;
  int threads = 0;                     // per rank; 0: as `trellis run` would choose
  std::optional<AllLinks> start = {};  // instead of the input's: repeated until they fill the lattice
  bool keep_links = false;             // on one rank only
  bool measure_quarks = false;         // what [measure.quarks] asks for, after the last trajectory
  // Called after each trajectory, by all working ranks.
  std::function<void(const hmc::TrajectoryRecord&, double seconds)> tell = {};
};

struct TrajectoryFigure {
  bool strong = true;
  int ranks = 1, threads = 1, lanes = 1;
  Coordinate grid{1, 1, 1, 1}, lattice{}, local{};
  std::vector<double> times;  // of each trajectory, on the slowest rank
  double seconds = 0;         // their median
  double efficiency = 0;      // of a rank, relative to the first figure of its kind of scaling
  // Per trajectory.
  double flops = 0, bytes = 0;  // of all ranks together, as kernels declare them
  PartSeconds parts{};          // averages over ranks and trajectories
  double iterations = 0;        // of conjugate gradients
  // The end of the chain.
  double plaquette = 0, dH = 0;
  std::vector<hmc::TrajectoryRecord> records;         // of the timed trajectories
  AllLinks links;                                     // if they are kept
  std::optional<measure::QuarkMeasurement> quarks{};  // if they are measured

  double mean_seconds() const;  // the sum of the parts
};

// All ranks of the job must call it; the first one's result counts, without its efficiency. Throws what the chain does.
TrajectoryFigure time_trajectories(const comm::Communicator& ranks, const TrajectoryCase& one, const TimedWork& work);

// Sets the efficiencies. Throws Error if two figures of strong scaling do not have the same bits at the end.
void compare(std::vector<TrajectoryFigure>& figures);

}  // namespace trellis::app
