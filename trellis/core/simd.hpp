// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// simd<T, W>: W numbers of type T, on all of which one instruction (or a few) operates at once. Kernels are written for
// a lane type S, which is lanes_t<T, W>: plain T for W = 1; for W > 1, simd<T, W> or, where kernels run on a GPU,
// warp_lanes<T, W> (backend/cuda/warp_lanes.hpp), whose lanes are threads. Code that must look at individual lanes
// loops over own_lanes<S>(): all of them, or the thread's own.
//
// Arithmetic is elementwise and never fused behind the caller's back: a * b + c rounds twice, fma(a, b, c) once, the
// same for every W, so that results do not depend on W. T is float, double or std::int64_t; W is a power of two.
// W lanes occupy W / N machine registers of N lanes; if they do not fill one, a shorter register is used.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "trellis/core/backend/lane_type.hpp"
#include "trellis/core/backend/simd_permute.hpp"
#include "trellis/core/backend/simd_register.hpp"
#include "trellis/core/backend/thread.hpp"
#include "trellis/core/config.hpp"

namespace trellis {

template <class T, int W>
struct simd_mask;

template <class T, int W>
struct simd {
  static_assert(W >= 2 && std::has_single_bit(unsigned(W)), "lane counts are powers of two");
  static constexpr int native = W * int(sizeof(T)) > backend::register_bytes ? backend::register_bytes / int(sizeof(T))
                                                                             : W;
  static constexpr int registers = W / native;
  using scalar = T;
  using mask = simd_mask<T, W>;
  using register_type = backend::register_t<T, native>;
  using in_memory = typename backend::Register<T, native>::in_memory;
  using integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  static constexpr int width = W;

  register_type r[registers];

  simd() = default;
  TRELLIS_INLINE simd(T value) {
    for (int i = 0; i < registers; ++i) r[i] = value - register_type{};
  }

  // p is aligned to min(W * sizeof(T), 64) bytes.
  TRELLIS_INLINE static simd load(const T* p) {
    simd v;
    for (int i = 0; i < registers; ++i) v.r[i] = reinterpret_cast<const in_memory*>(p)[i];
    return v;
  }
  TRELLIS_INLINE void store(T* p) const {
    for (int i = 0; i < registers; ++i) reinterpret_cast<in_memory*>(p)[i] = r[i];
  }
  TRELLIS_INLINE void stream(T* p) const {
    for (int i = 0; i < registers; ++i) backend::stream<T, native>(p + i * native, r[i]);
  }
  TRELLIS_INLINE T operator[](int lane) const { return r[lane / native][lane % native]; }
  TRELLIS_INLINE void set(int lane, T value) { r[lane / native][lane % native] = value; }
};

// True in the lanes where a comparison holds: all bits of a lane set, or none.
template <class T, int W>
struct simd_mask {
  using bits = simd<typename simd<T, W>::integer, W>;
  bits b;
  TRELLIS_INLINE bool operator[](int lane) const { return b[lane] != 0; }
};

#define TRELLIS_SIMD_BINARY(op)                                                           \
  template <class T, int W>                                                               \
  TRELLIS_INLINE simd<T, W> operator op(const simd<T, W>& a, const simd<T, W>& b) {       \
    simd<T, W> c;                                                                         \
    for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = a.r[i] op b.r[i];            \
    return c;                                                                             \
  }                                                                                       \
  template <class T, int W>                                                               \
  TRELLIS_INLINE simd<T, W> operator op(const simd<T, W>& a, std::type_identity_t<T> b) { \
    return a op simd<T, W>(b);                                                            \
  }                                                                                       \
  template <class T, int W>                                                               \
  TRELLIS_INLINE simd<T, W> operator op(std::type_identity_t<T> a, const simd<T, W>& b) { \
    return simd<T, W>(a) op b;                                                            \
  }                                                                                       \
  template <class T, int W>                                                               \
  TRELLIS_INLINE simd<T, W>& operator op##=(simd<T, W>& a, const simd<T, W>& b) {         \
    return a = a op b;                                                                    \
  }
TRELLIS_SIMD_BINARY(+)
TRELLIS_SIMD_BINARY(-)
TRELLIS_SIMD_BINARY(*)
TRELLIS_SIMD_BINARY(/)
#undef TRELLIS_SIMD_BINARY

