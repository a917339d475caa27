// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first ranks of a job work while the others sleep: those check for a message once per millisecond, so that they
// leave the processors to the ranks that are being timed. All ranks create a Crew and call work().

#include <chrono>
#include <cstddef>
#include <vector>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/messages.hpp"

namespace trellis::bench {

class Crew {
 public:
  using Pause = std::chrono::steady_clock::duration;
  Crew(const comm::Communicator& all, int count, Pause between_messages = std::chrono::seconds(10));
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The working ranks; on a rank that does not work, the idle ones.
  const comm::Communicator& ranks() const { return ranks_; }
  int size() const { return count_; }
  bool works() const { return works_; }

  // Calls f on the working ranks.
  template <class F>
  void work(const F& f) {
    if (works_) f();
    wait();
  }
  // For f to call now and then if it takes long, on all working ranks: tells the others that the work goes on, so that
  // their watchdogs (comm/session.hpp) stay quiet. Messages are at least `between_messages` apart.
  void still_at_work();

 private:
  void wait();
  void exchange(std::byte word);

  int count_, waiting_;  // on the first rank: how many wait for it
  bool works_;
  comm::Communicator ranks_;
  std::vector<std::byte> byte_;  // whether the work is done
  comm::Messages messages_;
  Pause between_messages_;
  std::chrono::steady_clock::time_point last_message_ = std::chrono::steady_clock::now();
};

}  // namespace trellis::bench
