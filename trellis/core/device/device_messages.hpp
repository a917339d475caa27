// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages between devices of any machines, in the order of a space, without the host waiting (NCCL on NVIDIA's).
//   const std::string name = DeviceMessages<Exec>::new_name();        on one rank, which tells the others
//   DeviceMessages<Exec> messages(name, rank, ranks);                 on all of them; each has its own device
//   messages.exchange(space, parts);                                  kernels launched later find the bytes there
//   messages.gather(space, own, all, bytes);                          all: those of rank 0, 1, ...
// Between two ranks the k-th part that one sends is the k-th that the other expects of it. A rank may be its own peer.
// Throws Error if the library or a device fails. None of this exists on hosts and in builds without NCCL, where
// device_messages_are_possible is false.

#include <memory>
#include <span>
#include <string>

#include "trellis/core/spaces.hpp"
#include "trellis/core/sums/exact_sum.hpp"

namespace trellis {

template <ExecutionSpace Exec>
inline constexpr bool device_messages_are_possible = false;

// A message in device memory.
struct DeviceMessage {
  int to;
  const std::byte* out;
  std::size_t out_bytes;
  int from;
  std::byte* in;
  std::size_t in_bytes;
};

template <ExecutionSpace Exec>
class DeviceMessages {
 public:
  DeviceMessages() = default;
  DeviceMessages(const std::string&, int, int) {}
  static std::string new_name() { return {}; }
  void exchange(const Exec&, std::span<const DeviceMessage>) const {}
  void gather(const Exec&, const std::byte*, std::byte*, std::size_t) const {}
};

// values[k] <- the sum over rows of sums[row * count + k].
template <ExecutionSpace Exec>
void add_rows(const Exec&, const ExactSum*, int, int, double*) {}

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(device_messages.hpp)
#endif
