// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [gauge_fixing] of `trellis measure` as plain data (gauge/fixing/gauge_fixing.hpp): the gauge in which hadrons are
// measured and links are saved.

#include <cstdint>
#include <string>

namespace trellis::app {

struct GaugeFixingInput {  // [gauge_fixing], if present
  std::string gauge;       // required; from gauge::gauges
  double residual = 1e-12;
  double overrelaxation = 1.7;  // 1 to 1.99
  std::int64_t max_iterations = 20000;
  bool save = false;  // the transformed links of every file
};

}  // namespace trellis::app
