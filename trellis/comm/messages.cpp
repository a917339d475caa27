// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/messages.hpp"

#include <cstring>

#include "trellis/comm/detail/ranks.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {

struct Messages::Requests {
  Communicator ranks;  // used by `others`
  std::string name;
  std::vector<Part> parts;
  // For each part: the number of its message to another rank, and the part of this rank that its bytes go to; -1 if
  // there is none.
  std::vector<int> message, copy_to;
  std::unique_ptr<detail::Exchange> others;  // null if there are none
  int from_others = 0;

  // State of this round. come: parts in order of arrival, of which next() has returned the first `returned`.
  bool expecting = false;
  std::vector<bool> sent;
  std::vector<int> come;
  std::size_t returned = 0;
  int others_missing = 0;

  void collect(bool wait) {
    const auto before = come.size();
    others->collect(wait, come);
    others_missing -= int(come.size() - before);
  }
  [[noreturn]] void misused(const char* what) const { fail("messages '{}': {}", name, what); }
};

namespace {

// The part of this rank that receives what `part` sends to it.
int part_for(const std::string& name, const std::vector<Messages::Part>& parts, const Messages::Part& part, int self) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].from != self || parts[i].receive_label != part.send_label || parts[i].in.empty()) continue;
    if (parts[i].in.size() != part.out.size())
      fail("messages '{}': rank {} sends itself {} bytes with label {}, and expects {}", name, self, part.out.size(),
           part.send_label, parts[i].in.size());
    return int(i);
  }
  fail("messages '{}': rank {} sends itself label {}, which no part expects", name, self, part.send_label);
}

}  // namespace

Messages::Messages(const Communicator& ranks, const char* name, std::vector<Part> parts)
    : requests_(std::make_unique<Requests>()) {
  auto& r = *requests_;
  r.ranks = ranks;
  r.name = name;
  r.parts = std::move(parts);
  std::vector<detail::Outgoing> out;
  std::vector<detail::Incoming> in;
  for (std::size_t i = 0; i < r.parts.size(); ++i) {
    const auto& part = r.parts[i];
    for (const int peer : {part.to, part.from})
      if (peer < 0 || peer >= ranks.size())
        fail("messages '{}': there is no rank {} among {}", name, peer, ranks.size());
    for (const int label : {part.send_label, part.receive_label})
      if (label < 0 || label > 255) fail("messages '{}': label {} is not from 0 to 255", name, label);
    const bool to_self = part.to == ranks.rank();
    r.copy_to.push_back(to_self && !part.out.empty() ? part_for(r.name, r.parts, part, ranks.rank()) : -1);
    r.message.push_back(to_self || part.out.empty() ? -1 : int(out.size()));
    if (r.message.back() >= 0) out.push_back({int(i), part.to, part.send_label, part.out});
    if (part.from != ranks.rank() && !part.in.empty()) in.push_back({int(i), part.from, part.receive_label, part.in});
  }
  r.from_others = int(in.size());
  r.sent.resize(r.parts.size());
  r.come.reserve(r.parts.size());
  // Even if empty: all ranks count their Messages.
  if (ranks.ranks()) r.others = ranks.ranks()->exchange(name, out, in);
}

Messages::~Messages() = default;
Messages::Messages(Messages&&) noexcept = default;
Messages& Messages::operator=(Messages&&) noexcept = default;

void Messages::expect() {
  auto& r = *requests_;
  if (r.expecting) r.misused("expect() before finish()");
  r.expecting = true;
  r.sent.assign(r.parts.size(), false);
  r.come.clear();
  r.returned = 0;
  r.others_missing = r.from_others;
  for (std::size_t i = 0; i < r.parts.size(); ++i)
    if (r.parts[i].in.empty()) r.come.push_back(int(i));
  if (r.others) r.others->expect();
}

void Messages::send(int part) {
  auto& r = *requests_;
  const auto k = std::size_t(part);
  if (!r.expecting) r.misused("send() before expect()");
  if (r.sent[k]) r.misused("a part is sent twice");
  r.sent[k] = true;
  if (const int to = r.copy_to[k]; to >= 0) {
    std::memcpy(r.parts[std::size_t(to)].in.data(), r.parts[k].out.data(), r.parts[k].out.size());
    r.come.push_back(to);
  } else if (r.message[k] >= 0) {
    r.others->send(r.message[k]);
  }
}

int Messages::next(Wait wait) {
  auto& r = *requests_;
  if (!r.expecting) return -1;
  if (r.returned == r.come.size() && r.others_missing > 0) r.collect(wait == Wait::yes);
  if (r.returned < r.come.size()) return r.come[r.returned++];
  if (r.come.size() == r.parts.size()) return -1;
  if (wait == Wait::yes) r.misused("a part comes from this rank itself, which has not sent it");
  return -2;
}

void Messages::finish() {
  auto& r = *requests_;
  if (!r.expecting) return;
  while (r.others_missing > 0) r.collect(true);
  if (r.others) r.others->finish_sends();
  r.expecting = false;
}

}  // namespace trellis::comm
