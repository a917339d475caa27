// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Colour vectors on all sites: a field on the even sites and one on the odd ones, `count` vectors side by side.

#include <array>
#include <complex>
#include <vector>

#include "trellis/core/random.hpp"
#include "trellis/dirac/staggered.hpp"

namespace trellis::measure {

template <class T, int W>
struct FullVectors {
  std::array<ColourVectorField<T, W>, 2> part;  // even, odd

  explicit FullVectors(const Lattice& lattice, int count = 1)
      : part{ColourVectorField<T, W>(lattice, 0, count), ColourVectorField<T, W>(lattice, 1, count)} {}

  const Lattice& lattice() const { return part[0].lattice(); }
  int count() const { return part[0].count(); }
  // Another of the same kind, zero.
  FullVectors like() const { return FullVectors(lattice(), count()); }
};

// out <- sum over hops, as dirac::apply_hops, from all sites to all sites.
template <class T, int W>
void apply_hops(const dirac::StaggeredLinks<T, W>& links, const dirac::HopTable<T, W>& coefficients,
                const FullVectors<T, W>& in, const FullVectors<T, W>& out);

// <a_n, b_n> = sum conj(a) b of each vector. At most 32 vectors.
template <class T, int W>
std::vector<std::complex<double>> products(const FullVectors<T, W>& a, const FullVectors<T, W>& b);

// |a_n|^2
template <class T, int W>
std::vector<double> norms2(const FullVectors<T, W>& a);

// Z2 x Z2 noise: each of the 3 V numbers of vector n is (+-1 +- i) / sqrt(2), drawn as number first_draw + n of its
// site. <conj(a_i) a_j> = delta_ij, and |a_i| = 1 always.
template <class T, int W>
void draw_noise(const RandomStream& stream, std::uint32_t first_draw, const FullVectors<T, W>& out);

}  // namespace trellis::measure
