// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The efficiency of each kernel of a trajectory: real trajectories on a lattice of some thousand sites, pure gauge and
// 2+1 flavours in double precision and with solvers in single, timed kernel by kernel and compared with what a
// machine's bandwidth and peak allow for the same calls (plan.hpp).

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::bench {

// The machine's kernels and other_kernels are not used. Takes some seconds on two cores and 16^4.
std::vector<KernelFraction> measure_kernel_fractions(const MachineDescription& machine, const Coordinate& size);

}  // namespace trellis::bench
