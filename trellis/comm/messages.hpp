// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages between ranks that go the same way again and again: set up once (persistent requests), then
//   messages.expect();                  receives are posted
//   messages.send(k);                   part k goes: its bytes may not change until finish()
//   while ((k = messages.next()) >= 0)  part k has come; -1: all have. With Wait::no, -2: none has since
//   messages.finish();                  all are sent too
// Nothing is allocated between construction and the end. All ranks construct their Messages in the same order. A part
// is a message each way with one peer, which may be the rank itself; between two ranks parts pair up by `label`, which
// each side states: what I send with label a arrives where the peer expects label a from me. Peers may differ for the
// two ways. An empty span is no message: next() returns every part once a round, those with nothing to receive at once.
// finish() also waits for what next() has not returned; it may be left out where an error ends the work.
//
// Throws Error: a peer or label that is none, what a rank sends itself and does not expect; calls in another order; a
// message of another size than was expected. A message is less than 2 GiB. The watchdog names this object and the peer,
// also where next(Wait::no) alone is called again and again.

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
