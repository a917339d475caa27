// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A machine as plans see it: what its devices and links do, measured (machine_measurement.hpp) or taken from a data
// sheet, and how near to that each kernel comes. A device is what a rank runs on: a GPU, or the cores that a rank has.
// Bytes, seconds, bytes/s, flops/s.

#include <optional>
#include <string>
#include <vector>

#include "trellis/comm/process_grid.hpp"

namespace trellis::bench {

// The part that a kernel reaches of its floor, which is the larger of bytes / bandwidth and flops / peak.
struct KernelFraction {
  std::string kernel;
  bool single = false;
  double of_floor = 0;
};

struct LinkDescription {
  double latency = 0;    // from the call that sends a few bytes to their arrival
  double bandwidth = 0;  // one way, of each device, while it receives as much and all others do the same
};

struct MachineDescription {
  std::string name;
  int devices = 1;          // of a machine
  int cores = 0;            // of a machine; 0: not known
  double memory_bytes = 0;  // of a machine, its host's; 0: not known

  std::string device;
  double device_memory_bytes = 0;
  std::vector<double> array_bytes, triad;  // bandwidths of arrays that have this many bytes together, ascending
  double single_flops = 0, double_flops = 0;
  double launch_seconds = 0;  // a kernel that does nothing, one after the other
  double wait_seconds = 0;    // one alone, until the host knows that it ended
  double host_bandwidth = 0;  // to and from the host, through which messages to other machines pass; 0: they do not

  std::optional<LinkDescription> inside, across;  // between devices of a machine, of different ones
  std::vector<KernelFraction> kernels;
  double other_kernels = 0.5;  // of the floor: kernels that are not in the list

  // Triad of arrays that have this many bytes together: between two measured ones in proportion to the logarithm of the
  // size, beyond the smallest and the largest as these.
  double bandwidth(double bytes) const;
  // The host gives kernels while the device computes others (a GPU): it then costs far more to wait for one than to
  // give one. Launches of a host are part of its computing.
  bool is_asynchronous() const { return wait_seconds > 2 * launch_seconds; }
  double peak(bool single) const { return single ? single_flops : double_flops; }
  double of_floor(const std::string& kernel, bool single) const;
  // Of a job of this many devices. Throws InputError where links are needed and not described.
  comm::LinkCost link_cost(int devices) const;
};

}  // namespace trellis::bench
