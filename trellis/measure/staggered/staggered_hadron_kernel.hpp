// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What staggered_hadrons.hpp sums over a time slice, on the sites of one tile.

#include "trellis/core/complex.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::measure {

// Which coordinates of a site differ from a source's by an odd number: bits 0 to 3 for x, y, z, t.
struct OddSteps {
  std::uint64_t extents[3];
  std::uint32_t source;  // the lowest bits of its coordinates

  OddSteps(const Coordinate& size, const Coordinate& x0)
      : extents{std::uint64_t(size[0]), std::uint64_t(size[1]), std::uint64_t(size[2])},
        source(std::uint32_t(x0[0] % 2 + 2 * (x0[1] % 2) + 4 * (x0[2] % 2) + 8 * (x0[3] % 2))) {}

  // Of a lexicographic number.
  TRELLIS_INLINE std::uint32_t operator()(std::uint64_t site) const {
    std::uint32_t bits = site % extents[0] & 1;
    site /= extents[0];
    bits |= (site % extents[1] & 1) << 1;
    site /= extents[1];
    bits |= (site % extents[2] & 1) << 2;
    site /= extents[2];
    return (bits | (site & 1) << 3) ^ source;
  }
};

inline constexpr std::uint32_t odd_in_space = 7;

// The signs of local mesons, in the order of staggered_hadron_names(); those of a rho are the mean over three
// directions.
inline double local_meson_weight(int meson, std::uint32_t odd) {
  const double x = (odd & 1) != 0 ? -1 : 1, y = (odd & 2) != 0 ? -1 : 1, z = (odd & 4) != 0 ? -1 : 1;
  return meson == 0 ? 1 : meson == 1 ? x * y * z : meson == 2 ? (x + y + z) / 3 : (y * z + z * x + x * y) / 3;
}

// sum over vectors and colours of conj(first) second
template <int W>
TRELLIS_INLINE complex<lanes_t<double, W>> propagator_product(const ParityAccess<double, 6, W>& first,
                                                              const ParityAccess<double, 6, W>& second, int tile) {
  complex<lanes_t<double, W>> sum(lanes_t<double, W>(0.0));
  for (int n = 0; n < first.count; ++n) {
    const auto a = first.vector(tile, n), b = second.vector(tile, n);
    for (int i = 0; i < 3; ++i) sum = fma_conj(a.e[i], b.e[i], sum);
  }
  return sum;
}

// det of the propagator from three colours to three colours
template <int W>
TRELLIS_INLINE complex<lanes_t<double, W>> propagator_determinant(const ParityAccess<double, 6, W>& quark, int tile) {
  const auto a = quark.vector(tile, 0), b = quark.vector(tile, 1), c = quark.vector(tile, 2);
  const auto minor = [&](int i, int j) { return b.e[i] * c.e[j] - b.e[j] * c.e[i]; };
  return fma(a.e[0], minor(1, 2), fma(a.e[1], minor(2, 0), a.e[2] * minor(0, 1)));
}

}  // namespace trellis::measure
