// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread does besides arithmetic: atomic operations on words, accesses to elements of Views, exchange with the
// other threads of its warp, loads and stores past the caches, and conversion of 16-bit integers. These are the host's
// versions. There a thread is alone: in_warp is false, and functions that need a warp are not called. A device's
// backend has its versions in thread.cuh.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis {

struct Allocation;
namespace detail {
[[noreturn]] void throw_out_of_reach(const Allocation* allocation, const char* space);
}

namespace backend {

// Whether this compiler's code runs only on hosts, so that accesses to memory out of their reach need not compile.
#if defined(TRELLIS_DEVICE_COMPILER)
inline constexpr bool host_code_alone = false;
#else
inline constexpr bool host_code_alone = true;
#endif

// Two 16-bit integers as floats, raised by int16_raise.
inline constexpr float int16_raise = 8388608.0f + 32768.0f;
struct RaisedPair {
  float first, second;
};

}  // namespace backend
}  // namespace trellis

#if defined(TRELLIS_DEVICE_PASS)
#include TRELLIS_DEVICE_HEADER(thread.cuh)
#else
namespace trellis::backend {

// Loads below are not moved above. A GPU's compiler loads as early as it can, and runs out of registers for it: in long
// arithmetic on matrices, numbers are better read a second time, from the first-level cache.
TRELLIS_INLINE void hold_loads() {}

// Replaces the bits of *x by `to` if they are `from`; returns what they were. The memory order of all these is relaxed.
template <class Word>
TRELLIS_INLINE Word compare_exchange_word(Word* x, Word from, Word to) {
  __atomic_compare_exchange_n(x, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return from;
}
template <class Word>
TRELLIS_INLINE Word load_word(const Word* x) {
  return __atomic_load_n(x, __ATOMIC_RELAXED);
}
// The same, after which this thread sees what another wrote before it stored the word that was loaded, and a store that
// makes others see what this thread wrote before.
template <class Word>
TRELLIS_INLINE Word load_word_acquire(const Word* x) {
  return __atomic_load_n(x, __ATOMIC_ACQUIRE);
}
template <class Word>
TRELLIS_INLINE void store_word_release(Word* x, Word v) {
  __atomic_store_n(x, v, __ATOMIC_RELEASE);
}
// Whether one atomic instruction can add to a T. add_at_once() returns what *x was.
template <class T>
inline constexpr bool adds_at_once = std::is_integral_v<T>;
template <class T>
TRELLIS_INLINE T add_at_once(T* x, T v) {
  return __atomic_fetch_add(x, v, __ATOMIC_RELAXED);
}
// Whether one atomic instruction can combine bits of a T: and_at_once(), or_at_once(), xor_at_once().
template <class T>
inline constexpr bool combines_bits_at_once = std::is_integral_v<T>;
template <class T>
TRELLIS_INLINE T and_at_once(T* x, T v) {
  return __atomic_fetch_and(x, v, __ATOMIC_RELAXED);
}
template <class T>
TRELLIS_INLINE T or_at_once(T* x, T v) {
  return __atomic_fetch_or(x, v, __ATOMIC_RELAXED);
}
template <class T>
TRELLIS_INLINE T xor_at_once(T* x, T v) {
  return __atomic_fetch_xor(x, v, __ATOMIC_RELAXED);
}
template <class T>
TRELLIS_INLINE T exchange_at_once(T* x, T v) {
  __atomic_exchange(x, &v, &v, __ATOMIC_RELAXED);
  return v;
}
// Whether one atomic instruction can keep the smaller or the larger of two: min_at_once(), max_at_once(), for v that is
// not NaN. Processors have none.
template <class T>
inline constexpr bool orders_at_once = false;
template <class T>
T min_at_once(T*, T v) {
  return v;
}
template <class T>
T max_at_once(T*, T v) {
  return v;
}

// Whether an access to an element must compile although it must not run: nvcc compiles a kernel's functor for the host
// as well as for the GPU, so only code for the GPU can be refused when it is compiled. Host code throws when it runs.
#if defined(TRELLIS_DEVICE_SOURCE)
template <class Memory>
inline constexpr bool out_of_reach = !Memory::host_reaches;
#else
template <class Memory>
inline constexpr bool out_of_reach = false;
#endif
template <class Memory>
TRELLIS_INLINE void refuse_access(const Allocation* allocation) {
  detail::throw_out_of_reach(allocation, Memory::name);
}
// Ends the kernel that calls it, and with it the program.
TRELLIS_INLINE void stop_kernel() { __builtin_trap(); }

// Loads an element that no kernel writes in the meantime.
template <class T>
TRELLIS_INLINE T load_read_only(const T* from) {
  return *from;
}
// For 4, 8 or 16 bytes (stores: 8 or 16) that will not be read again soon.
template <class Part>
TRELLIS_INLINE Part load_past_caches(const Part* from) {
  return *from;
}
template <class Part>
TRELLIS_INLINE void store_past_caches(Part* to, const Part& part) {
  *to = part;
}

inline constexpr bool in_warp = false;
inline int lane_in_warp() { return 0; }
// The `value` of another thread of the warp. All its threads must call this.
template <class T>
T of_lane(const T& value, int) {
  return value;
}
// Waits for all threads of the warp; afterwards each sees what the others wrote.
inline void wait_for_warp() {}
// Memory that the threads of a warp share, in blocks of at most `Threads` threads.
template <class T, int Count, int Threads>
T* memory_of_warp() {
  return nullptr;
}

// The nearest 16-bit integer, ties to even. Numbers that are too large become the largest one; those that are too
// small, and NaN, the least, as on machines that have an instruction for this.
TRELLIS_INLINE std::int16_t nearest_int16(float a) {
  if (!(a > -32768.0f)) return -32768;
  if (a >= 32767.0f) return 32767;
  return static_cast<std::int16_t>(std::nearbyint(a));
}
// For numbers within range, or not finite: the latter become anything.
TRELLIS_INLINE std::int16_t nearest_int16_within(float a) { return static_cast<std::int16_t>(std::nearbyint(a)); }

TRELLIS_INLINE RaisedPair raised_int16_pair(std::uint32_t bits) {
  return {float(static_cast<std::int16_t>(bits)) + int16_raise,
          float(static_cast<std::int16_t>(bits >> 16)) + int16_raise};
}

}  // namespace trellis::backend
#endif

namespace trellis {  // fields in 16-bit integers are made with these
using backend::int16_raise;
using backend::nearest_int16;
using backend::nearest_int16_within;
}  // namespace trellis
