// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What sums that stay on the device need (kernel_sums.hpp): partial sums of blocks, and a counter with which the last
// block finds out that it is the last. It grows as it is needed; copies share it.

#include <memory>

#include "trellis/core/exact_sum.hpp"
#include "trellis/core/view.hpp"

namespace trellis::backend {

template <ExecutionSpace Exec>
struct SumsRoom;

template <>
struct SumsRoom<Cuda> {
  View<unsigned*, CudaSpace> blocks{"counter of blocks", 1};
  std::shared_ptr<View<std::byte*, CudaSpace>> memory = std::make_shared<View<std::byte*, CudaSpace>>();

  explicit SumsRoom(int /*count*/) {}
  ExactSum* partial(std::size_t count) const {
    const auto bytes = Index(count * sizeof(ExactSum));
    if (!memory->is_allocated() || memory->extent(0) < bytes)
      *memory = View<std::byte*, CudaSpace>("partial sums", bytes);
    return reinterpret_cast<ExactSum*>(memory->data());
  }
};

}  // namespace trellis::backend