#define TRELLIS_SIMD_COMPARE(op)                                                                    \
  template <class T, int W>                                                                         \
  TRELLIS_INLINE simd_mask<T, W> operator op(const simd<T, W>& a, const simd<T, W>& b) {            \
    simd_mask<T, W> m;                                                                              \
    for (int i = 0; i < simd<T, W>::registers; ++i)                                                 \
      m.b.r[i] = reinterpret_cast<typename simd_mask<T, W>::bits::register_type>(a.r[i] op b.r[i]); \
    return m;                                                                                       \
  }
TRELLIS_SIMD_COMPARE(<)
TRELLIS_SIMD_COMPARE(<=)
TRELLIS_SIMD_COMPARE(>)
TRELLIS_SIMD_COMPARE(>=)
#undef TRELLIS_SIMD_COMPARE

template <class T, int W>
TRELLIS_INLINE simd<T, W> operator-(const simd<T, W>& a) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = -a.r[i];
  return c;
}

template <class T, int W>
TRELLIS_INLINE simd<T, W> fma(const simd<T, W>& a, const simd<T, W>& b, const simd<T, W>& c) {
  simd<T, W> d;
  for (int i = 0; i < simd<T, W>::registers; ++i) d.r[i] = backend::fma<T, simd<T, W>::native>(a.r[i], b.r[i], c.r[i]);
  return d;
}

// c - a b, rounded once
template <class T, int W>
TRELLIS_INLINE simd<T, W> negated_fma(const simd<T, W>& a, const simd<T, W>& b, const simd<T, W>& c) {
  simd<T, W> d;
  for (int i = 0; i < simd<T, W>::registers; ++i)
    d.r[i] = backend::negated_fma<T, simd<T, W>::native>(a.r[i], b.r[i], c.r[i]);
  return d;
}

template <class T, int W>
TRELLIS_INLINE simd<T, W> sqrt(const simd<T, W>& a) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = backend::sqrt<T, simd<T, W>::native>(a.r[i]);
  return c;
}

template <class T, int W>
TRELLIS_INLINE simd<T, W> select(const simd_mask<T, W>& m, const simd<T, W>& yes, const simd<T, W>& no) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = m.b.r[i] ? yes.r[i] : no.r[i];
  return c;
}

template <class T, int W>
TRELLIS_INLINE simd_mask<T, W> operator&(const simd_mask<T, W>& a, const simd_mask<T, W>& b) {
  simd_mask<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.b.r[i] = a.b.r[i] & b.b.r[i];
  return c;
}
template <class T, int W>
TRELLIS_INLINE simd_mask<T, W> operator|(const simd_mask<T, W>& a, const simd_mask<T, W>& b) {
  simd_mask<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.b.r[i] = a.b.r[i] | b.b.r[i];
  return c;
}
template <class T, int W>
TRELLIS_INLINE simd_mask<T, W> operator!(const simd_mask<T, W>& a) {
  simd_mask<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.b.r[i] = ~a.b.r[i];
  return c;
}

template <class T, int W>
TRELLIS_INLINE bool any(const simd_mask<T, W>& m) {
  auto all_bits = m.b.r[0];
  for (int i = 1; i < simd<T, W>::registers; ++i) all_bits |= m.b.r[i];
  return backend::any_lane<typename simd<T, W>::integer, simd<T, W>::native>(all_bits);
}
template <class T, int W>
TRELLIS_INLINE bool all(const simd_mask<T, W>& m) {
  return !any(!m);
}

template <class T, int W>
TRELLIS_INLINE simd<T, W> abs(const simd<T, W>& a) {
  using I = typename simd<T, W>::integer;
  simd<T, W> c;
  using bits = typename simd_mask<T, W>::bits::register_type;
  for (int i = 0; i < simd<T, W>::registers; ++i)
    c.r[i] = reinterpret_cast<typename simd<T, W>::register_type>(reinterpret_cast<bits>(a.r[i]) &
                                                                  std::numeric_limits<I>::max());
  return c;
}

namespace simd_detail {
template <class T, int W>
TRELLIS_INLINE simd<T, W> permute_registers(const simd<T, W>& a, const std::int32_t* from) {
  constexpr int n = simd<T, W>::native;
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = backend::permute<T, n>(a.r, from + i * n);
  return c;
}
// Not inlined: its length grows as the square of the number of registers.
template <class T, int W>
[[gnu::noinline]] simd<T, W> permute_many_registers(const simd<T, W>& a, const std::int32_t* from) {
  return permute_registers(a, from);
}
}  // namespace simd_detail

