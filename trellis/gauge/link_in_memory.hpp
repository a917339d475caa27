// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links that arithmetic reads where they are, one number at a time, and sums of paths made from them row by row. A
// matrix has 18 registers' worth of numbers, more than a host has registers: one that is loaded as a whole goes to the
// stack and back, as does the product of two matrices. Of a product of three, row by row, only a row of the first two
// exists at a time. On a GPU, whose threads have registers enough, whole matrices are multiplied.

#include "trellis/lattice/field.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::gauge {

// The link of a tile, or of one that a step leads to: if the step left its block, with lanes permuted into a buffer.
// Reads what it refers to when it is used.
template <class T, int W>
class LinkInMemory {
 public:
  using S = lanes_t<T, W>;

  TRELLIS_INLINE LinkInMemory(const GaugeAccess<T, W>& u, int tile, int mu) : from_(place(u, tile, mu)) {}
  TRELLIS_INLINE LinkInMemory(const GaugeAccess<T, W>& u, Hop hop, int mu) : from_(place(u, hop.tile, mu)) {
    if constexpr (W > 1) {
      if (hop.shift != 0) [[unlikely]] {
        permute_into(buffer_, from_, u.neighbours.permutation(hop.shift));
        from_ = buffer_;
      }
    }
  }
  LinkInMemory(const LinkInMemory&) = delete;  // may refer to its own buffer
  LinkInMemory& operator=(const LinkInMemory&) = delete;

  TRELLIS_INLINE complex<S> operator()(int row, int column) const { return load_complex<S>(from_, 3 * row + column); }

 private:
  using Numbers = std::remove_const_t<T>;
  TRELLIS_INLINE static const Numbers* place(const GaugeAccess<T, W>& u, int tile, int mu) {
    return u.data + (std::int64_t(tile) * 4 + mu) * 18 * W;
  }
  [[gnu::noinline]] static void permute_into(Numbers* to, const Numbers* from, const std::int32_t* lanes) {
    for (int k = 0; k < 18; ++k) store_lanes<S>(to + k * W, permute(load_lanes<S>(from + k * W), lanes));
  }

  const Numbers* from_;
  alignas(64) Numbers buffer_[W > 1 ? 18 * W : 1];
};

// The adjoint of such a link.
template <class T, int W>
class AdjointInMemory {
 public:
  using S = lanes_t<T, W>;
  template <class Place>
  TRELLIS_INLINE AdjointInMemory(const GaugeAccess<T, W>& u, Place place, int mu) : link_(u, place, mu) {}
  TRELLIS_INLINE complex<S> operator()(int row, int column) const { return conj(link_(column, row)); }

 private:
  LinkInMemory<T, W> link_;
};

// sum += a b c^dagger + d^dagger e f, each element by the operations, in their order, of
//   sum = multiply_adjoint_add(a * b, c, sum);
//   sum = multiply_add(adjoint_multiply(d, e), f, sum);
template <class S, class A, class B, class C, class D, class E, class F>
TRELLIS_INLINE void add_paths_by_rows(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f,
                                      Matrix<S>& sum) {
  for (int i = 0; i < 3; ++i) {
    complex<S> total[3] = {sum.e[i][0], sum.e[i][1], sum.e[i][2]};
    complex<S> row[3];
    for (int k = 0; k < 3; ++k) {
      const complex<S> x = a(i, k);
      for (int j = 0; j < 3; ++j) row[j] = k == 0 ? x * b(k, j) : fma(x, b(k, j), row[j]);
    }
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) total[j] = fma_conj(c(j, k), row[k], total[j]);
    for (int k = 0; k < 3; ++k) {
      const complex<S> x = d(k, i);
      for (int j = 0; j < 3; ++j) row[j] = k == 0 ? multiply_conj(x, e(k, j)) : fma_conj(x, e(k, j), row[j]);
    }
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) total[j] = fma(row[k], f(k, j), total[j]);
    for (int j = 0; j < 3; ++j) sum.e[i][j] = total[j];
  }
}

}  // namespace trellis::gauge
