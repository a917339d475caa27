// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a run's time is divided among its kernels, and how close each is to the machine's limit.
//
// Rates follow from what a kernel declares (core/profile/profile.hpp): the minimum bytes that must move and the usual
// flop count, divided by its time. They are compared with what the same threads reached in the same call of the
// program: triad bandwidth, and fused multiply-adds in the kernel's precision. A kernel that finds its numbers in a
// cache can exceed the bandwidth: its fraction is then above 1.

#include <string>

#include "trellis/core/profile/profile.hpp"

namespace trellis::app {

// Bytes and flops per second.
struct MachineLimits {
  int threads = 1;         // 0: the GPU
  double array_bytes = 0;  // on which the bandwidths were measured
  double copy = 0, triad = 0;
  double single = 0, double_ = 0;

  double peak(bool is_single) const { return is_single ? single : double_; }
};

// Takes a few hundredths of a second (a tenth for large fields), with the threads in use, on arrays of `field_bytes` in
// total, but at least 4 MiB and at most 192 MiB.
MachineLimits measure_limits(double field_bytes);

// Kernels that took at least one percent of `seconds`, at most twelve, the longest first; the total of the others; and
// the time outside kernels. Empty if nothing was counted. Lines have at most 100 characters.
std::string kernel_text(std::vector<KernelTotals> kernels, double seconds, const MachineLimits& limits);

// All kernels as CSV, the longest first, and finally "outside kernels":
//   kernel, precision, calls, seconds, share, gbytes_per_second, of_bandwidth, gflops_per_second, of_peak
// Shares and fractions are relative to 1. A cell is empty if the kernel declares no bytes or flops.
std::string kernel_csv(std::vector<KernelTotals> kernels, double seconds, const MachineLimits& limits);

}  // namespace trellis::app
