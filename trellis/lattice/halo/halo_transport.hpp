// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the messages of an exchange travel (halo.hpp). One round:
//   transport->begin(messages);              says where the messages of this round are packed and unpacked
//   launch the kernels that pack;  transport->send();
//   while ((k = transport->next()) >= 0)     message k may be unpacked; every_message: all may; no_message: all were
//   transport->finish();                     all sends are complete too
// All ranks make their rounds in the same order, and list the messages in the same order: the k-th that a rank sends on
// a way is the k-th that its neighbour there expects. Throws Error if messages fail.

#include <memory>
#include <span>

#include "trellis/comm/process_grid.hpp"
#include "trellis/core/device/device_messages.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/lattice/halo/ghosts.hpp"
#include "trellis/lattice/halo/halo_part.hpp"

namespace trellis {

// What this rank sends to fill its neighbour's ghosts, and expects for its own.
struct HaloMessage {
  HaloJob out, in;
  int part;                  // index of a HaloPart of the exchange
  std::size_t place, bytes;  // in the buffers
};

class HaloTransport {
 public:
  static constexpr int no_message = -1, every_message = 1 << 30;

  virtual ~HaloTransport() = default;
  virtual void begin(std::span<HaloMessage> messages) = 0;
  virtual void send() = 0;
  virtual int next() = 0;
  virtual void finish() = 0;
};

// `bytes` is the length of buffers for all messages.
// Through host memory and comm::Messages, one by one. From a GPU they are sent in the first next().
std::unique_ptr<HaloTransport> through_host(const comm::ProcessGrid& grid, std::span<HaloMessage> messages,
                                            std::size_t bytes);
// From device to device (core/device/device_messages.hpp), all at once and without the host; so is the next one.
std::unique_ptr<HaloTransport> between_devices(const comm::ProcessGrid& grid,
                                               const DeviceMessages<FieldSpace>& device_messages,
                                               std::span<HaloMessage> messages, std::size_t bytes);
// Into the memory of the other device (core/device/peer_memory.hpp).
std::unique_ptr<HaloTransport> into_peers(const comm::ProcessGrid& grid, std::span<const HaloMessage> messages,
                                          std::size_t bytes);

namespace lattice_detail {

// The ranks that a message goes to and comes from.
inline int sender_of(const comm::ProcessGrid& grid, const HaloMessage& message) {
  return grid.neighbour(signs_of(message.in.way));
}
inline int receiver_of(const comm::ProcessGrid& grid, const HaloMessage& message) {
  const Coordinate ahead = signs_of(message.out.way);
  return grid.neighbour({-ahead[0], -ahead[1], -ahead[2], -ahead[3]});
}

// Messages start at multiples of a cache line.
inline std::size_t whole_lines(std::size_t bytes) {
  constexpr std::size_t line = 64;
  return (bytes + line - 1) / line * line;
}

}  // namespace lattice_detail

}  // namespace trellis
