// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The five loops of BabelStream (Deakin, Price, Martineau, McIntosh-Smith, "GPU-STREAM v2.0", 2016), one source for
// every machine:
//   copy c = a    mul b = s c    add c = a + b    triad a = b + s c    dot sum of a b        s = 0.4
// Bytes are those of the operands, each counted once: 2, 2, 3, 3 and 2 numbers per element.

#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace examples::stream {

using trellis::Index;
using trellis::Kernel;
using trellis::View;

inline constexpr double scalar = 0.4;

template <class T>
struct Arrays {
  explicit Arrays(Index n) : a("a", n), b("b", n), c("c", n) {}
  double bytes(int numbers) const { return double(numbers) * sizeof(T) * double(a.size()); }

  View<T*> a, b, c;
};

template <class T>
void start(const Arrays<T>& arrays) {
  trellis::parallel_for(
      "start", arrays.a.size(), TRELLIS_LAMBDA(Index i) {
        arrays.a(i) = T(0.1);
        arrays.b(i) = T(0.2);
        arrays.c(i) = T(0);
      });
}

// As one would normally write loops.
struct Plain {
  template <class T>
  static void copy(const Arrays<T>& x) {
    const View<T*> a = x.a, c = x.c;
    trellis::parallel_for(Kernel("copy", x.bytes(2)), a.size(), TRELLIS_LAMBDA(Index i) { c(i) = a(i); });
  }
  template <class T>
  static void mul(const Arrays<T>& x) {
    const View<T*> b = x.b, c = x.c;
    trellis::parallel_for(Kernel("mul", x.bytes(2)), b.size(), TRELLIS_LAMBDA(Index i) { b(i) = T(scalar) * c(i); });
  }
  template <class T>
  static void add(const Arrays<T>& x) {
    const View<T*> a = x.a, b = x.b, c = x.c;
    trellis::parallel_for(Kernel("add", x.bytes(3)), a.size(), TRELLIS_LAMBDA(Index i) { c(i) = a(i) + b(i); });
  }
  template <class T>
  static void triad(const Arrays<T>& x) {
    const View<T*> a = x.a, b = x.b, c = x.c;
    trellis::parallel_for(
        Kernel("triad", x.bytes(3)), a.size(), TRELLIS_LAMBDA(Index i) { a(i) = b(i) + T(scalar) * c(i); });
  }
  template <class T>
  static T dot(const Arrays<T>& x) {
    const View<T*> a = x.a, b = x.b;
    T result = 0;
    trellis::parallel_reduce(
        Kernel("dot", x.bytes(2)), a.size(), TRELLIS_LAMBDA(Index i, T & sum) { sum += a(i) * b(i); }, result);
    return result;
  }
};

}  // namespace examples::stream
