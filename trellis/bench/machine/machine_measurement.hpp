// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures a MachineDescription of this machine: each rank measures its device while all others do the same.

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct MachineMeasurement {
  double seconds = 0.2;               // minimal time for each figure
  double largest_arrays = 1 << 30;    // bytes, for triads
  std::optional<Coordinate> lattice;  // each rank's lattice for measuring kernels; if empty, kernels are left out
};

// All ranks must call it; all get the same result.
MachineDescription measure_machine(const comm::Communicator& ranks, const MachineMeasurement& how);

}  // namespace trellis::bench
