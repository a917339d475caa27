// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops of kernels.hpp in Kokkos' own API, on the same memory, as its manual writes them, with default tiles.

#include "examples/kokkos/kernels.hpp"

namespace examples::kokkos {

struct Native {
  using Space = ::Kokkos::DefaultExecutionSpace;
  using Range = ::Kokkos::RangePolicy<Space, ::Kokkos::IndexType<Index>>;
  using Box = ::Kokkos::MDRangePolicy<Space, ::Kokkos::Rank<3, ::Kokkos::Iterate::Right, ::Kokkos::Iterate::Right>,
                                      ::Kokkos::IndexType<Index>>;

  static void triad(const Line& ours_a, const Line& ours_b, const Line& ours_c) {
    const auto a = trellis::to_kokkos(ours_a), b = trellis::to_kokkos(ours_b), c = trellis::to_kokkos(ours_c);
    ::Kokkos::parallel_for("triad", Range(0, a.extent(0)), KOKKOS_LAMBDA(Index i) { a(i) = b(i) + scalar * c(i); });
  }

  static double dot(const Line& ours_a, const Line& ours_b) {
    const auto a = trellis::to_kokkos(ours_a), b = trellis::to_kokkos(ours_b);
    double result = 0;
    ::Kokkos::parallel_reduce(
        "dot", Range(0, a.extent(0)), KOKKOS_LAMBDA(Index i, double& sum) { sum += a(i) * b(i); }, result);
    return result;
  }

  static void stencil(const Grid& ours_u, const Grid& ours_next, double r) {
    const auto u = trellis::to_kokkos(ours_u), next = trellis::to_kokkos(ours_next);
    ::Kokkos::parallel_for(
        "stencil", Box({1, 1, 1}, {u.extent(0) - 1, u.extent(1) - 1, u.extent(2) - 1}),
        KOKKOS_LAMBDA(Index i, Index j, Index k) {
          next(i, j, k) = u(i, j, k) + r * (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) +
                                            u(i, j, k - 1) + u(i, j, k + 1) - 6 * u(i, j, k));
        });
  }

  static void nothing() { ::Kokkos::parallel_for("nothing", Range(0, 1), KOKKOS_LAMBDA(Index){}); }
};

}  // namespace examples::kokkos
