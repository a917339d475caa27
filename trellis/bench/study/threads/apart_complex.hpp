// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Complex numbers over lanes that are threads, with the W real parts of a register before its W imaginary ones in
// memory. Arithmetic, and the bits, are those of complex<S>, whose two parts of a lane are neighbours in memory: a
// thread moves them at once there, and one after the other here.

#include "trellis/core/complex.hpp"

namespace trellis::bench::study {

template <class S>
struct apart_complex : complex<S> {
  apart_complex() = default;
  TRELLIS_INLINE apart_complex(const complex<S>& both) : complex<S>(both) {}
  TRELLIS_INLINE apart_complex(S real, S imaginary) : complex<S>(real, imaginary) {}
};

}  // namespace trellis::bench::study

namespace trellis {

template <class S>
struct ComplexTraits<bench::study::apart_complex<S>> {
  using scalar = scalar_t<S>;
  using real = S;
  using C = bench::study::apart_complex<S>;
  static constexpr int width = lane_count<S>, table_width = width;
  static constexpr bool by_threads = true;

  TRELLIS_INLINE static C load(const scalar* p) { return {S(p[S::own()]), S(p[width + S::own()])}; }
  TRELLIS_INLINE static C load_once(const scalar* p) { return load(p); }
  TRELLIS_INLINE static C broadcast(const scalar* p) { return {S(p[0]), S(p[1])}; }
  TRELLIS_INLINE static void store(scalar* p, const complex<S>& a) {
    a.re.store(p);
    a.im.store(p + width);
  }
  TRELLIS_INLINE static void stream(scalar* p, const complex<S>& a) {
    a.re.stream(p);
    a.im.stream(p + width);
  }
  static constexpr int place(int lane, int part) { return part * width + lane; }
};

}  // namespace trellis
