// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread of a GPU does, in kernels. Described in core/backend/thread.hpp, which includes this file.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis::backend {

// An instruction that the assembler respects too, which an empty asm statement is not.
TRELLIS_INLINE void hold_loads() { __syncwarp(__activemask()); }

template <class Word>
TRELLIS_INLINE Word compare_exchange_word(Word* x, Word from, Word to) {
  static_assert(sizeof(Word) >= 4, "atomics of a GPU have 4 or 8 bytes");
  if constexpr (sizeof(Word) == 8) {
    return atomicCAS(reinterpret_cast<unsigned long long*>(x), static_cast<unsigned long long>(from),
                     static_cast<unsigned long long>(to));
  } else {
    return atomicCAS(x, from, to);
  }
}
template <class Word>
TRELLIS_INLINE Word load_word(const Word* x) {
  return *static_cast<const volatile Word*>(x);
}
template <class Word>
TRELLIS_INLINE Word load_word_acquire(const Word* x) {
  const Word v = load_word(x);
  __threadfence();
  return v;
}
template <class Word>
TRELLIS_INLINE void store_word_release(Word* x, Word v) {
  __threadfence();
  *static_cast<volatile Word*>(x) = v;
}
template <class T>
inline constexpr bool adds_at_once = std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) >= 4);
template <class T>
TRELLIS_INLINE T add_at_once(T* x, T v) {
  if constexpr (std::is_floating_point_v<T>) {
    return atomicAdd(x, v);
  } else {
    using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    return static_cast<T>(atomicAdd(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
  }
}
// The unsigned and the signed integer of the same size, with the names that atomic functions take.
template <class T>
using unsigned_word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
template <class T>
using signed_word = std::conditional_t<sizeof(T) == 8, long long, int>;
template <class T>
inline constexpr bool has_atomic_word = sizeof(T) == 4 || sizeof(T) == 8;

template <class T>
inline constexpr bool combines_bits_at_once = std::is_integral_v<T> && has_atomic_word<T>;
template <class T>
TRELLIS_INLINE T and_at_once(T* x, T v) {
  using Word = unsigned_word<T>;
  return static_cast<T>(atomicAnd(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
}
template <class T>
TRELLIS_INLINE T or_at_once(T* x, T v) {
  using Word = unsigned_word<T>;
  return static_cast<T>(atomicOr(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
}
template <class T>
TRELLIS_INLINE T xor_at_once(T* x, T v) {
  using Word = unsigned_word<T>;
  return static_cast<T>(atomicXor(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
}
template <class T>
TRELLIS_INLINE T exchange_at_once(T* x, T v) {
  using Word = unsigned_word<T>;
  return __builtin_bit_cast(T, atomicExch(reinterpret_cast<Word*>(x), __builtin_bit_cast(Word, v)));
}

// Bits of floating-point numbers without a sign are ordered as signed integers, those with one backwards as unsigned
// ones; each order puts the other kind where it belongs.
template <class T>
inline constexpr bool orders_at_once =
    (std::is_integral_v<T> || std::is_floating_point_v<T>) && has_atomic_word<T> && !std::is_same_v<T, bool>;
template <class T>
TRELLIS_INLINE T min_at_once(T* x, T v) {
  using Signed = signed_word<T>;
  using Unsigned = unsigned_word<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const auto bits = __builtin_bit_cast(Signed, v);
    if (bits < 0) {
      return __builtin_bit_cast(T, atomicMax(reinterpret_cast<Unsigned*>(x), static_cast<Unsigned>(bits)));
    }
    return __builtin_bit_cast(T, atomicMin(reinterpret_cast<Signed*>(x), bits));
  } else {
    using Word = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
    return static_cast<T>(atomicMin(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
  }
}
template <class T>
TRELLIS_INLINE T max_at_once(T* x, T v) {
  using Signed = signed_word<T>;
  using Unsigned = unsigned_word<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const auto bits = __builtin_bit_cast(Signed, v);
    if (bits < 0) {
      return __builtin_bit_cast(T, atomicMin(reinterpret_cast<Unsigned*>(x), static_cast<Unsigned>(bits)));
    }
    return __builtin_bit_cast(T, atomicMax(reinterpret_cast<Signed*>(x), bits));
  } else {
    using Word = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
    return static_cast<T>(atomicMax(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
  }
}

// The assembler stops at this name, which says what is wrong.
template <class Memory>
inline constexpr bool out_of_reach = !Memory::cuda_reaches;
template <class Memory>
TRELLIS_INLINE void refuse_access(const Allocation*) {
  asm volatile("call a_kernel_on_the_GPU_touches_a_View_whose_memory_it_cannot_reach;");
}
TRELLIS_INLINE void stop_kernel() { __trap(); }

// Through the read-only cache, in the widest words that fit.
template <class T>
TRELLIS_INLINE T load_read_only(const T* from) {
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
}
template <class Part>
TRELLIS_INLINE Part load_past_caches(const Part* from) {
  using Words = std::conditional_t<sizeof(Part) == 16, uint4, std::conditional_t<sizeof(Part) == 8, uint2, unsigned>>;
  return __builtin_bit_cast(Part, __ldcs(reinterpret_cast<const Words*>(from)));
}
template <class Part>
TRELLIS_INLINE void store_past_caches(Part* to, const Part& part) {
  using Words = std::conditional_t<sizeof(Part) == 16, float4, float2>;
  __stcs(reinterpret_cast<Words*>(to), __builtin_bit_cast(Words, part));
}

inline constexpr bool in_warp = true;
__device__ __forceinline__ int lane_in_warp() { return int(threadIdx.x % 32); }
template <class T>
__device__ __forceinline__ T of_lane(const T& value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}
__device__ __forceinline__ void wait_for_warp() { __syncwarp(); }
template <class T, int Count, int Threads>
__device__ T* memory_of_warp() {
  __shared__ T memory[Threads / 32][Count];
  return memory[threadIdx.x / 32];
}

TRELLIS_INLINE std::int16_t nearest_int16_within(float a) {
  return static_cast<std::int16_t>(__float_as_uint(a + 12582912.0f));  // the bits of 3 * 2^22, with n in the low half
}
TRELLIS_INLINE std::int16_t nearest_int16(float a) {
  return nearest_int16_within(fminf(fmaxf(a, -32768.0f), 32767.0f));  // no branches
}
// The bits of int16_raise with n added to their low half: one instruction each, at full speed, where a conversion takes
// as long as eight.
TRELLIS_INLINE RaisedPair raised_int16_pair(std::uint32_t bits) {
  constexpr std::uint32_t raise = 0x4b008000u;
  std::uint32_t first;
  asm("lop3.b32 %0, %1, 0xffff, %2, 0x6a;" : "=r"(first) : "r"(bits), "r"(raise));  // (bits & 0xffff) ^ raise
  return {__uint_as_float(first), __int_as_float((static_cast<std::int32_t>(bits) >> 16) + int(raise))};
}

}  // namespace trellis::backend
