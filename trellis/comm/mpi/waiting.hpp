// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a rank waits: it polls, at first without a pause, then yielding its processor to other ranks that may share it,
// then with short sleeps; if it waits too long, the watchdog acts.
//
// The watchdog: a rank whose time is up tells all others where it waits. Other waiting ranks check for such messages
// now and then, and answer in the same way. Two seconds later the lowest of the waiting ranks knows where each one is;
// those that did not answer are missing. It reports this and ends the job.

#include <chrono>

#include "trellis/comm/mpi/ranks.hpp"

namespace trellis::comm::detail {

class Waiting {
 public:
  explicit Waiting(const MpiRanks& ranks) : job_(ranks.job()) {}
  // Between two polls. place(): where the rank waits.
  template <class F>
  void pause(const F& place) {
    if (++looks_ < 64) return;
    if (leave_processor()) report(place());
  }
  // After a poll by a caller that has other work and will come back.
  template <class F>
  void passing_by(const F& place) {
    if (too_long(Clock::now())) report(place());
  }
  // Something has arrived: start again.
  void begin_again() {
    looks_ = 0;
    begin_ = {};
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Whether the watchdog must act.
  bool leave_processor();
  bool too_long(Clock::time_point now);
  [[noreturn]] void report(const Place& place) const;

  const MpiRanks& job_;
  int looks_ = 0;
  Clock::time_point begin_{}, next_look_for_news_{};
};

}  // namespace trellis::comm::detail
