// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long each way takes for one kernel and group size. Every way is first checked against plain C++. Then there are
// nine rounds in which the ways run one after the other, so that disturbances hit all of them equally; slow ways stop
// after the third round once their time is used up. The median of the rounds is reported.

#include <string>
#include <vector>

#include "bench/spmd/open_cl.hpp"
#include "bench/spmd/problem.hpp"

namespace trellis::bench::spmd {

struct Measurement {
  std::string way;     // "fibers", "PoCL loops", "by hand"
  Work work;           // per launch
  double seconds = 0;  // per launch, median
  double ns_per_item() const { return seconds * 1e9 / double(work.items); }
  double gflops() const { return work.flops * double(1e-9) / seconds; }
  double gigabytes() const { return work.bytes * double(1e-9) / seconds; }
};

struct Result {
  std::string kernel;
  bool has_barriers = true;
  int group = 0;
  std::vector<Measurement> measurements;
  const Measurement* find(const std::string& way) const;  // null if not measured
  const Measurement* best_pocl() const;
  const Measurement* by_hand() const;  // or the library's own kernel
};

struct Plan {
  std::vector<std::string> ways;  // from way_names()
  double seconds = 0.3;           // for each way
  Index items = 0;                // 0: the kernel's own number
  // Measure the process's time on all cores instead of wall-clock time, so other programs on the core do not count. For
  // one thread.
  bool cpu_time = false;
};

// "threads", "fibers", "fission", "continuations", "pocl-loops" and PoCL's other methods,
// "hierarchical", "by-hand", "production"; as available.
std::vector<std::string> way_names(const OpenClDevice* device);

// The same way without the plugin's analysis of uniform values, of contiguous ones, and of both:
// "fission-no-uniform", "fission-no-contiguous", "fission-no-analyses". Empty for ways that are not the plugin's.
std::vector<std::string> ablations_of(const std::string& way);

// The kernels that have them.
std::vector<std::string> ablated_kernels();

// Throws Error if a result is wrong. `device` may be null.
Result measure(const KernelEntry& kernel, int group, const Plan& plan, OpenClDevice* device);

}  // namespace trellis::bench::spmd
