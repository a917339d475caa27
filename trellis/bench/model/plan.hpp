// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trajectory on N devices of a given machine: which part of the lattice each device has, how much memory that takes,
// and how long it takes. The time of a kernel is the sum of
//   computing   max(bytes / bandwidth, flops / peak) / (the kernel's efficiency), on a device's part
//   messages    n latency + bytes / bandwidth of the links, packing and unpacking; if they overlap with work on inner
//               sites, only the time that exceeds that work
//   sums        log2(N) latencies, and the host's wait for the device
//   launches    of the kernel and its parts, of packing and unpacking; on a GPU only what exceeds computing
// GPUs of one machine write into one another's memory, without their hosts; otherwise messages of a GPU pass through
// its host. All devices are alike, and have the machines to themselves.

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
  double calls = 0;             // per trajectory
  double bytes = 0, flops = 0;  // per device and trajectory
  double halo_bytes = 0;        // that a device sends
  Share seconds;                // per trajectory
};

struct DevicePlan {
  int devices = 1, machines = 1;
  Coordinate grid{1, 1, 1, 1}, block{};
  std::vector<std::pair<std::string, double>> memory;  // bytes per device, by field; messages come last
  std::vector<KernelTime> kernels;                     // the longest first
  Share seconds;                                       // per trajectory
  double halo_bytes = 0;                               // that a device sends per trajectory

  double memory_bytes() const;
};

// Computing time of one call of a kernel on this many sites.
double computing_seconds(const MachineDescription& machine, const KernelWork& work, double sites);

// Uses the fastest of those grids of ranks whose exchange of vectors is cheapest (comm/process_grid.hpp). Throws
// InputError if the lattice does not divide over that many devices, or links are not described.
DevicePlan plan(const Coordinate& size, const PlannedTrajectory& trajectory, const MachineDescription& machine,
                int devices);

}  // namespace trellis::bench
