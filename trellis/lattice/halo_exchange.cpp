// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "trellis/core/dispatch_timer.hpp"
#include "trellis/lattice/halo.hpp"
#include "trellis/lattice/halo_jobs.hpp"

namespace trellis {

using lattice_detail::signs_of, lattice_detail::ways;

namespace {

std::int64_t bytes_of(const HaloPart& part, const HaloJob& job) {
  return job.count * (job.whole_tiles ? job.lanes : 1) * part.sent_words * part.word;
}

Coordinate opposite(const Coordinate& steps) { return {-steps[0], -steps[1], -steps[2], -steps[3]}; }

constexpr std::int64_t line = 64;
std::int64_t whole_lines(std::int64_t bytes) { return (bytes + line - 1) / line * line; }

}  // namespace

HaloExchange::HaloExchange(const Halo& halo, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts)
    : halo_(halo), parity_(parity), reach_(reach), faces_(faces), parts_(parts.begin(), parts.end()) {
  if (steps() > halo.vector_reach_)
    fail("halo: ghosts {} steps beyond a face are asked for, vectors of the lattice have {}", steps(),
         halo.vector_reach_);
  const int first = faces == Faces::backward ? 4 : 0, end = faces == Faces::all ? ways : first + 4;
  std::int64_t bytes = 0;
  for (int segment = first_segment(); segment <= last_segment(); ++segment)
    for (int way = first; way < end; ++way)
      for (const bool whole_tiles : {true, false})
        for (int part = 0; part < int(parts.size()); ++part) {
          const HaloJob job = halo.job(whole_tiles, segment, way, steps(), origin());
          if (job.count == 0) continue;
          jobs_.push_back({job, job, part, std::size_t(bytes)});
          bytes += whole_lines(bytes_of(parts[std::size_t(part)], job));
          ++expected_[std::size_t(way)];
        }
  bytes_ = std::size_t(bytes);
  switch (halo.transport_) {
    case Transport::peers:
      find_peers();
      break;
    case Transport::nccl:
      find_device_messages(parts);
      break;
    default:
      find_messages(parts);
  }
}

// Links two steps beyond a face are among the others where vectors have none there.
int HaloExchange::steps() const {
  switch (reach_) {
    case Reach::two_steps:
      return parity_ == Halo::both ? std::min(2, halo_.vector_reach_) : 2;
    case Reach::three_steps:
      return 3;
    default:
      return 1;
  }
}

void HaloExchange::find_messages(std::span<const HaloPart> parts) {
  out_ = MessageMemory<FieldSpace>(bytes_);
  in_ = MessageMemory<FieldSpace>(bytes_);
  std::vector<comm::Messages::Part> messages;
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    Message& message = jobs_[k];
    message.out.buffer = out_.data() + message.place;
    message.in.buffer = in_.data() + message.place;
    const auto size = std::size_t(bytes_of(parts[std::size_t(message.part)], message.out));
    messages.push_back({.to = halo_.grid_.neighbour(opposite(signs_of(message.out.way))),
                        .send_label = int(k),
                        .out = {out_.host() + message.place, size},
                        .from = halo_.grid_.neighbour(signs_of(message.out.way)),
                        .receive_label = int(k),
                        .in = {in_.host() + message.place, size}});
  }
  messages_.emplace_back(halo_.grid_.ranks(), "halo", std::move(messages));
}

void HaloExchange::find_device_messages(std::span<const HaloPart> parts) {
  device_out_ = FieldView<std::byte*>("messages sent", Index(bytes_));
  device_in_ = FieldView<std::byte*>("messages received", Index(bytes_));
  for (Message& message : jobs_) {
    message.out.buffer = device_out_.data() + message.place;
    message.in.buffer = device_in_.data() + message.place;
    const auto size = std::size_t(bytes_of(parts[std::size_t(message.part)], message.out));
    device_messages_.push_back({.to = halo_.grid_.neighbour(opposite(signs_of(message.out.way))),
                                .out = message.out.buffer,
                                .out_bytes = size,
                                .from = halo_.grid_.neighbour(signs_of(message.out.way)),
                                .in = message.in.buffer,
                                .in_bytes = size});
  }
}

std::size_t HaloExchange::bytes_of_words() const {
  return std::size_t(whole_lines(2 * std::int64_t(jobs_.size()) * std::int64_t(sizeof(std::uint32_t))));
}

