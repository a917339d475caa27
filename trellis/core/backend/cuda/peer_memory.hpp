// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Peers of a GPU (core/device/peer_memory.hpp): other GPUs whose memory CUDA lets it access, shared between processes
// by handles. Waiting is a kernel of one thread, which gives up after a minute, and ends the program.

#include "trellis/core/device/peer_memory.hpp"

namespace trellis {

template <>
inline constexpr bool peers_are_possible<Cuda> = true;

template <>
class PeerMemory<Cuda> {
 public:
  PeerMemory() = default;
  explicit PeerMemory(std::size_t bytes);
  std::byte* data() const;
  std::string handle() const;
  std::byte* open(const std::string& handle);

 private:
  struct Block;
  std::shared_ptr<Block> block_;
};

template <>
std::string peer_name(const Cuda&);
template <>
bool can_reach_peer(const Cuda&, const std::string& name);
template <>
void peer_signal(const Cuda&, PeerFlags flags, std::uint32_t word);
template <>
void peer_wait(const Cuda&, PeerFlags flags, std::uint32_t word);
template <>
void peer_join(const Cuda&, const PeerSums& sums, const ExactSum* own, int count, int row, std::uint32_t turn,
               double* values);

}  // namespace trellis
