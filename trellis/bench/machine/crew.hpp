// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first ranks of a job at work, while the others sleep: those look for news once in a millisecond, so that they
// take nothing of the processors that others are timed on. All ranks make a Crew and call work().

#include "trellis/comm/messages.hpp"

namespace trellis::bench {

class Crew {
 public:
  Crew(const comm::Communicator& all, int count);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Those that work; of a rank that does not, the others like it.
  const comm::Communicator& ranks() const { return ranks_; }
  int size() const { return count_; }
  bool works() const { return works_; }

  // f, on the ranks that work.
  template <class F>
  void work(const F& f) {
    if (works_) f();
    wait();
  }

 private:
  void wait();

  int count_, waiting_;  // of the first rank: how many wait for it
  bool works_;
  comm::Communicator ranks_;
  std::vector<std::byte> byte_;
  comm::Messages messages_;
};

}  // namespace trellis::bench
