// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The last sentence of a benchmark: whether its figures can be trusted, and whether they are normal.
//
// Not to be trusted, if while it ran: threads that had work waited at least a tenth of the time for a core; other
// processes used at least a tenth of the machine's cores (they share memory bandwidth even if cores were free); the
// rate of multiply-adds in registers, which nothing in memory can affect, was at the end more than 15 % off that at the
// start; or half of the figures are more than 30 % above the limit measured beside them (on a GPU where nothing else is
// wrong, it says that there is no limit). Otherwise they are normal
// if the median kernel reaches at least 20 % of its limit: in docs/performance.md, the median of the gauge kernels is
// 28 to 41 %, and more for Dirac operators.

#include <functional>
#include <string>
#include <vector>

#include "trellis/app/job/other_work.hpp"

namespace trellis::app {

struct Disturbance {
  double lost = 0;    // fraction of the time that threads waited for a core
  double others = 0;  // fraction of the machine's cores that other processes used
  double drift = 0;   // relative change of the machine's peak
};

// With an empty line before it and a line end. of_limit: each kernel's speed, as a fraction of what the machine allows.
std::string verdict(const Disturbance& found, const std::vector<double>& of_limit);

// Watches the machine from its construction on. `first_peak` and what `peak` measures again at the end are in flops per
// second; look() calls `peak`, and takes as long. For programs of one rank: other ranks would count as other processes.
class BenchWatch {
 public:
  BenchWatch(double first_peak, std::function<double()> peak);
  Disturbance look() const;

 private:
  double first_peak_;
  std::function<double()> peak_;
  OtherWork own_;
  CoreTimes begin_;
  double cpu_seconds_;
  Stopwatch watch_;
};

}  // namespace trellis::app