void HaloExchange::find_peers() {
  const auto& ranks = halo_.grid_.ranks();
  peers_.inbox = PeerMemory<FieldSpace>(bytes_of_words() + 2 * bytes_);
  const auto handles = ranks.gather("memory for messages", peers_.inbox.handle());
  std::vector<std::byte*> inboxes(handles.size(), nullptr);
  const auto inbox_of = [&](int rank) {
    std::byte*& there = inboxes[std::size_t(rank)];
    if (there == nullptr)
      there = rank == ranks.rank() ? peers_.inbox.data() : peers_.inbox.open(handles[std::size_t(rank)]);
    return there;
  };
  // Word k says that message k is here, word jobs + k that its receiver has come to where it may be sent again.
  const auto word = [](std::byte* inbox, std::size_t k) { return reinterpret_cast<std::uint32_t*>(inbox) + k; };
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const Coordinate ahead = signs_of(jobs_[k].out.way);
    std::byte *const to = inbox_of(halo_.grid_.neighbour(opposite(ahead))), *const from =
                                                                                inbox_of(halo_.grid_.neighbour(ahead));
    peers_.outboxes.push_back(to + bytes_of_words());
    peers_.own_words.push_back(word(peers_.inbox.data(), k));
    peers_.own_words.push_back(word(peers_.inbox.data(), jobs_.size() + k));
    peers_.other_words.push_back(word(to, k));
    peers_.other_words.push_back(word(from, jobs_.size() + k));
  }
  ranks.barrier("memory for messages");
}

// The other one of the two rooms.
void HaloExchange::take_turn() {
  ++peers_.turn;
  const std::size_t room = peers_.turn % 2 * bytes_;
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    jobs_[k].out.buffer = peers_.outboxes[k] + room + jobs_[k].place;
    jobs_[k].in.buffer = peers_.inbox.data() + bytes_of_words() + room + jobs_[k].place;
  }
}

namespace {
// Once they are packed.
void send(comm::Messages& messages, std::size_t count) {
  MessageSpace<FieldSpace>::get().fence();
  for (int k = 0; k < int(count); ++k) messages.send(k);
}
}  // namespace

bool HaloExchange::fits(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const {
  return parity == parity_ && reach == reach_ && faces == faces_ &&
         std::equal(parts.begin(), parts.end(), parts_.begin(), parts_.end(), [](const HaloPart& a, const HaloPart& b) {
           return a.word == b.word && a.words == b.words && a.sent_words == b.sent_words;
         });
}

void HaloExchange::begin(std::span<const HaloPart> parts) {
  std::copy(parts.begin(), parts.end(), parts_.begin());
  const Transport transport = halo_.transport_;
  if (transport == Transport::peers) take_turn();
  if (!messages_.empty()) messages_[0].expect();
  missing_ = expected_;
  MessageSpace<FieldSpace>::follow_default();
  run(true, [](const Message&) { return true; });
  if (transport == Transport::peers)
    peer_signal(MessageSpace<FieldSpace>::get(), peers_.other_words, peers_.turn);
  else if (transport == Transport::nccl)
    halo_.device_messages_.exchange(MessageSpace<FieldSpace>::get(), device_messages_);
  copy_own_lanes();
  if (!fields_on_host) return;
  send(messages_[0], jobs_.size());
  if (halo_.overlaps_) return;
  while (next() >= 0) {
  }
}

// Packs or unpacks the messages that are chosen, as many as fit in a kernel.
template <class Choose>
void HaloExchange::run(bool pack, const Choose& choose) const {
  for (int part = 0; part < int(parts_.size()); ++part)
    for (const bool whole_tiles : {true, false}) {
      const HaloPart& field = parts_[std::size_t(part)];
      HaloJobs jobs;
      const auto done = [&] {
        if (jobs.count > 0) (pack ? field.pack : field.unpack)(field, jobs);
        jobs.count = 0;
      };
      for (const Message& message : jobs_) {
        if (message.part != part || message.out.whole_tiles != whole_tiles || !choose(message)) continue;
        jobs.add(pack ? message.out : message.in);
        if (jobs.count == HaloJobs::most) done();
      }
      done();
    }
}

int HaloExchange::next() {
  for (;;) {
    const int k = [&] {
      const DefaultHostExecutionSpace space;
      const DispatchTimer timer(Kernel{"wait for halo"}, space);
      return messages_[0].next();
    }();
    if (k < 0) return -1;
    const int way = jobs_[std::size_t(k)].in.way;
    if (--missing_[std::size_t(way)] > 0) continue;
    in_.deliver();
    run(false, [way](const Message& message) { return message.in.way == way; });
    return way;
  }
}

// A GPU's host sends when the kernels that need no messages were given, and comes back when those that unpack were.
void HaloExchange::finish() {
  if (messages_.empty()) {
    if (halo_.transport_ == Transport::peers) peer_wait(MessageSpace<FieldSpace>::get(), peers_.own_words, peers_.turn);
    run(false, [](const Message&) { return true; });
  } else {
    if (!fields_on_host) send(messages_[0], jobs_.size());
    while (next() >= 0) {
    }
    messages_[0].finish();
  }
  MessageSpace<FieldSpace>::default_follows();
}

}  // namespace trellis
