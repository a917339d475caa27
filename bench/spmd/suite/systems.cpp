// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Small matrices, one for each group: many barriers, and sums over the group in nested loops.
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

// Shortest paths between all vertices (R. W. Floyd, Commun. ACM 5 (1962) 345).
std::unique_ptr<Problem> floyd_warshall(int group, Index items) {
  const int side = side_of(group);
  const Index count = whole_groups(items, group);
  const auto lengths = random_integers(count, 1000, 50);
  const Numbers1D<int> out("out", count);
  return make_case(
      Work{count, 2.0 * double(count) * side, 8.0 * double(count)}, out, 0,
      [=](auto way) {
        const int* const in = lengths.data();
        int* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<int>(group);
        parallel_for(
            "floyd_warshall", nd_range<2>{{side, count / side}, {side, side}}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              int* const d = item.local(array);
              const Index x = item.local_id(0), y = item.local_id(1), n = item.local_range(0);
              const Index at = item.group_id(1) * n * n + y * n + x;
              int own = in[at];
              d[y * n + x] = own;
              for (Index k = 0; k < n; ++k) {
                item.barrier();
                const int through = d[y * n + k] + d[k * n + x];
                own = through < own ? through : own;
                item.barrier();
                d[y * n + x] = own;
              }
              to[at] = own;
            });
      },
      [=](int* p) { plain::shortest_paths(count / group, side, lengths.data(), p); });
}

// x of A x = b: Gauss and Jordan, without pivots; a work-item for each element of A.
std::unique_ptr<Problem> gauss_jordan(int group, Index items) {
  const int side = side_of(group);
  const Index count = whole_groups(items, group);
  const auto a = random_numbers<double>(count, 51), b = random_numbers<double>(count / side, 52);
  for (Index k = 0; k < count / side; ++k) a(k * side + k % side) += 2 * side;  // dominates its row
  const Numbers1D<double> out("out", count / side);
  const double n3 = double(side) * side * side;
  return make_case(
      Work{count, double(count / group) * 2 * n3, 8.0 * double(count)}, out, 1e-13,
      [=](auto way) {
        const double *const of_a = a.data(), *const of_b = b.data();
        double* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<double>(group + side);
        parallel_for(
            "gauss_jordan", nd_range<2>{{side, count / side}, {side, side}}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              double* const m = item.local(array);
              const Index x = item.local_id(0), y = item.local_id(1), n = item.local_range(0);
              double* const right = m + n * n;
              const Index row = item.group_id(1) * n + y;
              m[y * n + x] = of_a[row * n + x];
              if (x == 0) right[y] = of_b[row];
              for (Index k = 0; k < n; ++k) {
                item.barrier();
                const double factor = m[y * n + k] / m[k * n + k];
                item.barrier();
                if (y != k && x > k) m[y * n + x] -= factor * m[k * n + x];
                if (y != k && x == 0) right[y] -= factor * right[k];
              }
              item.barrier();
              if (x == 0) to[row] = right[y] / m[y * n + y];
            });
      },
      [=](double* p) { plain::solve(count / group, side, a.data(), b.data(), p); });
}

// Q of A = Q R for matrices of 8 columns; a work-item has a row.
std::unique_ptr<Problem> gram_schmidt(int group, Index items) {
  constexpr int columns = 8;
  const Index rows = whole_groups(items, group);
  const auto a = random_numbers<double>(rows * columns, 53);
  const Numbers1D<double> out("out", rows * columns);
  return make_case(
      Work{rows, 2.0 * double(rows) * columns * columns, 16.0 * double(rows) * columns}, out, 1e-12,
      [=](auto way) {
        const double* const in = a.data();
        double* const to = out.data();
        parallel_for(
            "gram_schmidt", nd_range<1>{rows, group}.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              const Index length = item.local_range(), at = item.group_id() * length * columns + item.local_id();
              for (int k = 0; k < columns; ++k) to[at + k * length] = in[at + k * length];
              for (int k = 0; k < columns; ++k) {
                const double norm = item.reduce(to[at + k * length] * to[at + k * length]);
                const double own = to[at + k * length] / std::sqrt(norm);
                to[at + k * length] = own;
                for (int j = k + 1; j < columns; ++j) {
                  const double r = item.reduce(own * to[at + j * length]);
                  to[at + j * length] -= r * own;
                }
              }
            });
      },
      [=](double* p) { plain::orthonormalise(rows / group, group, columns, a.data(), p); });
}

}  // namespace

// A thread for each work-item takes a second for a group of 1,024.
std::vector<KernelEntry> system_kernels() {
  return {
      {"floyd_warshall",
       "shortest paths of a group's graph in local memory, int",
       true,
       {64, 256},
       floyd_warshall,
       Index(1) << 14,
       1024,
       /*items_of_threads=*/64},
      {"gauss_jordan",
       "a group's linear system in local memory, double",
       true,
       {64, 256},
       gauss_jordan,
       Index(1) << 14,
       1024,
       /*items_of_threads=*/64},
      {"gram_schmidt",
       "8 orthonormal columns of a group's rows, sums over the group, double",
       true,
       {32, 64, 128, 256},
       gram_schmidt,
       Index(1) << 14,
       1024,
       /*items_of_threads=*/64},
  };
}

}  // namespace trellis::bench::spmd
