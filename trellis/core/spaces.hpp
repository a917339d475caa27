// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Execution and memory spaces, as types.
//
// An execution space is where a kernel runs: Serial, OpenMP (absent when TRELLIS_BACKEND=serial) or Cuda (only when
// TRELLIS_BACKEND=cuda). A memory space is where data lies: HostSpace or CudaSpace. The two are related by
// can_access<Exec, MemorySpace>; a kernel that touches memory its space cannot see does not compile where the compiler
// can know it (require_access<Exec, View...>()).
//
// DefaultExecutionSpace follows TRELLIS_BACKEND; programs name no other. DefaultHostExecutionSpace is its companion for
// work on host memory. Execution spaces are values (a policy carries one), so that instances can later be distinct.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace trellis {

using Index = std::int64_t;  // of sites, extents and offsets

struct HostSpace {
  static constexpr const char* name = "HostSpace";
};

// The GPU's own memory. The type always exists; memory in it can be allocated only when TRELLIS_BACKEND=cuda.
struct CudaSpace {
  static constexpr const char* name = "CudaSpace";
};

// One thread, the caller's; the order of work is the order of indices.
struct Serial {
  using memory_space = HostSpace;
  static constexpr const char* name = "Serial";
  static int concurrency() { return 1; }
  void fence() const {}
};

#if !defined(TRELLIS_BACKEND_SERIAL)
#define TRELLIS_HAS_OPENMP 1
// The threads of OpenMP, as many as set_thread_count() or OMP_NUM_THREADS said.
struct OpenMP {
  using memory_space = HostSpace;
  static constexpr const char* name = "OpenMP";
  static int concurrency();
  void fence() const {}
};
using DefaultHostExecutionSpace = OpenMP;
#else
using DefaultHostExecutionSpace = Serial;
#endif

#if defined(TRELLIS_BACKEND_CUDA)
// The current CUDA device. Kernels are asynchronous: fence() before the host reads what they wrote.
struct Cuda {
  using memory_space = CudaSpace;
  static constexpr const char* name = "Cuda";
  static int concurrency();  // threads resident on the device at once
  void fence() const;        // throws Error when a kernel before it failed
};
using DefaultExecutionSpace = Cuda;
#else
using DefaultExecutionSpace = DefaultHostExecutionSpace;
#endif

using DefaultMemorySpace = DefaultExecutionSpace::memory_space;

template <class T>
concept ExecutionSpace = requires(const T space) {
  typename T::memory_space;
  { T::concurrency() } -> std::convertible_to<int>;
  space.fence();
};

// True when code that runs in Exec may dereference pointers into MemorySpace.
template <class Exec, class MemorySpace>
inline constexpr bool can_access = std::is_same_v<typename Exec::memory_space, MemorySpace>;

// Fails to compile unless every View can be reached from Exec.
template <class Exec, class... Views>
constexpr void require_access() {
  static_assert((can_access<Exec, typename Views::memory_space> && ...),
                "this execution space cannot access the memory space of a View: use create_mirror_view and deep_copy");
}

// Waits for all work given to every execution space; throws Error when some of it failed.
void fence();

// Threads that the default host execution space uses: its count, and how to set it (1 or more; Serial ignores it).
int concurrency();
void set_thread_count(int count);

}  // namespace trellis
