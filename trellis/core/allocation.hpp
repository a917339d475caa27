// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that Views share. An Allocation is freed when the last Owner of it goes; the count is atomic, so Views may be
// copied and dropped by any thread. Data is aligned to 128 bytes (2 MiB, on huge pages, from 4 MiB on).
// allocate<Space>() throws Error naming label, bytes and space when there is no such memory.
// Device code copies Owners without counting: the host's copy outlives the kernel's launch.

#include <atomic>
#include <string>
#include <string_view>

#include "trellis/core/config.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

inline constexpr std::size_t memory_alignment = 128;

struct Allocation {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::string label;
  void (*deallocate)(void* data, std::size_t bytes) = nullptr;
  std::atomic<long> owners = 1;
};

// `zero`: set every byte to zero, touching host pages first in the thread that RangePolicy(0, n) gives them to.
template <class MemorySpace>
Allocation* allocate(std::string_view label, std::size_t bytes, bool zero) = delete;
template <>
Allocation* allocate<HostSpace>(std::string_view label, std::size_t bytes, bool zero);
#if defined(TRELLIS_BACKEND_CUDA)
template <>
Allocation* allocate<CudaSpace>(std::string_view label, std::size_t bytes, bool zero);
#endif
void release(Allocation* allocation);

class Owner {
 public:
  Owner() = default;
  explicit Owner(Allocation* adopted) : allocation_(adopted) {}
  TRELLIS_FUNCTION Owner(const Owner& other) : allocation_(other.allocation_) { add(); }
  TRELLIS_FUNCTION Owner(Owner&& other) noexcept : allocation_(other.allocation_) { other.allocation_ = nullptr; }
  TRELLIS_FUNCTION Owner& operator=(Owner other) noexcept {
    Allocation* const mine = allocation_;
    allocation_ = other.allocation_;
    other.allocation_ = mine;
    return *this;
  }
  TRELLIS_FUNCTION ~Owner() { drop(); }

  TRELLIS_FUNCTION const Allocation* get() const { return allocation_; }

 private:
  TRELLIS_FUNCTION void add() const {
#if !defined(__CUDA_ARCH__)
    if (allocation_ != nullptr) allocation_->owners.fetch_add(1, std::memory_order_relaxed);
#endif
  }
  TRELLIS_FUNCTION void drop() {
#if !defined(__CUDA_ARCH__)
    if (allocation_ != nullptr && allocation_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      release(allocation_);
    }
#endif
  }

  Allocation* allocation_ = nullptr;
};

}  // namespace trellis
