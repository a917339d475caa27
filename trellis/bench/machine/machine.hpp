// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the machine can do, measured: the ceilings for all other figures. Bandwidths in bytes per second, counting what
// the program asks for: copy 16 bytes per element, triad a = b + s c 24; an ordinary store also reads the line it
// writes, which is not counted. The streaming versions store past the caches. Peak: independent fused multiply-adds in
// registers, 2 flops each. For the default execution space: all threads of a host, or the GPU (machine_device.hpp),
// where figures say nothing about data that fits in a cache.

#include <cstdint>

#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct Bandwidth {
  std::int64_t bytes = 0;  // all arrays together
  double copy = 0, copy_streaming = 0, triad = 0, triad_streaming = 0, read = 0;
  double write = 0;  // streaming
  // The larger of the two triads: the ceiling for kernels that read more than they write.
  double best() const { return triad_streaming > triad ? triad_streaming : triad; }
};

// With arrays of `bytes` in total, so that figures for data that fits in a cache have a suitable reference.
Bandwidth measure_bandwidth(std::int64_t bytes, const tuning::TimingParameters& timing);

struct PeakFlops {
  double single = 0, double_ = 0;
};
PeakFlops measure_peak_flops(const tuning::TimingParameters& timing);

// deep_copy between the host and the GPU, with ordinary Views and with pinned host memory. Zeroes if kernels run on a
// host.
struct HostCopies {
  std::int64_t bytes = 0;  // per copy
  double to_device = 0, from_device = 0, pinned_to_device = 0, pinned_from_device = 0;
};
HostCopies measure_host_copies(const tuning::TimingParameters& timing);

}  // namespace trellis::bench
