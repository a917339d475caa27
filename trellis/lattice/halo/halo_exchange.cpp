// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/halo/halo_jobs.hpp"

namespace trellis {

using lattice_detail::ways;

namespace {

std::size_t bytes_of(const HaloPart& part, const HaloJob& job) {
  return std::size_t(job.count * (job.whole_tiles ? job.lanes : 1) * part.sent_words * part.word);
}

}  // namespace

HaloExchange::HaloExchange(const Halo& halo, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts)
    : halo_(halo), parity_(parity), reach_(reach), faces_(faces), parts_(parts.begin(), parts.end()) {
  if (steps() > halo.vector_reach_)
    fail("halo: ghosts {} steps beyond a face were requested, but the lattice's vectors have {}", steps(),
         halo.vector_reach_);
  const int first = faces == Faces::backward ? 4 : 0, end = faces == Faces::all ? ways : first + 4;
  std::size_t bytes = 0;
  for (int segment = first_segment(); segment <= last_segment(); ++segment)
    for (int way = first; way < end; ++way)
      for (const bool whole_tiles : {true, false})
        for (int part = 0; part < int(parts.size()); ++part) {
          const HaloJob job = halo.job(whole_tiles, segment, way, steps(), origin());
          if (job.count == 0) continue;
          const std::size_t size = bytes_of(parts[std::size_t(part)], job);
          messages_.push_back({job, job, part, bytes, size});
          bytes += lattice_detail::whole_lines(size);
          ++expected_[std::size_t(way)];
        }
  switch (halo.transport_) {
    case Transport::peers:
      transport_ = into_peers(halo.grid_, messages_, bytes);
      break;
    case Transport::nccl:
      transport_ = between_devices(halo.grid_, halo.device_messages_, messages_, bytes);
      break;
    default:
      transport_ = through_host(halo.grid_, messages_, bytes);
  }
}

// Links two steps beyond a face belong to the others if vectors have no ghosts there.
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

bool HaloExchange::fits(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const {
  return parity == parity_ && reach == reach_ && faces == faces_ &&
         std::equal(parts.begin(), parts.end(), parts_.begin(), parts_.end(), [](const HaloPart& a, const HaloPart& b) {
           return a.word == b.word && a.words == b.words && a.sent_words == b.sent_words;
         });
}

void HaloExchange::begin(std::span<const HaloPart> parts) {
  std::copy(parts.begin(), parts.end(), parts_.begin());
  transport_->begin(messages_);
  missing_ = expected_;
  MessageSpace<FieldSpace>::follow_default();
  run(true, [](const HaloMessage&) { return true; });
  transport_->send();
  copy_own_lanes();
  if (!fields_on_host || halo_.overlaps_) return;
  while (next() >= 0) {
  }
}

// Packs or unpacks the chosen messages, as many per kernel as fit.
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
      for (const HaloMessage& message : messages_) {
        if (message.part != part || message.out.whole_tiles != whole_tiles || !choose(message)) continue;
        jobs.add(pack ? message.out : message.in);
        if (jobs.count == HaloJobs::most) done();
      }
      done();
    }
}

int HaloExchange::next() {
  for (;;) {
    const int k = transport_->next();
    if (k == HaloTransport::no_message) return -1;
    if (k == HaloTransport::every_message) {
      run(false, [](const HaloMessage&) { return true; });
      continue;
    }
    const int way = messages_[std::size_t(k)].in.way;
    if (--missing_[std::size_t(way)] > 0) continue;
    run(false, [way](const HaloMessage& message) { return message.in.way == way; });
    return way;
  }
}

// With a GPU the host returns when the kernels that unpack have been launched.
void HaloExchange::finish() {
  while (next() >= 0) {
  }
  transport_->finish();
  MessageSpace<FieldSpace>::default_follows();
}

}  // namespace trellis
