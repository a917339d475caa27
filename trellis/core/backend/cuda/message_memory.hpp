// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// On a GPU, messages of kernels pass through pinned host memory, which kernels can access (core/message_memory.hpp).

#include "trellis/core/spaces.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

template <>
class MessageMemory<Cuda> {
 public:
  MessageMemory() = default;
  explicit MessageMemory(std::size_t bytes) : bytes_("messages", Index(bytes)) {}
  std::byte* data() const { return bytes_.data(); }
  std::byte* host() const { return bytes_.data(); }
  void collect() const { Cuda().fence(); }
  void deliver() const {}

 private:
  View<std::byte*, CudaHostPinnedSpace> bytes_;
};

}  // namespace trellis
