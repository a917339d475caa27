// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What messages between ranks cost, by the way that halos go (comm/messages.hpp, core/device/message_memory.hpp). Pairs
// of ranks of one machine, all at the same time, then pairs of machines, again all ranks of both.
//   latency     half of what 8 bytes take there and back
//   bandwidth   4 MiB each way at the same time, those of one way over the time
// The slowest pair counts; the median of many.

#include "trellis/bench/model/machine_description.hpp"
#include "trellis/comm/communicator.hpp"

namespace trellis::bench {

struct LinkFigures {
  std::optional<LinkDescription> inside, across;  // empty where there is no pair
};

// All ranks call it.
LinkFigures measure_links(const comm::Communicator& ranks);

// For each rank its partner, or itself if there is none: of the same machine, or of another one. machines: the name of
// each rank's machine.
std::vector<int> partners_inside(const std::vector<std::string>& machines);
std::vector<int> partners_across(const std::vector<std::string>& machines);

}  // namespace trellis::bench
