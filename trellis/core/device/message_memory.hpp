// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory in which kernels leave outgoing messages and find incoming ones:
//   kernels write to data();  collect();  host() has it
//   host() has received;  deliver();      kernels launched from now on read it in data()
// On hosts both are the same memory and neither call does anything. On a GPU it is pinned host memory, which kernels
// can access; collect() waits for them.

#include "trellis/core/view.hpp"

namespace trellis {

template <ExecutionSpace Exec>
class MessageMemory {
 public:
  MessageMemory() = default;
  explicit MessageMemory(std::size_t bytes) : bytes_("messages", Index(bytes)) {}
  std::byte* data() const { return bytes_.data(); }
  std::byte* host() const { return bytes_.data(); }
  void collect() const {}
  void deliver() const {}

 private:
  HostView<std::byte*> bytes_;
};

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(message_memory.hpp)
#endif
