// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of `trellis bench scaling`: tables, JSON and a picture.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trellis/bench/scaling.hpp"

namespace trellis::app {

struct ScalingResult {
  bench::ScalingSeries series;
  std::vector<bench::ScalingFigure> figures;
};

// "strong scaling, 24x24x24x24, double"
std::string scaling_title(const bench::ScalingSeries& series);
std::string scaling_heading();
std::string scaling_lines(const ScalingResult& result);
// The links between ranks, one line for each number of ranks.
std::string wire_lines(const std::vector<int>& ranks, const std::vector<bench::Wire>& wires);

nlohmann::ordered_json to_json(const ScalingResult& result);
nlohmann::ordered_json to_json(int ranks, const bench::Wire& wire);

// For each lattice and precision, and separately for forces, GFLOP/s of all ranks with what they would be if ranks cost
// nothing, and efficiencies, measured and modelled.
std::string scaling_picture(const std::vector<ScalingResult>& results);

}  // namespace trellis::app
