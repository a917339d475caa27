// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages between ranks that are sent repeatedly along the same ways: set up once (persistent requests), then
//   messages.expect();                  posts the receives
//   messages.send(k);                   sends part k: its bytes must not change until finish()
//   while ((k = messages.next()) >= 0)  part k has arrived; -1: all have. With Wait::no, -2: none has since
//   messages.finish();                  all sends are complete too
// Nothing is allocated between construction and destruction. All ranks must construct their Messages in the same order.
// A part is a message each way with one peer, which may be the rank itself. Between two ranks parts are matched by
// `label`, which each side states: what I send with label a arrives where the peer expects label a from me. The peers
// for the two ways may differ. An empty span is no message: next() returns every part once per round, those with
// nothing to receive at once. finish() also waits for parts that next() has not returned; it may be skipped if an error
// ends the work.
//
// Throws Error: an invalid peer or label, a message to oneself that is not expected; calls in the wrong order; a
// message whose size differs from the expected one. A message must be smaller than 2 GiB. The watchdog names this
// object and the peer, even if only next(Wait::no) is called again and again.

#include <memory>
#include <span>
#include <vector>

#include "trellis/comm/communicator.hpp"

namespace trellis::comm {

enum class Wait { yes, no };

class Messages {
 public:
  struct Part {
    int to, send_label;  // where `out` goes
    std::span<const std::byte> out;
    int from, receive_label;  // where `in` comes from
    std::span<std::byte> in;
  };

  // name is for the watchdog. Labels are from 0 to 255.
  Messages(const Communicator& ranks, const char* name, std::vector<Part> parts);
  ~Messages();
  Messages(Messages&&) noexcept;
  Messages& operator=(Messages&&) noexcept;

  void expect();
  void send(int part);
  int next(Wait wait = Wait::yes);
  void finish();

 private:
  struct Requests;
  std::unique_ptr<Requests> requests_;
};

}  // namespace trellis::comm
