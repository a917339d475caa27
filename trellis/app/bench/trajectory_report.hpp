// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of `trellis bench trajectory`: tables, JSON and a picture.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trellis/app/bench/trajectory_times.hpp"

namespace trellis::app {

// "strong scaling, 32x32x32x48"; weak: "weak scaling, 32x32x32x48 a rank".
std::string trajectory_title(const TrajectoryFigure& figure);
std::string trajectory_heading();
// With the efficiency, unless nothing is compared.
std::string trajectory_line(const TrajectoryFigure& figure);

nlohmann::ordered_json to_json(const TrajectoryFigure& figure);

// By number of ranks: GFLOP/s and GB/s of all ranks together, efficiency, and the parts of the time.
std::string trajectory_picture(const std::string& title, const std::vector<TrajectoryFigure>& figures);

}  // namespace trellis::app
