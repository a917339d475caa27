// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.wilson_loops] and [measure.glueballs] as plain data (measure/loops/).

#include <cstdint>
#include <string>
#include <vector>

namespace trellis::app {

struct WilsonLoopInput {                          // [measure.wilson_loops], if present
  std::int64_t every = 0;                         // run only; default: as [measure]; a multiple of it
  std::vector<std::string> directions{"100"};     // of measure::loop_directions()
  std::int64_t distance = 4, time = 4;            // the longest
  std::int64_t boundary_distance = 0;             // of their slices, from boundaries in time
  double ape_alpha = 0.5;                         // smearing of links in space
  std::vector<std::int64_t> ape_levels{0};        // ascending
  std::string time_links = "plain";               // or "hyp"
  std::vector<double> hyp_alpha{0.75, 0.6, 0.3};  // with "hyp"
};

struct GlueballInput {     // [measure.glueballs], if present
  std::int64_t every = 0;  // run only; default: as [measure]; a multiple of it
  double ape_alpha = 0.5;
  std::vector<std::int64_t> ape_levels{0, 4, 8, 16};  // ascending
};

}  // namespace trellis::app
