// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the machine can do, measured: the ceilings that every other figure is held against. Bandwidths in bytes a
// second, counting what the program asks for: copy 16 bytes an element, triad a = b + s c 24; an ordinary store also
// reads the line it writes, which is not counted. The streaming forms store past the caches. Peak: independent fused
// multiply-adds in registers, 2 flops each. Of the default execution space: all threads of a host, or the GPU
// (machine_device.hpp), of which figures say nothing about data that fits a cache.

#include <cstdint>

#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct Bandwidth {
  std::int64_t bytes = 0;  // of all arrays together
  double copy = 0, copy_streaming = 0, triad = 0, triad_streaming = 0, read = 0;
  double write = 0;  // streaming
  // The larger of the triads: the ceiling for kernels that read more than they write.
  double best() const { return triad_streaming > triad ? triad_streaming : triad; }
};

// Arrays of `bytes` together, so that figures for data that fits a cache can be compared with it.
Bandwidth measure_bandwidth(std::int64_t bytes, const tuning::TimingParameters& timing);

struct PeakFlops {
  double single = 0, double_ = 0;
};
PeakFlops measure_peak_flops(const tuning::TimingParameters& timing);

// deep_copy between the host and the GPU, of Views as they are and of such in memory that is locked in place. Zeroes
// where kernels run on a host.
struct HostCopies {
  std::int64_t bytes = 0;  // of each copy
  double to_device = 0, from_device = 0, pinned_to_device = 0, pinned_from_device = 0;
};
HostCopies measure_host_copies(const tuning::TimingParameters& timing);

}  // namespace trellis::bench
