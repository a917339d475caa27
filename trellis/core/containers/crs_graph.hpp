// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// CrsGraph<Exec>: a graph, or the places of a sparse matrix's elements, as compressed rows:
//   row_map(r) <= k < row_map(r + 1)     the entries of row r, in places k of
//   entries(k)                           the column, or whatever else there is one of per entry
// Views of the space's memory; both are public, and a copy shares them. In kernels
//   for (const Index column : graph.row(r)) ...
//   for (Index k = graph.row_begin(r); k < graph.row_end(r); ++k) sum += value(k) * x(graph.entries(k));
// Made from
//   crs_from_counts(counts)              counts(r) entries in row r, all 0 so far
//   crs_from_edges(rows, from, to)       an entry to(e) in row from(e) for each edge e; in a row in the order of edges
//   transpose(graph, columns)            row c has the rows in which c is an entry, ascending
// with a space as the first argument, or in the default one. The same graph for any number of threads, and in every
// space. Throws Error if a count is negative, `from` and `to` differ in length, or a row is not one of 0 <= r < rows,
// and names the first such. Cost: of counts, a scan; of edges, a sort of 4-byte keys (sort.hpp) and a scan.

#include <cstdint>
#include <string>
#include <type_traits>

#include "trellis/core/atomic.hpp"
#include "trellis/core/containers/sort.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/reducers.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

template <ExecutionSpace Exec = DefaultExecutionSpace>
class CrsGraph {
 public:
  using execution_space = Exec;

  // The entries of a row, for range-based loops.
  struct Row {
    const Index* first;
    const Index* last;
    TRELLIS_FUNCTION const Index* begin() const { return first; }
    TRELLIS_FUNCTION const Index* end() const { return last; }
    TRELLIS_FUNCTION Index size() const { return last - first; }
  };

  CrsGraph() = default;
  CrsGraph(const View<const Index*, Exec>& of_rows, const View<Index*, Exec>& of_entries)
      : row_map(of_rows), entries(of_entries) {}

  TRELLIS_FUNCTION Index rows() const { return row_map.extent(0) > 0 ? row_map.extent(0) - 1 : 0; }
  TRELLIS_FUNCTION Index size() const { return entries.extent(0); }
  TRELLIS_FUNCTION Index row_begin(Index r) const { return row_map(r); }
  TRELLIS_FUNCTION Index row_end(Index r) const { return row_map(r + 1); }
  TRELLIS_FUNCTION Row row(Index r) const { return {entries.data() + row_map(r), entries.data() + row_map(r + 1)}; }

  View<const Index*, Exec> row_map;
  View<Index*, Exec> entries;
};

namespace crs_detail {

// Row r begins after all counts before it; index n is the end.
template <class Counts, class Exec>
struct BeginRows {
  Counts counts;
  View<Index*, Exec> row_map;
  Index rows;
  TRELLIS_FUNCTION void operator()(Index r, Index& before, bool final) const {
    if (final) row_map(r) = before;
    if (r < rows) before += static_cast<Index>(counts(r));
  }
};

// The first index whose number is not from `least` on and below `end`.
template <class V>
struct FirstOutside {
  V numbers;
  Index least, end;
  TRELLIS_FUNCTION void operator()(Index i, Index& first) const {
    const auto number = static_cast<Index>(numbers(i));
    if ((number < least || number >= end) && i < first) first = i;
  }
};

template <class Exec, class V>
void require_within(const Exec& space, const V& numbers, Index least, Index end, const char* what) {
  Index first = 0;
  const Index count = numbers.extent(0);
  parallel_reduce("trellis::crs check", RangePolicy<Exec>(space, 0, count), FirstOutside<V>{numbers, least, end}, first,
                  Min<Index>{});
  if (first >= count) return;
  const auto host = create_mirror_view_and_copy(HostSpace{}, numbers);
  if (end <= least)
    fail("{} {} of '{}' is {}, but there are no rows", what, first, numbers.label(), static_cast<Index>(host(first)));
  fail("{} {} of '{}' is {}; it must be from {} to {}", what, first, numbers.label(), static_cast<Index>(host(first)),
       least, end - 1);
}

template <class From, class Exec>
struct CountRows {
  From from;
  View<Index*, Exec> counts;
  TRELLIS_FUNCTION void operator()(Index e) const { atomic_add(&counts(static_cast<Index>(from(e))), 1); }
};

template <class To, class Exec>
struct TakeEntries {
  To to;
  View<std::int32_t*, Exec> order;
  View<Index*, Exec> entries;
  TRELLIS_FUNCTION void operator()(Index k) const { entries(k) = static_cast<Index>(to(order(k))); }
};

// The row of each entry.
template <class Exec>
struct NameRows {
  CrsGraph<Exec> graph;
  View<Index*, Exec> row_of;
  TRELLIS_FUNCTION void operator()(Index r) const {
    for (Index k = graph.row_begin(r); k < graph.row_end(r); ++k) row_of(k) = r;
  }
};

[[noreturn]] inline void lengths_differ(const std::string& from, Index froms, const std::string& to, Index tos) {
  fail("crs_from_edges: {} beginnings '{}', but {} ends '{}'", froms, from, tos, to);
}

}  // namespace crs_detail

