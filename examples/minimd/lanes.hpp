// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two operations missing from trellis/core/simd.hpp: reading rows of an array into register lanes, and the sum of a
// register's lanes. Written with the compilers' vector extensions: the same with GCC and Clang, for any machine.

#include "trellis/core/simd.hpp"
#include "trellis/core/view.hpp"

namespace examples::minimd {

namespace detail {

// Four numbers anywhere in memory.
template <class T>
struct Four {
  typedef T type __attribute__((vector_size(4 * sizeof(T))));
  typedef T anywhere __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));
  static type at(const T* p) { return *reinterpret_cast<const anywhere*>(p); }
};

// row(l) holds x, y, z and something else for lane l; out receives registers of x, of y and of z.
template <class R, class F>
TRELLIS_INLINE void transpose_eight(const F& row, R& x, R& y, R& z) {
  const auto pair = [&](int l, int m) { return __builtin_shufflevector(row(l), row(m), 0, 1, 2, 3, 4, 5, 6, 7); };
  const auto a = pair(0, 2), b = pair(1, 3), c = pair(4, 6), d = pair(5, 7);
  const auto xz = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);  // x0 x1 z0 z1 x2 x3 z2 z3
  const auto y_ = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const auto xz_high = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const auto y_high = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  x = __builtin_shufflevector(xz, xz_high, 0, 1, 4, 5, 8, 9, 12, 13);
  y = __builtin_shufflevector(y_, y_high, 0, 1, 4, 5, 8, 9, 12, 13);
  z = __builtin_shufflevector(xz, xz_high, 2, 3, 6, 7, 10, 11, 14, 15);
}
template <class R, class F>
TRELLIS_INLINE void transpose_four(const F& row, R& x, R& y, R& z) {
  const auto xz = __builtin_shufflevector(row(0), row(1), 0, 4, 2, 6);  // x0 x1 z0 z1
  const auto y_ = __builtin_shufflevector(row(0), row(1), 1, 5, 3, 7);
  const auto xz_high = __builtin_shufflevector(row(2), row(3), 0, 4, 2, 6);
  const auto y_high = __builtin_shufflevector(row(2), row(3), 1, 5, 3, 7);
  x = __builtin_shufflevector(xz, xz_high, 0, 1, 4, 5);
  y = __builtin_shufflevector(y_, y_high, 0, 1, 4, 5);
  z = __builtin_shufflevector(xz, xz_high, 2, 3, 6, 7);
}

// Registers of four or eight lanes, with rows one after the other in memory.
template <class S, class Rows>
constexpr bool transposes() {
  if constexpr (requires { S::native; }) {
    return std::is_same_v<typename Rows::layout, trellis::LayoutRight> && (S::native == 4 || S::native == 8);
  } else {
    return false;
  }
}

}  // namespace detail

// column[c], lane l = rows(index(l), c). Contiguous rows of three are read as four numbers each and transposed in
// registers, in half the time of three gathers; so a number must follow the last row.
template <class S, class Rows, class Index>
TRELLIS_INLINE void gather_rows(const Rows& rows, const Index& index, S (&column)[3]) {
  if constexpr (detail::transposes<S, Rows>()) {
    using Row = detail::Four<trellis::scalar_t<S>>;
    for (int i = 0; i < S::registers; ++i) {
      const auto row = [&](int l) { return Row::at(rows.data() + 3 * trellis::Index(index(i * S::native + l))); };
      if constexpr (S::native == 8) {
        detail::transpose_eight(row, column[0].r[i], column[1].r[i], column[2].r[i]);
      } else {
        detail::transpose_four(row, column[0].r[i], column[1].r[i], column[2].r[i]);
      }
    }
  } else {
    for (int l = 0; l < trellis::lane_count<S>; ++l) {
      const auto row = index(l);
      for (int c = 0; c < 3; ++c) trellis::set_lane(column[c], l, rows(row, c));
    }
  }
}

// The sum of eight lanes or of one, in the same order on every machine: lanes four apart, two apart, neighbours.
template <class S>
TRELLIS_INLINE trellis::scalar_t<S> sum_of_lanes(const S& v) {
  if constexpr (trellis::lane_count<S> == 1) {
    return v;
  } else {
    static_assert(trellis::lane_count<S> == 8);
    typename detail::Four<trellis::scalar_t<S>>::type four;
    if constexpr (S::registers == 1) {
      four = __builtin_shufflevector(v.r[0], v.r[0], 0, 1, 2, 3) + __builtin_shufflevector(v.r[0], v.r[0], 4, 5, 6, 7);
    } else {
      for (int l = 0; l < 4; ++l) four[l] = trellis::lane(v, l) + trellis::lane(v, l + 4);
    }
    const auto two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
    return two[0] + two[1];
  }
}

}  // namespace examples::minimd
