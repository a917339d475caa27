// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the time of a run divides among its kernels, and how far each is from the machine's limit.
//
// Rates follow from what a kernel says of itself (core/profile/profile.hpp): the least bytes that must move and the
// usual count of flops, over its time. They are held against what the same threads reached in the same call of the
// program: triad bandwidth and fused multiply-adds of the kernel's precision. A kernel that finds its numbers in a
// cache can move them faster than the bandwidth: its fraction then exceeds 1.

#include <string>

#include "trellis/core/profile/profile.hpp"

namespace trellis::app {

// Bytes and flops a second.
struct MachineLimits {
  int threads = 1;         // 0: the GPU
  double array_bytes = 0;  // of what the bandwidths were measured on
  double copy = 0, triad = 0;
  double single = 0, double_ = 0;

  double peak(bool is_single) const { return is_single ? single : double_; }
};

// Measures them in some hundredth of a second (a tenth, for large fields), with the threads in use, on arrays of
// `field_bytes` together, but not less than 4 MiB nor more than 192 MiB.
MachineLimits measure_limits(double field_bytes);

// Kernels that took a percent of `seconds` or more, at most twelve, the longest first; what the others took together,
// and what was spent outside kernels. Empty if nothing was counted. Lines of 100 characters at most.
std::string kernel_text(std::vector<KernelTotals> kernels, double seconds, const MachineLimits& limits);

// All kernels as CSV, the longest first, and last "outside kernels":
//   kernel, precision, calls, seconds, share, gbytes_per_second, of_bandwidth, gflops_per_second, of_peak
// Shares and fractions are of 1. A cell is empty where the kernel says nothing of bytes or flops.
std::string kernel_csv(std::vector<KernelTotals> kernels, double seconds, const MachineLimits& limits);

}  // namespace trellis::app