// Lane l of the result is lane from[l] of the operand. The permutation is data.
template <class T, int W>
TRELLIS_INLINE simd<T, W> permute(const simd<T, W>& a, const std::int32_t* from) {
  if constexpr (simd<T, W>::registers <= 2)
    return simd_detail::permute_registers(a, from);
  else
    return simd_detail::permute_many_registers(a, from);
}

template <class To, class T, int W>
TRELLIS_INLINE simd<To, W> convert(const simd<T, W>& a) {
  if constexpr (std::is_same_v<To, T>) {
    return a;
  } else if constexpr (simd<To, W>::registers == simd<T, W>::registers) {
    simd<To, W> c;
    for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = backend::convert<To, T, simd<T, W>::native>(a.r[i]);
    return c;
  } else if constexpr (simd<To, W>::registers == 2 * simd<T, W>::registers) {
    constexpr int half = simd<To, W>::native;
    simd<To, W> c;
    for (int i = 0; i < simd<T, W>::registers; ++i) {
      const auto part = backend::halves<T, half>(a.r[i]);
      c.r[2 * i] = backend::convert<To, T, half>(part.low);
      c.r[2 * i + 1] = backend::convert<To, T, half>(part.high);
    }
    return c;
  } else {
    static_assert(simd<T, W>::registers == 2 * simd<To, W>::registers);
    constexpr int half = simd<T, W>::native;
    simd<To, W> c;
    for (int i = 0; i < simd<To, W>::registers; ++i)
      c.r[i] = backend::join<To, half>(backend::convert<To, T, half>(a.r[2 * i]),
                                       backend::convert<To, T, half>(a.r[2 * i + 1]));
    return c;
  }
}

// The same bits, read as another type of the same size.
template <class To, class T, int W>
TRELLIS_INLINE simd<To, W> bit_cast_lanes(const simd<T, W>& a) {
  static_assert(sizeof(To) == sizeof(T));
  simd<To, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i)
    c.r[i] = reinterpret_cast<typename simd<To, W>::register_type>(a.r[i]);
  return c;
}

// Integer lanes: shifts by a constant, bitwise and/or.
template <int Bits, class T, int W>
TRELLIS_INLINE simd<T, W> shift_left(const simd<T, W>& a) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = a.r[i] << Bits;
  return c;
}
template <int Bits, class T, int W>
TRELLIS_INLINE simd<T, W> shift_right(const simd<T, W>& a) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = a.r[i] >> Bits;
  return c;
}
template <class T, int W>
TRELLIS_INLINE simd<T, W> bit_and(const simd<T, W>& a, T b) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = a.r[i] & b;
  return c;
}
template <class T, int W>
TRELLIS_INLINE simd<T, W> bit_or(const simd<T, W>& a, T b) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = a.r[i] | b;
  return c;
}
template <class T, int W>
TRELLIS_INLINE simd<T, W> bit_xor(const simd<T, W>& a, const simd<T, W>& b) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i) c.r[i] = a.r[i] ^ b.r[i];
  return c;
}
// For unsigned numbers: the upper half of each lane, and the product of the lower halves.
template <int W>
TRELLIS_INLINE simd<std::int64_t, W> high_halves(const simd<std::int64_t, W>& a) {
  using I = simd<std::int64_t, W>;
  using U = backend::register_t<std::uint64_t, I::native>;
  I c;
  for (int i = 0; i < I::registers; ++i) c.r[i] = (typename I::register_type)((U)a.r[i] >> 32);
  return c;
}
template <int W>
TRELLIS_INLINE simd<std::int64_t, W> product_of_low_halves(const simd<std::int64_t, W>& a,
                                                           const simd<std::int64_t, W>& b) {
  using I = simd<std::int64_t, W>;
  using U = backend::register_t<std::uint64_t, I::native>;
  I c;
  for (int i = 0; i < I::registers; ++i)
    c.r[i] = (typename I::register_type)backend::product_of_low_halves<I::native>((U)a.r[i], (U)b.r[i]);
  return c;
}

// The same names for scalars, so that kernels need no special case for W = 1.
template <class T, int W>
struct LanesOf {
  using type = backend::lanes<T, W>;
};
template <class T>
struct LanesOf<T, 1> {
  using type = T;
};
template <class T, int W>
using lanes_t = typename LanesOf<T, W>::type;

