// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a chain shows of itself while it goes on: the progress line, the live report, and messages, such as those about
// other work on the machine, to which the number of threads then adapts.

#include <functional>
#include <string>

#include "trellis/app/job/other_work.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/report/live_report.hpp"
#include "trellis/app/run/chain/run_log.hpp"

namespace trellis::app {

class ChainProgress {
 public:
  // total: trajectories of the chain, of which `completed` are done. live: null if nobody wants it. crowd:
  // crowd_text().
  ChainProgress(const RunLog& log, ThreadChoice& threads, LiveReport* live, std::uint32_t total,
                std::uint32_t completed, const std::string& crowd);

  // A line of its own.
  void message(const std::string& text) { line_.message(text); }
  // The same, also in the log.
  void tell(const std::string& text);

  // After each trajectory. seconds_left: of the time budget; details: for the progress line, asked for if it is due.
  void show(std::uint32_t completed, double seconds_left, const std::function<std::string()>& details);
  void end() { line_.end(); }

  // Of the time so far, the fraction in which threads waited for a core.
  double share_lost() const { return other_work_.share(); }

 private:
  void look_at_other_work();

  const RunLog& log_;
  ThreadChoice& threads_;
  LiveReport* live_;
  std::uint32_t total_, before_;
  Progress line_;
  OtherWork other_work_;
  Stopwatch since_;
};

}  // namespace trellis::app
