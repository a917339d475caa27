// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/machine_measurement.hpp"

#include <unistd.h>

#include <algorithm>

#include "trellis/bench/machine/links.hpp"
#include "trellis/bench/machine/machine.hpp"
#include "trellis/bench/model/kernel_fractions.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::bench {

namespace {

constexpr double mebi = 1 << 20;

void do_nothing() {
  parallel_for("nothing", RangePolicy<FieldSpace>(0, FieldSpace::concurrency()), TRELLIS_KERNEL(Index){});
}

double host_memory() { return double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE)); }

// Arrays from the size of a core's cache to sizes that fit in none, by factors of four; all ranks of a machine together
// must need only a fraction of its memory.
std::vector<double> array_sizes(double memory, double largest) {
  if (!fields_on_host) return {largest};
  std::vector<double> sizes;
  for (double bytes = mebi; bytes <= largest && bytes < memory / 8; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

MachineDescription measure_device(const comm::Communicator& ranks, const MachineMeasurement& how) {
  const tuning::TimingParameters timing{5, how.seconds / 3};
  MachineDescription machine;
  machine.name = machine.device = tuning::runs_on();
  machine.devices = ranks.ranks_on_machine();
  machine.cores = int(::sysconf(_SC_NPROCESSORS_ONLN));
  machine.memory_bytes = host_memory();
  machine.device_memory_bytes =
      !fields_on_host ? double(current_device().bytes) : machine.memory_bytes / machine.devices;
  // Other processes may interfere: the best of several medians is what the machine can do.
  constexpr int tries = 3;
  for (const double bytes : array_sizes(machine.device_memory_bytes, how.largest_arrays)) {
    machine.triad.push_back(0);
    for (int n = 0; n < tries; ++n) {
      const Bandwidth w = measure_bandwidth(std::int64_t(bytes), timing);
      machine.triad.back() = std::max(machine.triad.back(), w.best());
      if (n == 0) machine.array_bytes.push_back(double(w.bytes));
    }
  }
  for (int n = 0; n < tries; ++n) {
    const PeakFlops peak = measure_peak_flops(timing);
    machine.single_flops = std::max(machine.single_flops, peak.single);
    machine.double_flops = std::max(machine.double_flops, peak.double_);
  }
  const HostCopies copies = measure_host_copies(timing);
  machine.host_bandwidth = std::min(copies.pinned_to_device, copies.pinned_from_device);
  constexpr int many = 200;
  machine.launch_seconds = tuning::median_seconds(timing,
                                                  [] {
                                                    for (int n = 0; n < many; ++n) do_nothing();
                                                  }) /
                           many;
  machine.wait_seconds = tuning::median_seconds(timing, [] {
    do_nothing();
    fence();
  });
  return machine;
}

// Replaces figures by those of the slowest rank.
void agree(const comm::Communicator& ranks, MachineDescription& machine) {
  const auto least = [&](double& value) {
    std::array<double, 1> negative{-value};
    ranks.maximum("measuring the machine", negative);
    value = -negative[0];
  };
  const auto most = [&](double& value) {
    std::array<double, 1> number{value};
    ranks.maximum("measuring the machine", number);
    value = number[0];
  };
  for (double& value : machine.triad) least(value);
  for (double* value :
       {&machine.single_flops, &machine.double_flops, &machine.device_memory_bytes, &machine.host_bandwidth})
    least(*value);
  for (double* value : {&machine.launch_seconds, &machine.wait_seconds}) most(*value);
}

}  // namespace

MachineDescription measure_machine(const comm::Communicator& ranks, const MachineMeasurement& how) {
  ranks.barrier("measuring the machine");
  MachineDescription machine = measure_device(ranks, how);
  agree(ranks, machine);
  const LinkFigures links = measure_links(ranks);
  machine.inside = links.inside;
  machine.across = links.across;
  if (how.lattice) {
    machine.kernels = measure_kernel_fractions(machine, *how.lattice);
    for (auto& kernel : machine.kernels) {
      std::array<double, 1> negative{-kernel.of_floor};
      ranks.maximum("measuring kernels", negative);
      kernel.of_floor = -negative[0];
    }
  }
  return machine;
}

}  // namespace trellis::bench
