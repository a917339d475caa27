// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of `trellis bench nersc`: text and JSON.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "trellis/app/bench/nersc/nersc_input.hpp"
#include "trellis/app/bench/trajectory_times.hpp"

namespace trellis::app {

struct NerscRun {
  NerscCase which;
  RunInput input = {};     // of the whole lattice
  std::string start = {};  // how the links were made
  TrajectoryFigure figure = {};

  double seconds() const;  // of the trajectories together: the benchmark's figure
};

// What is about to run, and how it differs from the published benchmark.
std::string nersc_introduction(const NerscRun& run);
// "  18x18x18x36  trajectory 3   12.3 s   dH = 0.123".
std::string nersc_trajectory_line(const std::string& lattice, const hmc::TrajectoryRecord& record, double seconds);
// Times, their parts, solves by term, condensates, and the published times.
std::string nersc_text(const NerscRun& run);
nlohmann::ordered_json to_json(const NerscRun& run);

}  // namespace trellis::app
