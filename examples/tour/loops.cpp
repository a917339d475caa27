// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Loops that run on any machine: parallel_for, reductions, a scan, and a histogram with atomics.
// Each kernel is in a separate function because nvcc requires the function around a kernel to have a name.
#include <array>

#include "examples/tour/tour.hpp"
#include "trellis/core/atomic.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/kernel.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/reducers.hpp"
#include "trellis/core/view.hpp"

using namespace trellis;

namespace {

constexpr Index n = 1000;

// Functions that are called from kernels must be marked for the device.
TRELLIS_FUNCTION double parabola(Index i) { return double(i - 300) * double(i - 300); }

void fill(const View<double*>& a) {
  // The name is for profiles and errors, bytes and flops for bandwidth and speed. TRELLIS_LAMBDA captures by value.
  parallel_for(Kernel("parabola", 8.0 * n, 2.0 * n), n, TRELLIS_LAMBDA(Index i) { a(i) = parabola(i); });
}

double sum(const View<const double*>& a) {
  double total;
  parallel_reduce("sum", n, TRELLIS_LAMBDA(Index i, double& partial) { partial += a(i); }, total);
  return total;
}

// A reducer defines how partial results are combined: here, the smallest value and its location.
ValueLoc<double> lowest(const View<const double*>& a) {
  ValueLoc<double> found{};
  parallel_reduce(
      "lowest", RangePolicy<>(0, n),
      TRELLIS_LAMBDA(Index i, ValueLoc<double> & partial) {
        if (a(i) < partial.value) partial = {a(i), i};
      },
      found, MinLoc<double>{});
  return found;
}

// A scan finds the place of each number that is kept: it counts the kept numbers before it.
Index compact(const View<const double*>& a, const View<double*>& kept, double limit) {
  Index count;
  parallel_scan(
      "compact", n,
      TRELLIS_LAMBDA(Index i, Index & before, bool final) {
        if (a(i) >= limit) return;
        if (final) kept(before) = a(i);
        ++before;
      },
      count);
  return count;
}

// Many indices share a few counters. They are integers because a sum of doubles would depend on the order of threads.
void histogram(const View<const double*>& a, const View<std::int32_t*>& counts, double width) {
  parallel_for("histogram", n, TRELLIS_LAMBDA(Index i) { atomic_add(&counts(Index(a(i) / width)), 1); });
}

// Tiles of a plane: each is finished before the next begins, so the data it reads stay in cache.
void transpose(const View<const double**>& from, const View<double**>& to) {
  const MDRangePolicy<DefaultExecutionSpace, Rank<2>> tiles({0, 0}, {from.extent(0), from.extent(1)}, {16, 16});
  parallel_for("transpose", tiles, TRELLIS_LAMBDA(Index i, Index j) { to(j, i) = from(i, j); });
}

}  // namespace

int main() {
  return tour::run([] {
    const View<double*> a("a", n), kept("kept", n);
    fill(a);
    // The sum of the squares of -300 ... 699: exact in double precision, though any sum has the same bits for any
    // number of threads.
    const double expected = 300.0 * 301 * 601 / 6 + 699.0 * 700 * 1399 / 6;
    tour::expect(sum(a) == expected, "the sum of squares is n (n + 1) (2 n + 1) / 6");
    const auto lowest_place = lowest(a);
    tour::expect(lowest_place.index == 300 && lowest_place.value == 0, "the parabola is lowest at 300");

    const Index count = compact(a, kept, 10000);
    const auto near = create_mirror_view_and_copy(HostSpace{}, kept);
    tour::expect(count == 199 && near(0) == 99 * 99 && near(198) == 99 * 99,
                 "99 numbers on each side and the one in the middle, in order");

    const View<std::int32_t*> counts("counts", 5);
    histogram(a, counts, 100000);
    const auto heights = create_mirror_view_and_copy(HostSpace{}, counts);
    fmt::print("sum {}, {} numbers below 10000, histogram", sum(a), count);
    std::int32_t all = 0;
    for (Index bin = 0; bin < 5; ++bin) all += heights(bin), fmt::print(" {}", heights(bin));
    fmt::print("\n");
    tour::expect(all == n, "every number is in exactly one bin");

    const View<double**> plane("plane", 20, 30), turned("turned", 30, 20);
    const auto host = create_mirror_view(plane);
    host(3, 29) = 1;
    deep_copy(plane, host);
    transpose(plane, turned);
    tour::expect(create_mirror_view_and_copy(HostSpace{}, turned)(29, 3) == 1, "(i, j) went to (j, i)");
  });
}
