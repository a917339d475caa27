// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on colour vectors on all sites (full_fields.hpp), for staggered quarks.

#include <complex>

#include "trellis/core/random.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

// out <- sum over hops, like dirac::apply_hops, from all sites to all sites.
template <class T, int W>
void apply_hops(const dirac::StaggeredLinks<T, W>& links, const dirac::HopTable<T, W>& coefficients,
                const FullVectors<T, W>& in, const FullVectors<T, W>& out);

// <a_n, b_n> = sum conj(a) b for each vector. At most 32 vectors.
template <class T, int W>
std::vector<std::complex<double>> products(const FullVectors<T, W>& a, const FullVectors<T, W>& b);

inline constexpr RandomPurpose noise_purpose{9};

// Z2 x Z2 noise: each of the 3 V numbers of vector n is (+-1 +- i) / sqrt(2), drawn with number first_draw + n at its
// site. <conj(a_i) a_j> = delta_ij, and |a_i| = 1 exactly.
template <class T, int W>
void draw_noise(const RandomStream& stream, std::uint32_t first_draw, const FullVectors<T, W>& out);

}  // namespace trellis::measure
