// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A machine as plans see it: what its devices and links can do, measured (machine_measurement.hpp) or from a data
// sheet, and how close each kernel comes to that. A device is what a rank runs on: a GPU, or a rank's share of the
// cores. Units: bytes, seconds, bytes/s, flops/s.

#include <optional>
#include <string>
#include <vector>

#include "trellis/comm/process_grid.hpp"

namespace trellis::bench {

// The efficiency of a kernel: its floor, the larger of bytes / bandwidth and flops / peak, divided by its time.
struct KernelFraction {
  std::string kernel;
  bool single = false;
  double of_floor = 0;
};

struct LinkDescription {
  double latency = 0;    // from the call that sends a few bytes until they arrive
  double bandwidth = 0;  // one way, per device, while it receives as much and all others do the same
};

struct MachineDescription {
  std::string name;
  int devices = 1;          // per machine
  int cores = 0;            // per machine; 0: unknown
  double memory_bytes = 0;  // per machine, host memory; 0: unknown

  std::string device;
  double device_memory_bytes = 0;
  std::vector<double> array_bytes, triad;  // bandwidths with arrays of this many bytes in total, ascending
  double single_flops = 0, double_flops = 0;
  double launch_seconds = 0;  // an empty kernel, in a sequence of them
  double wait_seconds = 0;    // a single one, until the host knows that it has ended
  double host_bandwidth = 0;  // to and from the host, if messages to other machines pass through it; otherwise 0

  std::optional<LinkDescription> inside, across;  // between devices of one machine, of different machines
  std::vector<KernelFraction> kernels;
  double other_kernels = 0.5;  // efficiency of kernels that are not in the list

  // Triad bandwidth for arrays of this many bytes in total: interpolated in the logarithm of the size, and constant
  // beyond the smallest and the largest measured size.
  double bandwidth(double bytes) const;
  // The host launches kernels while the device runs earlier ones (a GPU): then waiting for one takes far longer than
  // launching one. On a host, launches count as computing.
  bool is_asynchronous() const { return wait_seconds > 2 * launch_seconds; }
  double peak(bool single) const { return single ? single_flops : double_flops; }
  double of_floor(const std::string& kernel, bool single) const;
  // For a job with this many devices. Throws InputError if links are needed and not described.
  comm::LinkCost link_cost(int devices) const;
};

}  // namespace trellis::bench
