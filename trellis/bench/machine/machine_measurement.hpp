// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A MachineDescription of this machine, measured: each rank measures its device while all others do the same.

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct MachineMeasurement {
  double seconds = 0.2;               // the least time of each figure
  double largest_arrays = 1 << 30;    // bytes, of triads
  std::optional<Coordinate> lattice;  // on which kernels are measured, of each rank; none: kernels are left out
};

// All ranks call it; all get the same.
MachineDescription measure_machine(const comm::Communicator& ranks, const MachineMeasurement& how);

}  // namespace trellis::bench