template <ExecutionSpace Exec, class D, class L, class M, class A>
CrsGraph<Exec> crs_from_counts(const Exec& space, const BasicView<D, L, M, A>& counts) {
  using Counts = BasicView<D, L, M, A>;
  static_assert(Counts::rank == 1 && std::is_integral_v<typename Counts::value_type>, "counts are integers");
  require_access<Exec, Counts>();
  const Index rows = counts.extent(0);
  constexpr Index most = Index{1} << 48;  // more than any memory holds
  crs_detail::require_within(space, counts, 0, most, "crs_from_counts: count");
  const View<Index*, Exec> row_map("row map", rows + 1);
  Index total = 0;
  parallel_scan("trellis::crs rows", RangePolicy<Exec>(space, 0, rows + 1),
                crs_detail::BeginRows<Counts, Exec>{counts, row_map, rows}, total);
  return {row_map, View<Index*, Exec>("entries", total)};
}

template <ExecutionSpace Exec, class FD, class FL, class FM, class FA, class TD, class TL, class TM, class TA>
CrsGraph<Exec> crs_from_edges(const Exec& space, Index rows, const BasicView<FD, FL, FM, FA>& from,
                              const BasicView<TD, TL, TM, TA>& to) {
  using From = BasicView<FD, FL, FM, FA>;
  using To = BasicView<TD, TL, TM, TA>;
  require_access<Exec, From, To>();
  const Index edges = from.extent(0);
  if (to.extent(0) != edges) crs_detail::lengths_differ(from.label(), edges, to.label(), to.extent(0));
  crs_detail::require_within(space, from, 0, rows, "crs_from_edges: beginning");
  const View<Index*, Exec> counts("edges of rows", rows);
  parallel_for("trellis::crs count", RangePolicy<Exec>(space, 0, edges),
               crs_detail::CountRows<From, Exec>{from, counts});
  const CrsGraph<Exec> graph = crs_from_counts(space, counts);
  const auto order = sort_permutation(space, from);  // stable: edges of a row stay in order
  parallel_for("trellis::crs entries", RangePolicy<Exec>(space, 0, graph.size()),
               crs_detail::TakeEntries<To, Exec>{to, order, graph.entries});
  return graph;
}

// Throws Error if an entry is not one of 0 <= c < columns.
template <ExecutionSpace Exec>
CrsGraph<Exec> transpose(const Exec& space, const CrsGraph<Exec>& graph, Index columns) {
  const View<Index*, Exec> row_of("rows of entries", graph.size());
  parallel_for("trellis::crs name rows", RangePolicy<Exec>(space, 0, graph.rows()),
               crs_detail::NameRows<Exec>{graph, row_of});
  return crs_from_edges(space, columns, graph.entries, row_of);
}

template <class D, class L, class M, class A>
auto crs_from_counts(const BasicView<D, L, M, A>& counts) {
  return crs_from_counts(DefaultExecutionSpace{}, counts);
}
template <class FD, class FL, class FM, class FA, class TD, class TL, class TM, class TA>
auto crs_from_edges(Index rows, const BasicView<FD, FL, FM, FA>& from, const BasicView<TD, TL, TM, TA>& to) {
  return crs_from_edges(DefaultExecutionSpace{}, rows, from, to);
}
template <ExecutionSpace Exec>
auto transpose(const CrsGraph<Exec>& graph, Index columns) {
  return transpose(Exec{}, graph, columns);
}

}  // namespace trellis
