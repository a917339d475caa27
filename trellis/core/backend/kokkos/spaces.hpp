// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kokkos' execution and memory spaces as Trellis spaces; their contract is in trellis/core/kokkos.hpp. They live in
// trellis::backend, where dispatch finds run_for and the like by their type. Their template argument is a Kokkos space
// as a value: if it were a type, unqualified calls of parallel_for would also find Kokkos' own, and be ambiguous.

#include <Kokkos_Core.hpp>
#include <exception>
#include <memory>
#include <string>

#include "trellis/core/error.hpp"
#include "trellis/core/layout.hpp"
#include "trellis/core/runtime/allocation.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::backend {

inline void require_kokkos(const char* what) {
  if (!::Kokkos::is_initialized()) {
    fail("{}: Kokkos is not running; it must come after Kokkos::initialize and before Kokkos::finalize", what);
  }
}

template <class T>
struct KokkosType {
  using type = T;
};
template <auto Named>  // nvcc treats it as a reference
using kokkos_type = typename std::remove_cvref_t<decltype(Named)>::type;
template <auto Space>
struct KokkosExecutionOf;
template <auto Space>
struct KokkosMemoryOf;
template <class Space = ::Kokkos::DefaultExecutionSpace>
using KokkosExecution = KokkosExecutionOf<KokkosType<Space>{}>;
template <class Memory = ::Kokkos::DefaultExecutionSpace::memory_space>
using KokkosMemory = KokkosMemoryOf<KokkosType<Memory>{}>;

template <auto Type>
struct KokkosMemoryOf {
  using Memory = kokkos_type<Type>;
  static constexpr bool is_memory_space = true;
  static constexpr bool host_reaches = ::Kokkos::SpaceAccessibility<::Kokkos::HostSpace, Memory>::accessible;
#if defined(KOKKOS_ENABLE_CUDA)
  static constexpr bool cuda_reaches = ::Kokkos::SpaceAccessibility<::Kokkos::Cuda, Memory>::accessible;
#else
  static constexpr bool cuda_reaches = false;
#endif
  static constexpr const char* name = "KokkosMemory";
  using execution_space = KokkosExecution<typename Memory::execution_space>;  // copies and fills
  using default_layout =
      std::conditional_t<std::is_same_v<typename Memory::execution_space::array_layout, ::Kokkos::LayoutLeft>,
                         LayoutLeft, LayoutRight>;
};

// Trellis' name for a memory space of Kokkos: its own if it has one.
template <class Memory>
struct MemoryOfKokkos {
  using type = KokkosMemory<Memory>;
};
template <>
struct MemoryOfKokkos<::Kokkos::HostSpace> {
  using type = HostSpace;
};
#if defined(KOKKOS_ENABLE_CUDA) && defined(TRELLIS_BACKEND_CUDA)
template <>
struct MemoryOfKokkos<::Kokkos::CudaSpace> {
  using type = CudaSpace;
};
template <>
struct MemoryOfKokkos<::Kokkos::CudaHostPinnedSpace> {
  using type = CudaHostPinnedSpace;
};
template <>
struct MemoryOfKokkos<::Kokkos::CudaUVMSpace> {
  using type = CudaManagedSpace;
};
#endif

// And Kokkos' name for one of Trellis' spaces.
template <class Memory>
struct KokkosOfMemory;
template <auto Type>
struct KokkosOfMemory<KokkosMemoryOf<Type>> {
  using type = kokkos_type<Type>;
};
template <>
struct KokkosOfMemory<HostSpace> {
  using type = ::Kokkos::HostSpace;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct KokkosOfMemory<CudaSpace> {
  using type = ::Kokkos::CudaSpace;
};
template <>
struct KokkosOfMemory<CudaHostPinnedSpace> {
  using type = ::Kokkos::CudaHostPinnedSpace;
};
template <>
struct KokkosOfMemory<CudaManagedSpace> {
  using type = ::Kokkos::CudaUVMSpace;
};
#endif

template <auto Type>
struct KokkosExecutionOf {
  using Space = kokkos_type<Type>;
  static_assert(::Kokkos::is_execution_space<Space>::value, "KokkosExecution is made of an execution space of Kokkos");
  using memory_space = typename MemoryOfKokkos<typename Space::memory_space>::type;
  static constexpr const char* name = "KokkosExecution";

