// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a chain says at its end, on the console and in the log: why it ends, averages, times of parts and kernels, the
// largest loss, and where its results are. For the first rank.

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/run_results.hpp"
#include "trellis/app/run/kernel_table.hpp"
#include "trellis/app/run/largest_loss.hpp"
#include "trellis/app/run/run_report.hpp"

namespace trellis::app {

// Of the trajectories of this call.
struct ChainEnding {
  bool all = false;            // all trajectories of the input are done
  const std::string& reason;   // why it ends, otherwise
  const std::string& precise;  // not empty: the results are as precise as asked
  const RunTimes& times;
  std::vector<KernelTotals> kernels;
  const MachineLimits& limits;
  RunCircumstances circumstances;
  std::string certificate, filter;  // what they have found; may be empty
  const std::string& command;       // which continues
};

struct EndOfChain {
  const RunInput& input;
  const RunFolder& folder;
  const ObservableColumns& columns;
  const RunResults& results;
  const Console& console;
  const std::string& program;
  std::uint32_t completed;

  void report(const ChainEnding& ending) const;
  // That the chain was finished before this call. precise: as of ChainEnding.
  void say_finished(const std::string& precise) const;
  // With the masses of hadrons.
  void say_averages() const;
  // Where the results are, after `more`.
  void say_files(const std::string& more) const;
};

}  // namespace trellis::app
