// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that Views share. An Allocation is freed when its last Owner is destroyed; the count is atomic, so Views may
// be copied and dropped by any thread. Data is aligned to 128 bytes (from 4 MiB on to 2 MiB, on huge pages).
//   allocate(Space{}, label, bytes, zero)
// throws Error naming label, bytes and space if there is not enough memory. It is found by the space's type: a backend
// with its own memory space adds its own overload.
//
// Owners copied within a kernel do not count: the functor that the caller holds outlives the kernel, and counting
// threads would contend for one cache line at every subview. Allocations made within a kernel are always counted.

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/core/config.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/spaces.hpp"
#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(memory.hpp)
#endif

namespace trellis {

inline constexpr std::size_t memory_alignment = 128;

struct Allocation {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::string label;
  void (*deallocate)(void* data, std::size_t bytes) = nullptr;
  std::atomic<long> owners = 1;
  const char* space = "";  // its name
  bool made_in_kernel = false;
  bool on_device = false;  // the host cannot access it; finalize() warns if it is still alive
};

// `zero`: set every byte to zero; host pages are first touched by the thread that RangePolicy(0, n) gives them to.
Allocation* allocate(HostSpace, std::string_view label, std::size_t bytes, bool zero);
// Counts owners; the last one frees the memory. Not inlined, so that code that copies Views stays short.
void count_one_more(Allocation* allocation) noexcept;
void count_one_less(Allocation* allocation) noexcept;

namespace detail {

std::int64_t begin_allocation(std::string_view label);
void end_allocation(std::int64_t began, const Allocation& allocation) noexcept;
void remember_on_device(Allocation* allocation);
std::vector<std::string> labels_on_device();                   // living allocations: "'x' (80 bytes in CudaSpace)"
std::vector<std::string> largest_on_device(std::size_t most);  // up to `most` of them, the largest first

// Allocates for a View: allocate(), which fails after finalize() and is reported to listeners (profile_listener.hpp).
// In a dry run (dry_run.hpp) all memory is on the host.
template <class Memory>
Allocation* allocate_for_view(std::string_view label, std::size_t bytes, bool zero) {
  const std::int64_t began = runtime_detail::quiet() ? 0 : begin_allocation(label);
  const bool dry = !std::is_same_v<Memory, HostSpace> && in_dry_run();
  Allocation* const allocation =
      dry ? allocate(HostSpace{}, label, bytes, zero) : allocate(Memory{}, label, bytes, zero);
  allocation->space = Memory::name;
  if constexpr (!can_access<DefaultHostExecutionSpace, Memory>)
    if (!dry) remember_on_device(allocation);
  if (began != 0) [[unlikely]]
    end_allocation(began, *allocation);
  return allocation;
}
extern template Allocation* allocate_for_view<HostSpace>(std::string_view, std::size_t, bool);

}  // namespace detail

namespace backend {
// How many nested kernels this thread is in; maintained by host spaces.
inline constinit thread_local int kernel_depth = 0;
class InKernel {
 public:
  InKernel() { ++kernel_depth; }
  InKernel(const InKernel&) = delete;
  InKernel& operator=(const InKernel&) = delete;
  ~InKernel() { --kernel_depth; }
};
}  // namespace backend

class Owner {
 public:
  Owner() = default;
  explicit Owner(Allocation* adopted) : word_(reinterpret_cast<std::uintptr_t>(adopted)) {}
  TRELLIS_FUNCTION Owner(const Owner& other) : word_(other.copied()) {}
  TRELLIS_FUNCTION Owner(Owner&& other) noexcept : word_(other.word_) { other.word_ = 0; }
  TRELLIS_FUNCTION Owner& operator=(Owner other) noexcept {
    const std::uintptr_t mine = word_;
    word_ = other.word_;
    other.word_ = mine;
    return *this;
  }
  TRELLIS_FUNCTION ~Owner() { drop(); }

  TRELLIS_FUNCTION const Allocation* get() const { return pointer(); }

 private:
  static constexpr std::uintptr_t uncounted = 1;  // a bit that is always 0 in addresses

  TRELLIS_FUNCTION Allocation* pointer() const {
    return reinterpret_cast<Allocation*>(word_ & ~uncounted);  // NOLINT(performance-no-int-to-ptr)
  }
  TRELLIS_FUNCTION std::uintptr_t copied() const {
#if defined(TRELLIS_ON_DEVICE)
    return word_ | uncounted;
#else
    if (word_ == 0) return 0;
    Allocation* const allocation = pointer();
    if (backend::kernel_depth > 0 && !allocation->made_in_kernel) return word_ | uncounted;
    if ((word_ & uncounted) == 0) count_one_more(allocation);
    return word_;
#endif
  }
  TRELLIS_FUNCTION void drop() {
#if !defined(TRELLIS_ON_DEVICE)
    if (word_ != 0 && (word_ & uncounted) == 0) count_one_less(pointer());
#endif
  }

  std::uintptr_t word_ = 0;
};

}  // namespace trellis
