// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Three loops written for Trellis, which run in any of its execution spaces:
//   triad     a = b + s c                                                      24 bytes and 2 flops per element
//   dot       sum of a b                                                       16 bytes and 2 flops per element
//   stencil   next = u + r (sum of u's six neighbours - 6 u), edges excepted   16 bytes and 8 flops per point
// and a one-dimensional loop that does nothing, for the cost of a dispatch.

#include "trellis/core/kokkos.hpp"

namespace examples::kokkos {

using trellis::Index;
using Exec = trellis::KokkosExecution<>;
using Memory = Exec::memory_space;
using Line = trellis::View<double*, Memory>;
using Grid = trellis::View<double***, trellis::LayoutRight, Memory>;

inline constexpr double scalar = 0.4;

template <class Space>
struct Trellis {
  static void triad(const Line& a, const Line& b, const Line& c) {
    trellis::parallel_for(
        "triad", trellis::RangePolicy<Space>(0, a.size()), TRELLIS_LAMBDA(Index i) { a(i) = b(i) + scalar * c(i); });
  }

  static double dot(const Line& a, const Line& b) {
    double result = 0;
    trellis::parallel_reduce(
        "dot", trellis::RangePolicy<Space>(0, a.size()), TRELLIS_LAMBDA(Index i, double& sum) { sum += a(i) * b(i); },
        result);
    return result;
  }

  static void stencil(const Grid& u, const Grid& next, double r) {
    trellis::parallel_for(
        "stencil",
        trellis::MDRangePolicy<Space, trellis::Rank<3>>({1, 1, 1}, {u.extent(0) - 1, u.extent(1) - 1, u.extent(2) - 1}),
        TRELLIS_LAMBDA(Index i, Index j, Index k) {
          next(i, j, k) = u(i, j, k) + r * (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) +
                                            u(i, j, k - 1) + u(i, j, k + 1) - 6 * u(i, j, k));
        });
  }

  static void nothing() {
    trellis::parallel_for("nothing", trellis::RangePolicy<Space>(0, 1), TRELLIS_LAMBDA(Index){});
  }
};

}  // namespace examples::kokkos
