// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What sums that stay on the device need (kernel_sums.hpp): partial sums of blocks, and a counter with which the last
// block finds out that it is the last.

#include "trellis/core/exact_sum.hpp"
#include "trellis/core/view.hpp"

namespace trellis::backend {

// Blocks of sums that this device runs at a time, whatever their kernel.
unsigned most_resident_blocks();

template <ExecutionSpace Exec>
struct SumsRoom;

template <>
struct SumsRoom<Cuda> {
  View<unsigned*, CudaSpace> blocks;
  View<std::byte*, CudaSpace> memory;

  explicit SumsRoom(int count)
      : blocks("counter of blocks", 1),
        memory("partial sums", Index(most_resident_blocks()) * count * Index(sizeof(ExactSum))) {}
  ExactSum* partial() const { return reinterpret_cast<ExactSum*>(memory.data()); }
};

}  // namespace trellis::backend
