// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Execution and memory spaces, as types.
//
// An execution space is where a kernel runs: Serial, Threads, OpenMP (absent if TRELLIS_BACKEND=serial or threads),
// Cuda (only if TRELLIS_BACKEND=cuda). A memory space is where data is stored:
//   HostSpace             memory of the host
//   CudaSpace             the GPU's own
//   CudaHostPinnedSpace   pinned host memory: both sides can access it, the GPU at the speed of the bus
//   CudaManagedSpace      pages that move to the side that touches them
//   ScratchSpace          memory of a team, while its kernel runs (team_policy.hpp)
// can_access<Exec, MemorySpace> relates the two; code that accesses a View out of its space's reach does not compile.
//
// DefaultExecutionSpace follows TRELLIS_BACKEND; programs name no other. DefaultHostExecutionSpace is its counterpart
// for work on host memory. Execution spaces are values, which policies carry: Instances<Exec> gives several at a time.
// Kernels launched in one instance run in order; those of different instances of Cuda may overlap. Host spaces run a
// kernel before its dispatch returns, whatever the instance.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "trellis/core/config.hpp"
#if defined(TRELLIS_BACKEND_CUDA)
#include <vector>

struct CUstream_st;
#endif

namespace trellis {

using Index = std::int64_t;  // of sites, extents and offsets

// The types always exist, but GPU memory can be allocated only if TRELLIS_BACKEND=cuda.
struct HostSpace {
  static constexpr bool is_memory_space = true, host_reaches = true, cuda_reaches = false;
  static constexpr const char* name = "HostSpace";
};
struct LayoutLeft;  // the default in a GPU's own memory; pinned memory is the host's
struct CudaSpace {
  using default_layout = LayoutLeft;
  static constexpr bool is_memory_space = true, host_reaches = false, cuda_reaches = true;
  static constexpr const char* name = "CudaSpace";
};
struct CudaHostPinnedSpace {
  static constexpr bool is_memory_space = true, host_reaches = true, cuda_reaches = true;
  static constexpr const char* name = "CudaHostPinnedSpace";
};
struct CudaManagedSpace {
  using default_layout = LayoutLeft;
  static constexpr bool is_memory_space = true, host_reaches = true, cuda_reaches = true;
  static constexpr const char* name = "CudaManagedSpace";
};
struct ScratchSpace {
  static constexpr bool is_memory_space = true, host_reaches = true, cuda_reaches = true;
  static constexpr const char* name = "ScratchSpace";
};

// One thread, the caller's; works in the order of indices.
struct Serial {
  using memory_space = HostSpace;
  static constexpr const char* name = "Serial";
  static int concurrency() { return 1; }
  void fence() const {}
};

// A pool of std::thread, as many as set by set_thread_count(), otherwise as OpenMP has or, without it, as
// OMP_NUM_THREADS says, or there are processors for this process. A dispatch within a kernel of this space has one
// thread.
struct Threads {
  using memory_space = HostSpace;
  static constexpr const char* name = "Threads";
  static int concurrency();
  void fence() const {}
};

#if !defined(TRELLIS_BACKEND_SERIAL) && !defined(TRELLIS_BACKEND_THREADS)
#define TRELLIS_HAS_OPENMP 1
// OpenMP's threads, as many as set by set_thread_count() or OMP_NUM_THREADS.
struct OpenMP {
  using memory_space = HostSpace;
  static constexpr const char* name = "OpenMP";
  static int concurrency();
  void fence() const {}
};
using DefaultHostExecutionSpace = OpenMP;
#elif defined(TRELLIS_BACKEND_THREADS)
using DefaultHostExecutionSpace = Threads;
#else
using DefaultHostExecutionSpace = Serial;
#endif

#if defined(TRELLIS_BACKEND_CUDA)
// The current CUDA device, and one of its streams: the default one, or one that the caller owns. Kernels are
// asynchronous: call fence() before the host reads what they wrote.
struct Cuda {
  using memory_space = CudaSpace;
  static constexpr const char* name = "Cuda";
  static int concurrency();  // number of threads resident on the device at once
  void fence() const;        // waits for this stream; throws Error if an earlier kernel failed
  CUstream_st* stream = nullptr;
};
using DefaultExecutionSpace = Cuda;
#else
using DefaultExecutionSpace = DefaultHostExecutionSpace;
#endif

using DefaultMemorySpace = DefaultExecutionSpace::memory_space;

template <class T>
concept MemorySpace = requires { requires T::is_memory_space; };

template <class T>
concept ExecutionSpace = requires(const T space) {
  typename T::memory_space;
  { T::concurrency() } -> std::convertible_to<int>;
  space.fence();
};

// True if code that runs in Exec may dereference pointers into Memory.
template <class Exec, class Memory>
inline constexpr bool can_access = std::is_same_v<typename Exec::memory_space, Memory> ||
                                   (std::is_same_v<typename Exec::memory_space, HostSpace> && Memory::host_reaches) ||
                                   (std::is_same_v<typename Exec::memory_space, CudaSpace> && Memory::cuda_reaches);

// True where the default execution space reaches the host's memory: its kernels are loops on a CPU.
inline constexpr bool kernels_on_host = can_access<DefaultExecutionSpace, HostSpace>;

// Fails to compile unless Exec can access every View.
template <class Exec, class... Views>
constexpr void require_access() {
  static_assert((can_access<Exec, typename Views::memory_space> && ...),
                "this execution space cannot access the memory space of a View: use create_mirror_view and deep_copy");
}

// `count` instances of a space, distinct if the space can run kernels concurrently (streams of Cuda). They are
// destroyed with this object; its destructor waits for them.
template <ExecutionSpace Exec>
class Instances {
 public:
  explicit Instances(int count) : count_(count) {}
  int size() const { return count_; }
  Exec operator[](int) const { return Exec{}; }

 private:
  int count_;
};

#if defined(TRELLIS_BACKEND_CUDA)
template <>
class Instances<Cuda> {
 public:
  explicit Instances(int count);
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;
  ~Instances();
  int size() const { return static_cast<int>(streams_.size()); }
  Cuda operator[](int i) const { return Cuda{streams_.at(static_cast<std::size_t>(i))}; }

 private:
  std::vector<CUstream_st*> streams_;
};
#endif

// Waits for all work in every execution space; throws Error if some of it failed.
void fence();

// Threads that the default host execution space uses: its count, and how to set it, for Threads as well (1 or more;
// Serial ignores it).
int concurrency();
void set_thread_count(int count);

}  // namespace trellis
