// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/transport.hpp"

#include <algorithm>
#include <cstdlib>

#include "trellis/core/device/device_messages.hpp"
#include "trellis/core/device/peer_memory.hpp"
#include "trellis/core/error.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis {

namespace {

std::string wished() {
  const char* const text = std::getenv("TRELLIS_TRANSPORT");
  const std::string wish = text == nullptr ? "" : text;
  if (!wish.empty() && wish != "staged" && wish != "nccl" && wish != "peers")
    fail_input("TRELLIS_TRANSPORT is '{}'; it must be staged, nccl or peers", wish);
  return wish;
}

bool all_reach_one_another(const comm::Communicator& ranks, const std::vector<std::string>& names) {
  if (!peers_are_possible<FieldSpace> || ranks.size() > PeerSums::most_ranks) return false;
  double failures = 0;
  for (int rank = 0; rank < ranks.size(); ++rank)
    if (rank != ranks.rank() && !can_reach_peer(FieldSpace(), names[std::size_t(rank)])) failures = 1;
  ranks.maximum("peers", {&failures, 1});
  return failures == 0;
}

bool are_distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace

Transport choose_transport(const comm::Communicator& ranks) {
  const std::string wish = wished();
  if (ranks.size() == 1) return Transport::none;
  if (fields_on_host) return Transport::mpi;
  const auto names = ranks.gather("devices of ranks", peer_name(FieldSpace()));
  if (wish == "peers" || wish.empty()) {
    if (all_reach_one_another(ranks, names)) return Transport::peers;
    if (!wish.empty())
      fail_input("TRELLIS_TRANSPORT is peers, but the devices of these ranks cannot access one another's memory");
  }
  if (wish == "nccl" || wish.empty()) {
    if (device_messages_are_possible<FieldSpace> && are_distinct(names)) return Transport::nccl;
    if (!wish.empty())
      fail_input("TRELLIS_TRANSPORT is nccl, but {}", device_messages_are_possible<FieldSpace>
                                                          ? "ranks share a device"
                                                          : "this program was built without NCCL");
  }
  return Transport::staged;
}

const char* name_of(Transport transport) {
  switch (transport) {
    case Transport::none:
      return "none";
    case Transport::mpi:
      return "MPI";
    case Transport::staged:
      return "MPI, staged";
    case Transport::nccl:
      return "NCCL";
    case Transport::peers:
      return "peers";
  }
  return "";
}

}  // namespace trellis
