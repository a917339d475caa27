// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of a device that kernels on other devices of the same machine, also in other processes, can write to:
//   PeerMemory<Exec> own(bytes);                       all 0
//   std::byte* there = own.open(its handle());         the memory of another process
//   kernels write to it;  peer_signal(space, flags, n) then sets the words to n, once the writes are visible
//   peer_wait(space, flags, n)                         kernels launched later run when the own words are n or more
// The host does not wait. Words only grow. Not all devices can access each other: peer_name() of their processes gives
// the argument of can_reach_peer(). None of this exists on hosts, where peers_are_possible is false.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "trellis/core/spaces.hpp"
#include "trellis/core/sums/exact_sum.hpp"

namespace trellis {

template <ExecutionSpace Exec>
inline constexpr bool peers_are_possible = false;

template <ExecutionSpace Exec>
class PeerMemory {
 public:
  PeerMemory() = default;
  explicit PeerMemory(std::size_t) {}
  std::byte* data() const { return nullptr; }
  std::string handle() const { return {}; }
  std::byte* open(const std::string&) { return nullptr; }
};

// Identifies machine and device of this process.
template <ExecutionSpace Exec>
std::string peer_name(const Exec&) {
  return {};
}
// Whether kernels here can access the memory of the device with that name, which must be another one.
template <ExecutionSpace Exec>
bool can_reach_peer(const Exec&, const std::string&) {
  return false;
}

using PeerFlags = std::span<std::uint32_t* const>;
template <ExecutionSpace Exec>
void peer_signal(const Exec&, PeerFlags, std::uint32_t) {}
template <ExecutionSpace Exec>
void peer_wait(const Exec&, PeerFlags, std::uint32_t) {}

// Where ranks exchange exact sums: a row for each rank in the memory of each, twice.
struct PeerSums {
  static constexpr int most_ranks = 64;
  int ranks = 0, own_rank = 0;
  ExactSum* rows[most_ranks] = {};        // in each rank's memory, [2][rank][maximum count]
  std::uint32_t* flags[most_ranks] = {};  // [rank]
};
// values <- the sums over ranks of their `own`, for the n-th time (from 1 on); count <= row.
template <ExecutionSpace Exec>
void peer_join(const Exec&, const PeerSums&, const ExactSum*, int, int, std::uint32_t, double*) {}

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(peer_memory.hpp)
#endif
