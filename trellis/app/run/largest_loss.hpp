// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a run lost most time, and what would help: one sentence, from the run's own times and kernels.
//
// What counts as lost, as a fraction of the time of this call:
//   configurations, checkpoints, rows of tables    the time that writing them took
//   each table of [measure], reversibility checks, the certificate  the time that they took
//   rejected trajectories          what the shorter steps that are best would save of the time of accepted ones, if dH
//   is
//                                  of the order of h^2
//   forces (with quarks: solves for the force of a term)  a quarter of their time, if at least 95 % of at least 20
//       trajectories were accepted: 1 - acceptance is of the order of dH, hence of h^2 or h^4 with steps of length h,
//       so that 90 % take 0.7 or 0.84 times as many steps as 95 %
//   other work on the machine, too many threads    the time that threads waited for a core
//   outside kernels                                all but kernels and files
//   slow kernels                                   what they would take less at the machine's limits, if somebody set
//                                                  the number of threads, on a lattice for which the program would try
// A key is named only if changing it can help: nothing is said of a loss that no key and no other machine would
// reduce, nor of one below a tenth.

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/run/kernel_table.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/profile/profile.hpp"

namespace trellis::app {

struct RunCircumstances {
  int ranks = 1;
  int cores = 0;                    // that this process may use (shared_cores()); 0: unknown
  std::int64_t local_sites = 0;     // of a rank
  std::string threads_set_by = {};  // ThreadChoice::set_by()
  std::int64_t counted = 0;         // trajectories after thermalisation
  double acceptance = 0;            // of these; 0 for a heatbath
  bool chosen = false;              // the algorithm, by kind = "auto"
};

inline constexpr double least_loss = 0.1;

// "28 % of the time went into saving configurations: raise chain.save_every (now 1)"; empty if no loss is large enough.
std::string largest_loss(const RunInput& input, const RunTimes& times, const std::vector<KernelTotals>& kernels,
                         const MachineLimits& limits, const RunCircumstances& found);

}  // namespace trellis::app