template <class S>
struct LaneTraits {
  using scalar = S;
  using mask = bool;
  static constexpr int width = 1;
};
template <class S>
  requires requires { typename S::mask; }
struct LaneTraits<S> {
  using scalar = typename S::scalar;
  using mask = typename S::mask;
  static constexpr int width = S::width;
};
template <class S>
using scalar_t = typename LaneTraits<S>::scalar;
template <class S>
using mask_t = typename LaneTraits<S>::mask;
template <class S>
inline constexpr int lane_count = LaneTraits<S>::width;

template <class S>
concept Scalar = std::is_arithmetic_v<S>;

template <Scalar T>
TRELLIS_INLINE T fma(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  return std::fma(a, b, c);
}
template <Scalar T>
TRELLIS_INLINE T negated_fma(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  return std::fma(-a, b, c);
}
template <Scalar T>
TRELLIS_INLINE T sqrt(T a) {
  return std::sqrt(a);
}
template <Scalar T>
TRELLIS_INLINE T abs(T a) {
  return a < T(0) ? -a : (a == T(0) ? T(0) : a);
}
template <Scalar T>
TRELLIS_INLINE T select(bool m, T yes, std::type_identity_t<T> no) {
  return m ? yes : no;
}
TRELLIS_INLINE bool any(bool m) { return m; }
TRELLIS_INLINE bool all(bool m) { return m; }
template <Scalar T>
TRELLIS_INLINE T permute(T a, const std::int32_t*) {
  return a;
}
template <class To, Scalar T>
TRELLIS_INLINE To convert(T a) {
  return To(a);
}
template <class To, Scalar T>
TRELLIS_INLINE To bit_cast_lanes(T a) {
  return std::bit_cast<To>(a);
}

template <int Bits, Scalar T>
TRELLIS_INLINE T shift_left(T a) {
  return a << Bits;
}
template <int Bits, Scalar T>
TRELLIS_INLINE T shift_right(T a) {
  return a >> Bits;
}
template <Scalar T>
TRELLIS_INLINE T bit_and(T a, T b) {
  return a & b;
}
template <Scalar T>
TRELLIS_INLINE T bit_or(T a, T b) {
  return a | b;
}

template <class S>
TRELLIS_INLINE S load_lanes(const scalar_t<S>* p) {
  if constexpr (lane_count<S> == 1)
    return *p;
  else
    return S::load(p);
}
// The same, for numbers that are used several times: backend::keep_in_register.
template <class S>
TRELLIS_INLINE S load_lanes_to_keep(const scalar_t<S>* p) {
  S v = load_lanes<S>(p);
  if constexpr (requires { v.r; })
    for (auto& part : v.r) backend::keep_in_register<typename S::scalar, S::native>(part);
  return v;
}
template <class S>
TRELLIS_INLINE void store_lanes(scalar_t<S>* p, const S& v) {
  if constexpr (lane_count<S> == 1)
    *p = v;
  else
    v.store(p);
}
// As store_lanes, but past the caches: for output that will not be read again soon.
template <class S>
TRELLIS_INLINE void stream_lanes(scalar_t<S>* p, const S& v) {
  if constexpr (lane_count<S> == 1)
    *p = v;
  else
    v.stream(p);
}
template <class S>
TRELLIS_INLINE scalar_t<S> lane(const S& v, int l) {
  if constexpr (lane_count<S> == 1)
    return v;
  else
    return v[l];
}
template <class S>
TRELLIS_INLINE bool mask_lane(const S& m, int l) {
  if constexpr (std::is_same_v<S, bool>)
    return m;
  else
    return m[l];
}
template <class S>
TRELLIS_INLINE void set_lane(S& v, int l, scalar_t<S> x) {
  if constexpr (lane_count<S> == 1)
    v = x;
  else
    v.set(l, x);
}

// The lanes that this thread handles: for (int l : own_lanes<S>()).
struct LaneRange {
  int first, last;
  struct Iterator {
    int l;
    TRELLIS_INLINE constexpr int operator*() const { return l; }
    TRELLIS_INLINE constexpr Iterator& operator++() {
      ++l;
      return *this;
    }
    TRELLIS_INLINE constexpr bool operator!=(const Iterator& other) const { return l != other.l; }
  };
  TRELLIS_INLINE constexpr Iterator begin() const { return {first}; }
  TRELLIS_INLINE constexpr Iterator end() const { return {last}; }
};
template <class S>
TRELLIS_INLINE LaneRange own_lanes() {
  if constexpr (requires { S::own(); })
    return {S::own(), S::own() + 1};
  else
    return {0, lane_count<S>};
}

