// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.staggered_hadrons] as plain data: correlators of hadrons from the input's flavours of staggered quarks
// (measure/staggered_hadrons.hpp).

#include <cstdint>
#include <string>
#include <vector>

namespace trellis::app {

struct StaggeredHadronInput {         // [measure.staggered_hadrons], if present
  std::int64_t every = 0;             // run only; default: as [measure]; a multiple of it
  std::vector<std::string> flavours;  // names; all flavours if the key is missing or empty
  std::string source = "point";       // from measure::staggered_sources
  std::vector<std::vector<std::int64_t>> source_positions{{0, 0, 0, 0}};
  std::int64_t sources_in_time = 1;                           // copies of each position, evenly spaced
  std::int64_t noise_vectors = 4;                             // for noise sources only
  std::vector<std::vector<std::int64_t>> momenta{{0, 0, 0}};  // or all up to max_momentum_squared
  std::vector<std::string> channels{"pion"};                  // measure::staggered_hadron_names()
  double residual = 1e-10;
  std::int64_t max_iterations = 50000;
};

}  // namespace trellis::app
