// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the machine can do, measured: the ceilings that every other figure is held against. Bandwidths in bytes a
// second, counting what the program asks for: copy 16 bytes an element, triad a = b + s c 24; an ordinary store also
// reads the line it writes, which is not counted. The streaming forms store past the caches. Peak: independent fused
// multiply-adds in registers, 2 flops each. All threads of the default host space.

#include <cstdint>

#include "trellis/bench/timing.hpp"

namespace trellis::bench {

struct Bandwidth {
  std::int64_t bytes = 0;  // of all arrays together
  double copy = 0, copy_streaming = 0, triad = 0, triad_streaming = 0, read = 0;
  // The larger of the triads: the ceiling for kernels that read more than they write.
  double best() const { return triad_streaming > triad ? triad_streaming : triad; }
};

// Arrays of `bytes` together, so that figures for data that fits a cache can be compared with it.
Bandwidth measure_bandwidth(std::int64_t bytes, const TimingParameters& timing);

struct PeakFlops {
  double single = 0, double_ = 0;
};
PeakFlops measure_peak_flops(const TimingParameters& timing);

}  // namespace trellis::bench
