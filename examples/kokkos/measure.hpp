// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks and times the loops of kernels.hpp: in Kokkos' own API, with Trellis through Kokkos, and with Trellis alone in
// Serial (if memory is the host's), in turn and on the same memory. Kokkos must be running.
// Checked: triad and dot on constants; the stencil on u = sin(pi x) sin(2 pi y) sin(3 pi z), zero at the edges, which
// the finite difference multiplies by 1 - 4 r sum of sin^2(m pi h / 2), m = 1, 2, 3. Throws Error if a deviation
// exceeds 1e-8 (a sum of `size` products, one after the other) or 1e-14.

#include <cstdint>

#include "examples/result.hpp"

namespace examples::kokkos {

struct Settings {
  std::int64_t size = std::int64_t{1} << 24;  // numbers per array of triad and dot
  std::int64_t side = 256;                    // points per side of the stencil's grid, edges included
  int repetitions = 25;
};

// Two rows per loop: Trellis through Kokkos, and in Serial; "by hand" is Kokkos' own API.
Result measure(const Settings& settings);

}  // namespace examples::kokkos
