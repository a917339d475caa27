// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether other work takes cores away from this process. For every thread, Linux counts how long it ran and how long it
// was ready to run but had to wait for a core (/proc/self/task/*/schedstat); /proc/stat counts what the host of a
// virtual machine took. A thread that waits because it has nothing to do counts for neither, so an idle machine shows
// almost nothing, and so does a busy one with free cores. If the system provides no counts, nothing is lost and nothing
// is reported.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "trellis/core/stopwatch.hpp"

namespace trellis::app {

// Counted from arbitrary starting points; only differences matter.
struct CoreTimes {
  double running = 0, waiting = 0;  // seconds, of all threads of this process
  double used = 0, stolen = 0;      // by the machine's cores, in clock ticks (sysconf(_SC_CLK_TCK) per second)
};
CoreTimes core_times();

// The fraction of the time between two moments in which threads had work to do but did not get a core.
double share_lost(const CoreTimes& from, const CoreTimes& to);

// "8 ranks of this job with 1 thread each share 2 cores", if these are more threads than cores, so that the job itself
// is what its threads wait for; otherwise, and for 0 cores, which are not known, empty.
std::string crowd_text(int ranks, int threads, int cores);

// For a run; asked between trajectories.
class OtherWork {
 public:
  explicit OtherWork(std::string crowd = "") : crowd_(std::move(crowd)) {}
  // The fraction lost since the last look, at most once every five seconds; asking is cheap.
  std::optional<double> look();
  // The message to print, if the loss is a fifth or more; not repeated for an hour.
  std::optional<std::string> news(double lost);
  // Lost since the beginning.
  double share() const { return share_lost(begin_, core_times()); }

 private:
  std::string crowd_;
  CoreTimes begin_ = core_times(), last_ = begin_;
  Stopwatch since_last_, since_said_;
  bool said_ = false;
};

// For the end of a run; empty below a tenth. crowd: crowd_text().
std::string describe_lost(double share, const std::string& crowd = "");

// The parsers behind core_times(), for tests: one adds a thread's schedstat, one takes the first line of /proc/stat.
void add_thread(std::string_view schedstat, CoreTimes& times);
void read_machine(std::string_view stat, CoreTimes& times);

}  // namespace trellis::app
