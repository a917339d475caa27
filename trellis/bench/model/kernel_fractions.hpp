// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which part of its floor each kernel of a trajectory reaches: real trajectories on a lattice of some thousand sites,
// pure gauge theory and 2+1 flavours in double precision and with solvers in single, timed kernel by kernel and held
// against what a machine's bandwidth and peak allow for the same calls (plan.hpp).

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::bench {

// kernels and other_kernels of the machine are not read. Some seconds on two cores and 16^4.
std::vector<KernelFraction> measure_kernel_fractions(const MachineDescription& machine, const Coordinate& size);

}  // namespace trellis::bench
