// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The same loops with streaming stores. A store usually reads the cache line that it changes; one that fills a whole
// line can go to memory without, which saves a third of the traffic of copy and mul and a quarter of that of add and
// triad. An index of these loops is a cache line of numbers on a host, and a single number on a GPU, which stores whole
// lines anyway. Sizes are multiples of a line. dot stores nothing.

#include "examples/stream/kernels.hpp"
#include "trellis/core/simd.hpp"

namespace examples::stream {

template <class T>
inline constexpr int line = trellis::kernels_on_host ? 64 / int(sizeof(T)) : 1;
template <class T>
using Line = trellis::lanes_t<T, line<T>>;

template <class T>
TRELLIS_INLINE Line<T> load_line(const T* p) {
  return trellis::load_lanes<Line<T>>(p);
}

struct Streaming {
  template <class T>
  static void copy(const Arrays<T>& x) {
    const View<T*> a = x.a, c = x.c;
    trellis::parallel_for(
        Kernel("copy", x.bytes(2)), a.size() / line<T>, TRELLIS_LAMBDA(Index n) {
          const Index i = n * line<T>;
          trellis::stream_lanes<Line<T>>(&c(i), load_line(&a(i)));
        });
  }
  template <class T>
  static void mul(const Arrays<T>& x) {
    const View<T*> b = x.b, c = x.c;
    trellis::parallel_for(
        Kernel("mul", x.bytes(2)), b.size() / line<T>, TRELLIS_LAMBDA(Index n) {
          const Index i = n * line<T>;
          trellis::stream_lanes<Line<T>>(&b(i), Line<T>(T(scalar)) * load_line(&c(i)));
        });
  }
  template <class T>
  static void add(const Arrays<T>& x) {
    const View<T*> a = x.a, b = x.b, c = x.c;
    trellis::parallel_for(
        Kernel("add", x.bytes(3)), a.size() / line<T>, TRELLIS_LAMBDA(Index n) {
          const Index i = n * line<T>;
          trellis::stream_lanes<Line<T>>(&c(i), load_line(&a(i)) + load_line(&b(i)));
        });
  }
  template <class T>
  static void triad(const Arrays<T>& x) {
    const View<T*> a = x.a, b = x.b, c = x.c;
    trellis::parallel_for(
        Kernel("triad", x.bytes(3)), a.size() / line<T>, TRELLIS_LAMBDA(Index n) {
          const Index i = n * line<T>;
          trellis::stream_lanes<Line<T>>(&a(i), load_line(&b(i)) + Line<T>(T(scalar)) * load_line(&c(i)));
        });
  }
  template <class T>
  static T dot(const Arrays<T>& x) {
    return Plain::dot(x);
  }
};

}  // namespace examples::stream
