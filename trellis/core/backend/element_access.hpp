// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an element of a View is to a machine: whether code may touch it, and how one is read that nobody writes.

#include <cstddef>
#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis {

struct Allocation;
namespace detail {
[[noreturn]] void throw_out_of_reach(const Allocation* allocation, const char* space);
}

namespace backend {

// What this compiler reads runs on hosts, so that an access out of their reach need not compile.
#if defined(TRELLIS_DEVICE_COMPILER)
inline constexpr bool host_code_alone = false;
#else
inline constexpr bool host_code_alone = true;
#endif

// nvcc compiles a kernel's functor for both sides, so that there only code for the GPU can be held to what it reaches:
// its assembler stops at the name below. Host code that touches a device's memory throws.
#if defined(__CUDA_ARCH__)
template <class Memory>
inline constexpr bool out_of_reach = !Memory::cuda_reaches;
#elif defined(__CUDACC__)
template <class Memory>
inline constexpr bool out_of_reach = !Memory::host_reaches;
#else
template <class Memory>
inline constexpr bool out_of_reach = false;
#endif
template <class Memory>
TRELLIS_INLINE void refuse_access([[maybe_unused]] const Allocation* allocation) {
#if defined(__CUDA_ARCH__)
  asm volatile("call a_kernel_on_the_GPU_touches_a_View_whose_memory_it_cannot_reach;");
#else
  detail::throw_out_of_reach(allocation, Memory::name);
#endif
}

// On a GPU through the read-only cache, in the widest words that fit.
template <class T>
TRELLIS_INLINE T load_read_only(const T* from) {
#if defined(__CUDA_ARCH__)
  constexpr std::size_t bytes = sizeof(T);
  using Word = std::conditional_t<
      bytes % 16 == 0 && alignof(T) % 16 == 0, int4,
      std::conditional_t<bytes % 8 == 0 && alignof(T) % 8 == 0, int2, std::conditional_t<bytes % 4 == 0, int, char>>>;
  union {
    Word words[bytes / sizeof(Word)];
    T value;
  } held;
  for (std::size_t w = 0; w < bytes / sizeof(Word); ++w) held.words[w] = __ldg(reinterpret_cast<const Word*>(from) + w);
  return held.value;
#else
  return *from;
#endif
}

// Ends the kernel that calls it, and the program with it.
TRELLIS_INLINE void stop_kernel() {
#if defined(__CUDA_ARCH__)
  __trap();
#else
  __builtin_trap();
#endif
}

}  // namespace backend
}  // namespace trellis
