// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sparsity pattern: make_structure<Matrix>(mesh) returns a matrix whose columns are set and whose values are zero.
// Rows are made independently, in parallel; rows of a CsrMatrix are counted and placed by a scan.

#include <limits>

#include "examples/minife/matrix.hpp"
#include "examples/minife/mesh.hpp"

namespace examples::minife {

// The nodes that share an element with `node`, itself included, ascending: f(column) for each.
template <class F>
TRELLIS_INLINE void for_each_neighbour(const Mesh& mesh, Index node, const F& f) {
  const Place p = mesh.place_of_node(node);
  const auto low = [](Index at) { return at > 0 ? at - 1 : 0; };
  const auto high = [](Index at, Index last) { return at < last ? at + 1 : last; };
  for (Index z = low(p.z); z <= high(p.z, mesh.nz); ++z) {
    for (Index y = low(p.y); y <= high(p.y, mesh.ny); ++y) {
      for (Index x = low(p.x); x <= high(p.x, mesh.nx); ++x) f(static_cast<Column>(mesh.node({x, y, z})));
    }
  }
}

TRELLIS_INLINE int neighbours(const Mesh& mesh, Index node) {
  const Place p = mesh.place_of_node(node);
  const auto count = [](Index at, Index last) { return 1 + (at > 0) + (at < last); };
  return count(p.x, mesh.nx) * count(p.y, mesh.ny) * count(p.z, mesh.nz);
}

namespace detail {

template <class Layout>
EllMatrix<Layout> structure(const Mesh& mesh, const EllMatrix<Layout>*) {
  const EllMatrix<Layout> matrix(mesh.nodes());
  trellis::parallel_for(
      "minife::structure", mesh.nodes(), TRELLIS_LAMBDA(Index i) {
        int k = 0;
        for_each_neighbour(mesh, i, [&](Column column) { matrix.column(i, k++) = column; });
        while (k < row_length) matrix.column(i, k++) = static_cast<Column>(i);
      });
  return matrix;
}

inline CsrMatrix structure(const Mesh& mesh, const CsrMatrix*) {
  const Index rows = mesh.nodes();
  const View<Index*> start("row start", rows + 1);
  Index entries = 0;
  trellis::parallel_scan(
      "minife::count", rows,
      TRELLIS_LAMBDA(Index i, Index & before, bool final) {
        if (final) start(i) = before;
        before += neighbours(mesh, i);
        if (final && i + 1 == rows) start(rows) = before;
      },
      entries);
  const CsrMatrix matrix(start, entries);
  trellis::parallel_for(
      "minife::structure", rows, TRELLIS_LAMBDA(Index i) {
        int k = 0;
        for_each_neighbour(mesh, i, [&](Column column) { matrix.column(i, k++) = column; });
      });
  return matrix;
}

}  // namespace detail

template <class Matrix>
Matrix make_structure(const Mesh& mesh) {
  if (mesh.nodes() > std::numeric_limits<Column>::max()) {
    trellis::fail_input("{} x {} x {} elements have {} nodes; columns are 32-bit numbers", mesh.nx, mesh.ny, mesh.nz,
                        mesh.nodes());
  }
  return detail::structure(mesh, static_cast<const Matrix*>(nullptr));
}

}  // namespace examples::minife