  KokkosExecutionOf() : instance_(default_instance()) {}
  // Not explicit: an instance of a Kokkos space converts to ours.
  KokkosExecutionOf(const Space& instance) : instance_(instance) {}

  static int concurrency() { return default_instance().concurrency(); }
  void fence() const { instance_.fence(); }
  const Space& instance() const { return instance_; }

 private:
  static Space default_instance() {
    require_kokkos("KokkosExecution");
    return Space{};
  }

  Space instance_;
};

// Kernels here run on the host, so Trellis cuts up the work in its own way.
template <class Space>
inline constexpr bool kokkos_runs_on_host = ::Kokkos::SpaceAccessibility<Space, ::Kokkos::HostSpace>::accessible;

// Bytes as a Kokkos View, for its deep_copy.
template <class Memory, class Byte>
using KokkosBytes = ::Kokkos::View<Byte*, ::Kokkos::LayoutRight, Memory, ::Kokkos::MemoryTraits<::Kokkos::Unmanaged>>;

template <auto Type>
Allocation* allocate(KokkosMemoryOf<Type>, std::string_view label, std::size_t bytes, bool zero) {
  using Memory = kokkos_type<Type>;
  require_kokkos("allocate");
  auto owned = std::make_unique<Allocation>();
  owned->bytes = bytes;
  owned->label = label;
  // If a View outlives Kokkos, its memory is already gone.
  owned->deallocate = [](void* data, std::size_t) {
    if (::Kokkos::is_initialized()) ::Kokkos::kokkos_free<Memory>(data);
  };
  if (bytes > 0) {
    try {
      owned->data = ::Kokkos::kokkos_malloc<Memory>(owned->label, bytes);
    } catch (const std::exception&) {
      // Kokkos' own message is a list of advice.
    }
    if (owned->data == nullptr) {
      fail("View '{}': cannot allocate {} bytes in KokkosMemory ({})", label, bytes, Memory::name());
    }
    if (zero) ::Kokkos::deep_copy(KokkosBytes<Memory, char>(static_cast<char*>(owned->data), bytes), char{0});
  }
  return owned.release();
}

template <class To, class From>
void copy_kokkos_bytes(void* to, const void* from, std::size_t bytes) {
  require_kokkos("deep_copy");
  ::Kokkos::deep_copy(KokkosBytes<To, char>(static_cast<char*>(to), bytes),
                      KokkosBytes<From, const char>(static_cast<const char*>(from), bytes));
  ::Kokkos::fence();
}

template <auto To, auto From>
void copy_bytes(KokkosMemoryOf<To>, void* to, KokkosMemoryOf<From>, const void* from, std::size_t bytes) {
  copy_kokkos_bytes<kokkos_type<To>, kokkos_type<From>>(to, from, bytes);
}
template <auto To>
void copy_bytes(KokkosMemoryOf<To>, void* to, HostSpace, const void* from, std::size_t bytes) {
  copy_kokkos_bytes<kokkos_type<To>, ::Kokkos::HostSpace>(to, from, bytes);
}
template <auto From>
void copy_bytes(HostSpace, void* to, KokkosMemoryOf<From>, const void* from, std::size_t bytes) {
  copy_kokkos_bytes<::Kokkos::HostSpace, kokkos_type<From>>(to, from, bytes);
}

}  // namespace trellis::backend

namespace trellis {

// Kokkos knows which of its spaces can access what.
template <auto Space, auto Memory>
inline constexpr bool can_access<backend::KokkosExecutionOf<Space>, backend::KokkosMemoryOf<Memory>> =
    ::Kokkos::SpaceAccessibility<backend::kokkos_type<Space>, backend::kokkos_type<Memory>>::accessible;

}  // namespace trellis
