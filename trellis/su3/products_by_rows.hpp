// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of colour matrices row by row: of an intermediate product only a row, six registers, exists at a time. A
// whole one has 18, more than a host has registers, and goes to the stack and back. Factors A, B, ... have elements
// a(row, column): matrices, or links that are read where they are (gauge/link_in_memory.hpp). Each element comes from
// the operations of the products in matrix.hpp, in the same order, so the bits are the same.

#include "trellis/core/complex.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis {

template <class S>
struct Row {
  complex<S> e[3];
};

// y + x B
template <class S, class B>
TRELLIS_INLINE Row<S> multiply_add(const Row<S>& x, const B& b, Row<S> y) {
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) y.e[j] = fma(x.e[k], b(k, j), y.e[j]);
  return y;
}
// x B^dagger
template <class S, class B>
TRELLIS_INLINE Row<S> multiply_adjoint(const Row<S>& x, const B& b) {
  Row<S> y;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) y.e[j] = k == 0 ? multiply_conj(b(j, k), x.e[k]) : fma_conj(b(j, k), x.e[k], y.e[j]);
  return y;
}
// Row i of A.
template <class S, class A>
TRELLIS_INLINE Row<S> row_of(const A& a, int i) {
  return {{a(i, 0), a(i, 1), a(i, 2)}};
}
// Row i of A B.
template <class S, class A, class B>
TRELLIS_INLINE Row<S> row_of_product(const A& a, int i, const B& b) {
  Row<S> y;
  for (int k = 0; k < 3; ++k) {
    const complex<S> x = a(i, k);
    for (int j = 0; j < 3; ++j) y.e[j] = k == 0 ? x * b(k, j) : fma(x, b(k, j), y.e[j]);
  }
  return y;
}
// Row i of A^dagger B.
template <class S, class A, class B>
TRELLIS_INLINE Row<S> row_of_adjoint_product(const A& a, int i, const B& b) {
  Row<S> y;
  for (int k = 0; k < 3; ++k) {
    const complex<S> x = a(k, i);
    for (int j = 0; j < 3; ++j) y.e[j] = k == 0 ? multiply_conj(x, b(k, j)) : fma_conj(x, b(k, j), y.e[j]);
  }
  return y;
}

// A matrix that is made row by row and then multiplied: on the stack, on a GPU in registers. Compilers copy the
// elements of a Matrix in pieces smaller than a register, and a processor that loads such pieces as one register soon
// afterwards has to wait until they have left the store buffer.
template <class S, bool InRegisters = simd_detail::is_own_lane<S>>
class StackMatrix {
 public:
  TRELLIS_INLINE complex<S> operator()(int row, int column) const {
    return load_complex<S>(numbers_, 3 * row + column);
  }
  TRELLIS_INLINE void set_row(int i, const Row<S>& x) {
    for (int j = 0; j < 3; ++j) store_complex<S>(numbers_, 3 * i + j, x.e[j]);
  }

 private:
  alignas(64) scalar_t<S> numbers_[18 * lane_count<S>];
};
template <class S>
class StackMatrix<S, true> {
 public:
  TRELLIS_INLINE complex<S> operator()(int row, int column) const { return matrix_.e[row][column]; }
  TRELLIS_INLINE void set_row(int i, const Row<S>& x) {
    for (int j = 0; j < 3; ++j) matrix_.e[i][j] = x.e[j];
  }

 private:
  Matrix<S> matrix_;
};
template <class S>
TRELLIS_INLINE Matrix<S> to_matrix(const StackMatrix<S>& a) {
  Matrix<S> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.e[i][j] = a(i, j);
  return m;
}

// sum += A^dagger B C
template <class S, class A, class B, class C>
TRELLIS_INLINE void add_path_below(const A& a, const B& b, const C& c, StackMatrix<S>& sum) {
  for (int i = 0; i < 3; ++i) sum.set_row(i, multiply_add(row_of_adjoint_product<S>(a, i, b), c, row_of<S>(sum, i)));
}
// sum += A B C^dagger + D^dagger E F. The sums are written out, since a row of a Matrix that is copied to a Row would
// be copied in such pieces.
template <class S, class A, class B, class C, class D, class E, class F>
TRELLIS_INLINE void add_paths(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, Matrix<S>& sum) {
  for (int i = 0; i < 3; ++i) {
    complex<S> total[3] = {sum.e[i][0], sum.e[i][1], sum.e[i][2]};
    const Row<S> above = row_of_product<S>(a, i, b);
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) total[j] = fma_conj(c(j, k), above.e[k], total[j]);
    const Row<S> below = row_of_adjoint_product<S>(d, i, e);
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) total[j] = fma(below.e[k], f(k, j), total[j]);
    for (int j = 0; j < 3; ++j) sum.e[i][j] = total[j];
  }
}
// A B (C D)^dagger, a plaquette
template <class S, class A, class B, class C, class D>
TRELLIS_INLINE Matrix<S> plaquette_by_rows(const A& a, const B& b, const C& c, const D& d) {
  StackMatrix<S> other, p;
  for (int i = 0; i < 3; ++i) other.set_row(i, row_of_product<S>(c, i, d));
  for (int i = 0; i < 3; ++i) p.set_row(i, multiply_adjoint(row_of_product<S>(a, i, b), other));
  return to_matrix(p);
}

}  // namespace trellis
