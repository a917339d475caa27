// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The three kernels of a conjugate gradient: w = alpha x + beta y, x . y, y = A x. w may be x or y. Each on some rows,
// or on all; those of a system on several ranks are in slab.hpp.

#include <algorithm>

#include "examples/minife/matrix.hpp"
#include "trellis/core/team_policy.hpp"

namespace examples::minife {

struct Rows {
  Index first, end;
  Index count() const { return end - first; }
};

inline void waxpby(const Rows& rows, double alpha, const ConstVector& x, double beta, const ConstVector& y,
                   const Vector& w) {
  const double n = double(rows.count());
  trellis::parallel_for(
      {"minife::waxpby", 24 * n, 3 * n}, trellis::RangePolicy<>(rows.first, rows.end),
      TRELLIS_LAMBDA(Index i) { w(i) = alpha * x(i) + beta * y(i); });
}
inline void waxpby(double alpha, const ConstVector& x, double beta, const ConstVector& y, const Vector& w) {
  waxpby({0, w.extent(0)}, alpha, x, beta, y, w);
}

inline double dot(const Rows& rows, const ConstVector& x, const ConstVector& y) {
  double sum = 0;
  const double n = double(rows.count());
  trellis::parallel_reduce(
      {"minife::dot", (x.data() == y.data() ? 8 : 16) * n, 2 * n}, trellis::RangePolicy<>(rows.first, rows.end),
      TRELLIS_LAMBDA(Index i, double& partial) { partial += x(i) * y(i); }, sum);
  return sum;
}
inline double dot(const ConstVector& x, const ConstVector& y) { return dot({0, x.extent(0)}, x, y); }

template <class Matrix>
void multiply(const Matrix& matrix, const Rows& rows, const ConstVector& x, const Vector& y) {
  const double part = double(rows.count()) / double(matrix.rows());
  trellis::parallel_for(
      {"minife::multiply", part * matrix.bytes(), part * matrix.flops()}, trellis::RangePolicy<>(rows.first, rows.end),
      TRELLIS_LAMBDA(Index i) { y(i) = matrix.times(i, x); });
}
// A row of CSR is one stream, which on a GPU the lanes of a thread read together: as many as leave each of them six
// entries.
inline void multiply(const CsrMatrix& matrix, const Rows& rows, const ConstVector& x, const Vector& y) {
  if constexpr (trellis::kernels_on_host) return multiply<CsrMatrix>(matrix, rows, x, y);
  using trellis::TeamPolicy;
  constexpr int threads = 256, entries_each = 6;
  const double density = double(matrix.values.extent(0)) / double(std::max(matrix.rows(), Index{1}));
  int lanes = 1;
  while (lanes < 32 && 2 * lanes * entries_each <= density) lanes *= 2;
  const int rows_each = threads / lanes;
  const double part = double(rows.count()) / double(matrix.rows());
  trellis::parallel_for(
      {"minife::multiply", part * matrix.bytes(), part * matrix.flops()},
      TeamPolicy<>((rows.count() + rows_each - 1) / rows_each, rows_each, lanes),
      TRELLIS_LAMBDA(const TeamPolicy<>::Member& team) {
        const Index first = rows.first + team.league_rank() * rows_each;
        const Index end = first + rows_each < rows.end ? first + rows_each : rows.end;
        parallel_for(trellis::TeamThreadRange(team, first, end), [&](Index i) {
          double sum = 0;
          parallel_reduce(
              trellis::ThreadVectorRange(team, matrix.start(i), matrix.start(i + 1)),
              [&](Index at, double& partial) { partial += matrix.values(at) * x(matrix.columns(at)); }, sum);
          single(trellis::PerThread(team), [&] { y(i) = sum; });
        });
      });
}
template <class Matrix>
void multiply(const Matrix& matrix, const ConstVector& x, const Vector& y) {
  multiply(matrix, {0, matrix.rows()}, x, y);
}

// What a solver asks of a system on one rank: its rows, and scalar products over all of them.
template <class Matrix>
Rows own_rows(const Matrix& matrix) {
  return {0, matrix.rows()};
}
template <class Matrix>
double dot(const Matrix&, const ConstVector& x, const ConstVector& y) {
  return dot(x, y);
}

}  // namespace examples::minife
