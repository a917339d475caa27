// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a rank waits: it looks again and again at what it waits for, at first without a pause, then leaving its processor
// to others, which ranks that share one have work for, then with short sleeps; and the watchdog, when it waits too
// long.
//
// The watchdog: a rank whose time is up tells all others where it waits. Those that wait, too, look for such news now
// and then, and answer in the same way. Two seconds later the lowest of those that wait knows where each one is; those
// that said nothing are missing. It says so and ends the job.

#include <chrono>

#include "trellis/comm/mpi/ranks.hpp"

namespace trellis::comm::detail {

class Waiting {
 public:
  explicit Waiting(const MpiRanks& ranks) : job_(ranks.job()) {}
  // Between two looks. place(): where the rank waits.
  template <class F>
  void pause(const F& place) {
    if (++looks_ < 64) return;
    if (leave_processor()) report(place());
  }
  // After a look of one who has other work, and comes back.
  template <class F>
  void passing_by(const F& place) {
    if (too_long(Clock::now())) report(place());
  }
  // Something has come.
  void begin_again() {
    looks_ = 0;
    begin_ = {};
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Whether the watchdog is to speak.
  bool leave_processor();
  bool too_long(Clock::time_point now);
  [[noreturn]] void report(const Place& place) const;

  const MpiRanks& job_;
  int looks_ = 0;
  Clock::time_point begin_{}, next_look_for_news_{};
};

}  // namespace trellis::comm::detail
