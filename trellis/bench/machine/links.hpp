// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cost of messages between ranks, sent in the same way as halos (comm/messages.hpp,
// core/device/message_memory.hpp). First between pairs of ranks of one machine, all pairs at the same time, then
// between pairs of machines, again with all ranks of both.
//   latency     half of the round-trip time of 8 bytes
//   bandwidth   4 MiB each way at the same time; the bytes of one way divided by the time
// The slowest pair counts; the median of many measurements.

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/comm/communicator.hpp"

namespace trellis::bench {

struct LinkFigures {
  std::optional<LinkDescription> inside, across;  // empty if there is no pair
};

// All ranks must call it.
LinkFigures measure_links(const comm::Communicator& ranks);

// For each rank its partner, or itself if there is none: one on the same machine, or one on another. machines: the name
// of each rank's machine.
std::vector<int> partners_inside(const std::vector<std::string>& machines);
std::vector<int> partners_across(const std::vector<std::string>& machines);

}  // namespace trellis::bench
