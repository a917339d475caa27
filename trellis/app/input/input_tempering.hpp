// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [tempering]: parallel tempering on boundary conditions (hmc/tempering/tempering.hpp).

#include <cstdint>
#include <vector>

#include "trellis/hmc/tempering/tempering.hpp"

namespace trellis::app {

struct TemperingInput {           // if present
  std::vector<double> couplings;  // of the replicas, from 1 down; or `replicas` of them, evenly spaced down to 0
  std::int64_t length = 0;        // of the defect, required: at most each extent of the other directions
  int direction = 0;              // "x", "y", "z" or "t": of the links across the boundary
  // box_margins, box_sweeps and box_overrelaxation_steps: of pure gauge theory without parallelograms
  std::vector<hmc::BoxLevel> boxes;
  std::int64_t box_overrelaxation_steps = 4;
  hmc::TemperingParameters parameters() const {
    return {{direction, static_cast<int>(length)}, couplings, boxes, static_cast<int>(box_overrelaxation_steps)};
  }
};

}  // namespace trellis::app
