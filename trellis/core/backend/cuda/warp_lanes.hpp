// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// warp_lanes<T, W>: W numbers, one in each of W neighbouring threads of a GPU; the counterpart of simd<T, W> on a CPU.
// W threads work on a tile of W sites; all of them run the kernel's body for it, and each sees its own lane. W is a
// power of two up to 32, so that the lanes of a tile are part of one warp.
//
// In memory a lane's numbers lie in pairs (mostly a real and an imaginary part): a warp then moves 8 or 16 bytes per
// thread at once, which suits a GPU. load_part() and LayoutTiled<W, 2> rely on that.

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis {

template <class T, int W>
struct warp_lanes {
  static_assert(W >= 2 && W <= 32 && (W & (W - 1)) == 0, "lane counts of a GPU are powers of two up to 32");
  using scalar = T;
  using mask = bool;
  static constexpr int width = W;

  T v;

  warp_lanes() = default;
  TRELLIS_INLINE constexpr warp_lanes(T value) : v(value) {}

  // The lane of the calling thread.
  TRELLIS_INLINE static int own() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x & (W - 1));
#else
    return 0;
#endif
  }
  // Whether the condition holds for any active thread of the warp.
  TRELLIS_INLINE static bool any(bool so) {
#if defined(__CUDA_ARCH__)
    return __any_sync(__activemask(), so);
#else
    return so;
#endif
  }
  TRELLIS_INLINE static warp_lanes load(const T* p) { return p[own()]; }
  TRELLIS_INLINE void store(T* p) const { p[own()] = v; }
  TRELLIS_INLINE void stream(T* p) const {
#if defined(__CUDA_ARCH__)
    __stcs(p + own(), v);
#else
    store(p);
#endif
  }
  TRELLIS_INLINE T operator[](int) const { return v; }
  TRELLIS_INLINE void set(int, T value) { v = value; }
};

#define TRELLIS_WARP_BINARY(op)                                                                       \
  template <class T, int W>                                                                           \
  TRELLIS_INLINE warp_lanes<T, W> operator op(const warp_lanes<T, W>& a, const warp_lanes<T, W>& b) { \
    return a.v op b.v;                                                                                \
  }                                                                                                   \
  template <class T, int W>                                                                           \
  TRELLIS_INLINE warp_lanes<T, W> operator op(const warp_lanes<T, W>& a, std::type_identity_t<T> b) { \
    return a.v op b;                                                                                  \
  }                                                                                                   \
  template <class T, int W>                                                                           \
  TRELLIS_INLINE warp_lanes<T, W> operator op(std::type_identity_t<T> a, const warp_lanes<T, W>& b) { \
    return a op b.v;                                                                                  \
  }                                                                                                   \
  template <class T, int W>                                                                           \
  TRELLIS_INLINE warp_lanes<T, W>& operator op##=(warp_lanes<T, W>& a, const warp_lanes<T, W>& b) {   \
    return a = a op b;                                                                                \
  }
TRELLIS_WARP_BINARY(+)
TRELLIS_WARP_BINARY(-)
TRELLIS_WARP_BINARY(*)
TRELLIS_WARP_BINARY(/)
#undef TRELLIS_WARP_BINARY

#define TRELLIS_WARP_COMPARE(op)                                                          \
  template <class T, int W>                                                               \
  TRELLIS_INLINE bool operator op(const warp_lanes<T, W>& a, const warp_lanes<T, W>& b) { \
    return a.v op b.v;                                                                    \
  }
TRELLIS_WARP_COMPARE(<)
TRELLIS_WARP_COMPARE(<=)
TRELLIS_WARP_COMPARE(>)
TRELLIS_WARP_COMPARE(>=)
#undef TRELLIS_WARP_COMPARE

template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> operator-(const warp_lanes<T, W>& a) {
  return -a.v;
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> fma(const warp_lanes<T, W>& a, const warp_lanes<T, W>& b, const warp_lanes<T, W>& c) {
  return std::fma(a.v, b.v, c.v);
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> negated_fma(const warp_lanes<T, W>& a, const warp_lanes<T, W>& b,
                                            const warp_lanes<T, W>& c) {
  return std::fma(-a.v, b.v, c.v);
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> sqrt(const warp_lanes<T, W>& a) {
  return std::sqrt(a.v);
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> abs(const warp_lanes<T, W>& a) {
  return std::fabs(a.v);
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> select(bool m, const warp_lanes<T, W>& yes,
                                       const std::type_identity_t<warp_lanes<T, W>>& no) {
  return m ? yes.v : no.v;
}

// Lane l of the result is lane from[l] of the operand. All W threads of the tile must call it.
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> permute(const warp_lanes<T, W>& a, const std::int32_t* from) {
#if defined(__CUDA_ARCH__)
  const unsigned first = threadIdx.x & (31u & ~(W - 1u));
  const unsigned tile = W == 32 ? 0xffffffffu : ((1u << (W & 31)) - 1u) << first;
  return __shfl_sync(tile, a.v, from[a.own()], W);
#else
  static_cast<void>(from);
  return a;
#endif
}

template <class To, class T, int W>
TRELLIS_INLINE warp_lanes<To, W> convert(const warp_lanes<T, W>& a) {
  return To(a.v);
}
template <class To, class T, int W>
TRELLIS_INLINE warp_lanes<To, W> bit_cast_lanes(const warp_lanes<T, W>& a) {
  return __builtin_bit_cast(To, a.v);
}
template <int Bits, class T, int W>
TRELLIS_INLINE warp_lanes<T, W> shift_left(const warp_lanes<T, W>& a) {
  return T(a.v << Bits);
}
template <int Bits, class T, int W>
TRELLIS_INLINE warp_lanes<T, W> shift_right(const warp_lanes<T, W>& a) {
  return T(a.v >> Bits);
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> bit_and(const warp_lanes<T, W>& a, T b) {
  return T(a.v & b);
}
template <class T, int W>
TRELLIS_INLINE warp_lanes<T, W> bit_or(const warp_lanes<T, W>& a, T b) {
  return T(a.v | b);
}

// The pair of numbers of a thread's lane; p points to that of the tile's first lane. `once`: they will not be read
// again soon, so the caches may drop them first; the same holds for streamed stores.
template <class T>
struct alignas(2 * sizeof(T)) LanePair {
  T first, second;
};
template <int W, class T>
TRELLIS_INLINE LanePair<T> load_pair(const T* p) {
  return reinterpret_cast<const LanePair<T>*>(p)[warp_lanes<T, W>::own()];
}
template <int W, class T>
TRELLIS_INLINE LanePair<T> load_pair_once(const T* p) {
#if defined(__CUDA_ARCH__)
  using Vector = std::conditional_t<sizeof(T) == 8, double2, float2>;
  const Vector pair = __ldcs(reinterpret_cast<const Vector*>(p) + warp_lanes<T, W>::own());
  return {pair.x, pair.y};
#else
  return load_pair<W>(p);
#endif
}
template <int W, class T>
TRELLIS_INLINE void store_pair(T* p, const T& first, const T& second) {
  reinterpret_cast<LanePair<T>*>(p)[warp_lanes<T, W>::own()] = {first, second};
}
template <int W, class T>
TRELLIS_INLINE void stream_pair(T* p, const T& first, const T& second) {
#if defined(__CUDA_ARCH__)
  using Vector = std::conditional_t<sizeof(T) == 8, double2, float2>;
  __stcs(reinterpret_cast<Vector*>(p) + warp_lanes<T, W>::own(), Vector{first, second});
#else
  store_pair<W>(p, first, second);
#endif
}

}  // namespace trellis
