// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Containers that kernels fill and read: arrays on two sides, a hash table, sums into a shared array, a sparse matrix
// as compressed rows, sorting. The data is a ring of n places, each connected to its neighbours.
#include <cmath>

#include "examples/tour/tour.hpp"
#include "trellis/core/atomic.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/containers/crs_graph.hpp"
#include "trellis/core/containers/dual_view.hpp"
#include "trellis/core/containers/scatter_view.hpp"
#include "trellis/core/containers/sort.hpp"
#include "trellis/core/containers/unordered_map.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

using namespace trellis;

namespace {

constexpr Index n = 1000;

void add_one(const View<double*>& a) {
  parallel_for("add one", a.extent(0), TRELLIS_LAMBDA(Index i) { a(i) += 1; });
}

// The host and kernels change an array in turns. Forgetting a sync would be an error, on a CPU too.
void take_turns() {
  const DualView<double*> line("line", n);
  line.modify_host();
  for (Index i = 0; i < n; ++i) line.host()(i) = double(i);
  line.sync_device();
  line.modify_device();
  add_one(line.device());
  line.sync_host();
  tour::expect(line.host()(n - 1) == n, "the kernel saw what the host wrote, and the host what the kernel did");
}

// How often each remainder occurs among the squares: all threads insert, whoever comes first.
using Counts = UnorderedMap<Index, int>;
void count_squares(const Counts& counts) {
  parallel_for(
      "squares", n, TRELLIS_LAMBDA(Index i) {
        const auto result = counts.insert(i * i % 101, 0);
        if (!result.failed()) atomic_add(&counts.value_at(result.place), 1);
      });
}
Index sum_of_counts(const Counts& counts) {
  Index sum = 0;
  parallel_reduce(
      "sum", counts.capacity(),
      TRELLIS_LAMBDA(Index place, Index & partial) {
        if (counts.valid_at(place)) partial += counts.value_at(place);
      },
      sum);
  return sum;
}

// The edges of the ring: from each place to the one before and the one after.
void make_ring(const View<Index*>& from, const View<Index*>& to) {
  parallel_for(
      "ring", n, TRELLIS_LAMBDA(Index i) {
        from(2 * i) = i;
        to(2 * i) = (i + n - 1) % n;
        from(2 * i + 1) = i;
        to(2 * i + 1) = (i + 1) % n;
      });
}

// y = A x for the matrix with ones at the graph's entries.
void multiply(const CrsGraph<>& graph, const View<const double*>& x, const View<double*>& y) {
  parallel_for(
      "multiply", graph.rows(), TRELLIS_LAMBDA(Index row) {
        double sum = 0;
        for (const Index column : graph.row(row)) sum += x(column);
        y(row) = sum;
      });
}

// The same, edge by edge: edges that lead to one place add to the same number.
void scatter(const View<const Index*>& from, const View<const Index*>& to, const View<const double*>& x,
             const View<double*>& y) {
  using Scatter = ScatterView<double*>;
  parallel_scatter(
      "scatter", from.extent(0), Scatter(y),
      TRELLIS_LAMBDA(Index edge, const Scatter::Access& into) { into(to(edge)) += x(from(edge)); });
}

void wave(const View<double*>& a) {
  parallel_for("wave", a.extent(0), TRELLIS_LAMBDA(Index i) { a(i) = double((i * 37) % 100); });
}

}  // namespace

int main() {
  return tour::run([] {
    take_turns();

    Counts counts("remainders", 32);
    count_squares(counts);
    fmt::print("{} inserts found no room among {} places\n", counts.failed_inserts(), counts.capacity());
    while (counts.failed_inserts() > 0) {
      counts = Counts("remainders", 2 * counts.capacity());
      count_squares(counts);
    }
    tour::expect(counts.size() == 51, "51 remainders of 101 are squares");
    tour::expect(sum_of_counts(counts) == n, "every square was counted");

    const View<Index*> from("from", 2 * n), to("to", 2 * n);
    make_ring(from, to);
    const auto ring = crs_from_edges(n, from, to);
    const View<double*> x("x", n), y("y", n), same("same", n);
    wave(x);
    multiply(ring, x, y);
    scatter(from, to, x, same);
    const auto gathered = create_mirror_view_and_copy(HostSpace{}, y);
    const auto scattered = create_mirror_view_and_copy(HostSpace{}, same);
    for (Index i = 0; i < n; ++i)
      tour::expect(gathered(i) == scattered(i), "small integers have the same sum, gathered or scattered");

    const auto order = create_mirror_view_and_copy(HostSpace{}, sort_permutation(x));
    sort(x);
    const auto sorted = create_mirror_view_and_copy(HostSpace{}, x);
    for (Index i = 1; i < n; ++i) {
      const bool ascends = sorted(i - 1) <= sorted(i);
      const bool stable = sorted(i - 1) < sorted(i) || order(i - 1) < order(i);
      tour::expect(ascends && stable, "numbers ascend, and equal ones keep their order");
    }
  });
}
