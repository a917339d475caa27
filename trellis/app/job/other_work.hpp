// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether other work takes the cores from this process. Linux counts for every thread how long it ran, and how long it
// was ready to run but had to wait for a core (/proc/self/task/*/schedstat); /proc/stat counts what a virtual machine's
// host took. A thread that waits because it has nothing to do counts for neither, so that an idle machine shows next to
// nothing, and so does a busy one that has cores left. Where the system does not say, nothing is lost, and nothing
// said.

#include <optional>
#include <string>
#include <string_view>

#include "trellis/core/stopwatch.hpp"

namespace trellis::app {

// Since beginnings that do not matter; differences do.
struct CoreTimes {
  double running = 0, waiting = 0;  // seconds, of all threads of this process
  double used = 0, stolen = 0;      // of the machine's cores, in any unit
};
CoreTimes core_times();

// The share of the time that the threads had work, from one moment to another, in which they did not get a core.
double share_lost(const CoreTimes& from, const CoreTimes& to);

// For a run, between trajectories.
class OtherWork {
 public:
  // The share that was lost since the last look, once in five seconds; asking is cheap.
  std::optional<double> look();
  // What to say of it: when it is a fifth or more, and not again for an hour.
  std::optional<std::string> news(double lost);
  // Lost since the beginning.
  double share() const { return share_lost(begin_, core_times()); }

 private:
  CoreTimes begin_ = core_times(), last_ = begin_;
  Stopwatch since_last_, since_said_;
  bool said_ = false;
};

// For the end of a run; empty below a tenth.
std::string describe_lost(double share);

// A line below the figures of a benchmark; empty below a tenth.
std::string disturbed_text(const OtherWork& since);

// What core_times() reads, for tests: adds a thread's schedstat, takes the first line of /proc/stat.
void add_thread(std::string_view schedstat, CoreTimes& times);
void read_machine(std::string_view stat, CoreTimes& times);

}  // namespace trellis::app
