// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages between GPUs (core/device/device_messages.hpp) through NCCL, if this build has it (TRELLIS_NCCL).

#include "trellis/core/device/device_messages.hpp"

namespace trellis {

#if defined(TRELLIS_HAS_NCCL)
template <>
inline constexpr bool device_messages_are_possible<Cuda> = true;

template <>
class DeviceMessages<Cuda> {
 public:
  DeviceMessages() = default;
  DeviceMessages(const std::string& name, int rank, int ranks);
  static std::string new_name();
  void exchange(const Cuda& space, std::span<const DeviceMessage> parts) const;
  void gather(const Cuda& space, const std::byte* own, std::byte* all, std::size_t bytes) const;

 private:
  struct Ranks;
  std::shared_ptr<Ranks> ranks_;
};
#endif

template <>
void add_rows(const Cuda& space, const ExactSum* sums, int rows, int count, double* values);

}  // namespace trellis