// How many numbers of one lane are adjacent in fields.
inline constexpr int lane_group = backend::lanes_are_threads ? 2 : 1;

// The offset in a tile, for the first lane, of number k of those that a field holds per site. In the functions below p
// points to number 0.
template <int W>
TRELLIS_INLINE constexpr int part_offset(int k) {
  return k / lane_group * lane_group * W + (lane_group == 2 ? k % 2 : 0);
}
namespace simd_detail {
// The distance of the thread's own lane from the first, if lanes are in pairs; 0 if one thread has all lanes.
template <class S>
TRELLIS_INLINE int own_place() {
  if constexpr (requires { S::own(); })
    return lane_group * S::own();
  else
    return 0;
}
template <class S>
inline constexpr bool is_own_lane = lane_count<S> == 1 || requires { S::own(); };
}  // namespace simd_detail
template <class S>
TRELLIS_INLINE S load_part(const scalar_t<S>* p, int k) {
  if constexpr (simd_detail::is_own_lane<S>)
    return p[part_offset<lane_count<S>>(k) + simd_detail::own_place<S>()];
  else
    return S::load(p + k * lane_count<S>);
}
template <class S>
TRELLIS_INLINE void store_part(scalar_t<S>* p, int k, const S& v) {
  if constexpr (simd_detail::is_own_lane<S>)
    p[part_offset<lane_count<S>>(k) + simd_detail::own_place<S>()] = scalar_t<S>(lane(v, 0));
  else
    v.store(p + k * lane_count<S>);
}
// From 16-bit integers, and to the nearest ones (nearest_int16) for numbers below 2^31; S is a lane type over float.
template <class S>
TRELLIS_INLINE S load_int16(const std::int16_t* p, int k = 0) {
  static_assert(std::is_same_v<scalar_t<S>, float>);
  if constexpr (simd_detail::is_own_lane<S>) {
    return S(float(p[part_offset<lane_count<S>>(k) + simd_detail::own_place<S>()]));
  } else {
    S v;
    for (int i = 0; i < S::registers; ++i)
      v.r[i] = backend::load_int16<S::native>(p + k * lane_count<S> + i * S::native);
    return v;
  }
}
template <class S>
TRELLIS_INLINE void store_int16(std::int16_t* p, int k, const S& v) {
  static_assert(std::is_same_v<scalar_t<S>, float>);
  if constexpr (simd_detail::is_own_lane<S>) {
    p[part_offset<lane_count<S>>(k) + simd_detail::own_place<S>()] = nearest_int16(lane(v, 0));
  } else {
    for (int i = 0; i < S::registers; ++i)
      backend::store_int16<S::native>(p + k * lane_count<S> + i * S::native, v.r[i]);
  }
}
template <class S>
TRELLIS_INLINE void store_int16(std::int16_t* p, const S& v) {
  store_int16(p, 0, v);
}
// N numbers that are the same for all lanes; p is aligned to 16 bytes.
template <class T, int N>
TRELLIS_INLINE void load_line(const T* p, T (&values)[N]) {
  static_assert(sizeof(T) * N % 16 == 0);
  struct alignas(16) Part {
    T values[16 / sizeof(T)];
  };
  constexpr int each = int(16 / sizeof(T));
  for (int i = 0; i < N / each; ++i) {
    const Part part = reinterpret_cast<const Part*>(p)[i];
    for (int k = 0; k < each; ++k) values[i * each + k] = part.values[k];
  }
}
// Prefetches the cache line at p, which will be needed soon; does nothing on machines that hide latency with threads.
TRELLIS_INLINE void prefetch(const void* p) { backend::prefetch(p); }
// The same, into the nearest level of cache, for what is needed next.
TRELLIS_INLINE void prefetch_near(const void* p) { backend::prefetch_near(p); }
// The `lines` cache lines at p + 64 * n bytes, n = first, first + 1, ...
template <bool Near>
TRELLIS_INLINE void prefetch_lines(const void* p, int first, int lines) {
  const char* const line = static_cast<const char*>(p) + 64 * std::int64_t(first);
  for (int n = 0; n < lines; ++n)
    if constexpr (Near)
      trellis::prefetch_near(line + 64 * n);
    else
      trellis::prefetch(line + 64 * n);
}
}  // namespace trellis
