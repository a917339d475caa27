// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/crew.hpp"

#include <chrono>
#include <thread>

namespace trellis::bench {

namespace {

constexpr std::byte not_done{0}, done{1};

// A byte from the first rank to each waiting one.
std::vector<comm::Messages::Part> parts_of(const comm::Communicator& all, int count, std::vector<std::byte>& byte) {
  std::vector<comm::Messages::Part> parts;
  byte.resize(1);
  if (all.is_first())
    for (int rank = count; rank < all.size(); ++rank)
      parts.push_back({.to = rank, .send_label = 0, .out = byte, .from = rank, .receive_label = 0, .in = {}});
  else if (all.rank() >= count)
    parts.push_back({.to = 0, .send_label = 0, .out = {}, .from = 0, .receive_label = 0, .in = byte});
  return parts;
}

}  // namespace

Crew::Crew(const comm::Communicator& all, int count, Pause between_messages)
    : count_(count),
      waiting_(all.is_first() ? all.size() - count : 0),
      works_(all.rank() < count),
      ranks_(all.first(count)),
      messages_(all, "waiting for ranks at work", parts_of(all, count, byte_)),
      between_messages_(between_messages) {}

void Crew::wait() {
  do exchange(done);
  while (!works_ && byte_[0] != done);
}

void Crew::still_at_work() {
  if (waiting_ == 0 || std::chrono::steady_clock::now() - last_message_ < between_messages_) return;
  exchange(not_done);
}

// The word is the first rank's.
void Crew::exchange(std::byte word) {
  if (works_) byte_[0] = word;
  messages_.expect();
  for (int part = 0; part < waiting_; ++part) messages_.send(part);
  constexpr int nothing_new = -2;
  while (!works_ && messages_.next(comm::Wait::no) == nothing_new)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  messages_.finish();
  last_message_ = std::chrono::steady_clock::now();
}

}  // namespace trellis::bench
