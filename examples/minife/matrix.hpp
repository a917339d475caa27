// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sparse matrices: 27 columns per row, one for each node that shares an element with the row's, fewer at the boundary.
// The type determines where an entry is stored:
//   EllMatrix<Layout>   27 entries in every row; missing ones are zeros in the row's own column.
//                       LayoutRight: entries of a row side by side, a row is one stream for the thread of a CPU;
//                       LayoutLeft: the same entry of neighbouring rows side by side, coalesced for GPU threads;
//                       the default layout of Views is the better of the two for the default space.
//   CsrMatrix           rows one after the other, start(i) <= entry < start(i + 1)
// Both offer rows(), length(i), column(i, k), value(i, k) for k < length(i), and times(i, x) = sum_k A_ik x_k. Columns
// of a row ascend (padding follows). A copy of a matrix shares its entries.
// Bytes per row that a product must read and write: 27 (8 + 4), and 8 each for x and y; 8 more for start in CSR.

#include <cstdint>

#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace examples::minife {

using trellis::Index;
using trellis::View;

using Column = std::int32_t;
using Vector = View<double*>;
using ConstVector = View<const double*>;
using DefaultLayout = View<double**>::layout;

inline constexpr int row_length = 27;

template <class Layout = DefaultLayout>
struct EllMatrix {
  View<Column* [row_length], Layout> columns;
  View<double* [row_length], Layout> values;

  EllMatrix() = default;
  explicit EllMatrix(Index rows) : columns(trellis::uninitialized, "columns", rows), values("values", rows) {}

  TRELLIS_INLINE Index rows() const { return values.extent(0); }
  TRELLIS_INLINE static int length(Index) { return row_length; }
  TRELLIS_INLINE Column& column(Index i, int k) const { return columns(i, k); }
  TRELLIS_INLINE double& value(Index i, int k) const { return values(i, k); }
  // Three sums: a single one would wait for its own last addition 27 times.
  TRELLIS_INLINE double times(Index i, const ConstVector& x) const {
    double a = 0, b = 0, c = 0;
    for (int k = 0; k < row_length; k += 3) {
      a += values(i, k) * x(columns(i, k));
      b += values(i, k + 1) * x(columns(i, k + 1));
      c += values(i, k + 2) * x(columns(i, k + 2));
    }
    return a + b + c;
  }
  double bytes() const { return double(rows()) * (row_length * 12 + 16); }
  double flops() const { return double(rows()) * row_length * 2; }
};

struct CsrMatrix {
  View<Index*> start;  // rows + 1
  View<Column*> columns;
  View<double*> values;

  CsrMatrix() = default;
  CsrMatrix(const View<Index*>& row_start, Index entries)
      : start(row_start), columns(trellis::uninitialized, "columns", entries), values("values", entries) {}

  TRELLIS_INLINE Index rows() const { return start.extent(0) - 1; }
  TRELLIS_INLINE int length(Index i) const { return static_cast<int>(start(i + 1) - start(i)); }
  TRELLIS_INLINE Column& column(Index i, int k) const { return columns(start(i) + k); }
  TRELLIS_INLINE double& value(Index i, int k) const { return values(start(i) + k); }
  TRELLIS_INLINE double times(Index i, const ConstVector& x) const {
    double a = 0, b = 0, c = 0;
    Index at = start(i);
    const Index end = start(i + 1);
    for (; at + 3 <= end; at += 3) {
      a += values(at) * x(columns(at));
      b += values(at + 1) * x(columns(at + 1));
      c += values(at + 2) * x(columns(at + 2));
    }
    for (; at < end; ++at) a += values(at) * x(columns(at));
    return a + b + c;
  }
  double bytes() const { return double(values.extent(0)) * 12 + double(rows()) * 24; }
  double flops() const { return double(values.extent(0)) * 2; }
};

// The same matrix in another layout.
template <class To, class From>
EllMatrix<To> with_layout(const EllMatrix<From>& from) {
  EllMatrix<To> to(from.rows());
  deep_copy(to.columns, from.columns);
  deep_copy(to.values, from.values);
  return to;
}

}  // namespace examples::minife
