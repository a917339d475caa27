// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small operations on pseudofermions: drawing them, summing the poles of a rational function, their energy.

#include <span>

#include "trellis/core/random.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose pseudofermion_purpose{7};

// Complex normal numbers with <|x|^2> = 1, density exp(-x^dagger x): draws 3 first to 3 first + 2 of each site.
template <int W>
void draw_pseudofermion(const RandomStream& stream, std::uint32_t first, const ColourVectorField<double, W>& x);

// out <- constant in + sum_i weights[i] x_i, for x.count() = weights.size() vectors. Reads 1 + n, writes 1.
template <int W>
void sum_poles(double constant, const ColourVectorField<double, W>& in, std::span<const double> weights,
               const ColourVectorField<double, W>& x, const ColourVectorField<double, W>& out);

// Re <x_n, b - s_n x_n> for every n. Reads 1 + n.
template <int W>
std::vector<double> shifted_overlaps(std::span<const double> s, const ColourVectorField<double, W>& b,
                                     const ColourVectorField<double, W>& x);

// Re phi^dagger chi - |xi|^2, as a sum of differences site by site.
template <int W>
double pseudofermion_difference(const ColourVectorField<double, W>& phi, const ColourVectorField<double, W>& chi,
                                const ColourVectorField<double, W>& xi);

}  // namespace trellis::hmc
