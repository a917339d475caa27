// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first ranks of a job work while the others sleep: those check for a message once per millisecond, so that they
// leave the processors to the ranks that are being timed. All ranks create a Crew and call work().

#include "trellis/comm/messages.hpp"

namespace trellis::bench {

class Crew {
 public:
  Crew(const comm::Communicator& all, int count);
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

 private:
  void wait();

  int count_, waiting_;  // on the first rank: how many wait for it
  bool works_;
  comm::Communicator ranks_;
  std::vector<std::byte> byte_;
  comm::Messages messages_;
};

}  // namespace trellis::bench
