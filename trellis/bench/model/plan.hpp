// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trajectory on N devices of a machine that is described: who has which part of the lattice, what that takes of
// memory, and for how long. A kernel takes
//   computing   max(bytes / bandwidth, flops / peak) / (the part of it that the kernel reaches), on a device's part
//   messages    n latency + bytes / bandwidth of the links, packing and unpacking; what can be done while inner sites
//               are computed costs only as far as it takes longer than these
//   sums        log2(N) latencies, and the host that waits for the device
//   launches    of the kernel and its parts, of packing and unpacking; on a GPU what is beyond its computing
// one after the other. GPUs of one machine write into one another's memory, without their hosts; else messages of a GPU
// pass through its host. All devices are alike, and nobody else is there.

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/bench/model/planned_trajectory.hpp"

namespace trellis::bench {

struct Share {
  double computing = 0, messages = 0, sums = 0, launches = 0;  // seconds
  double total() const { return computing + messages + sums + launches; }
  Share& operator+=(const Share& other);
};

struct KernelTime {
  std::string name;
  bool single = false;
  double calls = 0;             // in a trajectory
  double bytes = 0, flops = 0;  // that a device moves and does in a trajectory
  double halo_bytes = 0;        // that it sends
  Share seconds;                // in a trajectory
};

struct DevicePlan {
  int devices = 1, machines = 1;
  Coordinate grid{1, 1, 1, 1}, block{};
  std::vector<std::pair<std::string, double>> memory;  // bytes of a device, by field; the last one are messages
  std::vector<KernelTime> kernels;                     // the longest first
  Share seconds;                                       // of a trajectory
  double halo_bytes = 0;                               // that a device sends in a trajectory

  double memory_bytes() const;
};

// Computing of one call of a kernel on this many sites.
double computing_seconds(const MachineDescription& machine, const KernelWork& work, double sites);

// On the grid of ranks that is fastest of those whose exchange of vectors is cheapest (comm/process_grid.hpp).
// Throws InputError where the lattice does not divide over that many devices, or links are not described.
DevicePlan plan(const Coordinate& size, const PlannedTrajectory& trajectory, const MachineDescription& machine,
                int devices);

}  // namespace trellis::bench
