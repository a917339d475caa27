// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Projection of sums of paths to U(3), link by link, and its exact derivative (su3/unitarisation.hpp). Bytes: two
// matrices per link are read or written, for the derivative four or five.

#include "trellis/core/profile/profile.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Below this smallest singular value few digits of W remain, and derivatives mean little. Even of random thin links in
// SU(3) hardly any come near it: the probability of a smaller value falls as its square.
template <class T>
inline constexpr double smallest_safe_value = is_single<T> ? 2.5e-6 : 1.5e-8;

// w = the unitary part of v, ghosts up to corners included. Error, on all ranks, if a link's smallest singular value is
// too small or a link is not finite: it names the first site and direction. keep_zeros: links that are exactly zero,
// which do not exist, stay so.
template <class T, int W>
void project_to_unitary(const GaugeField<T, W>& v, const GaugeField<T, W>& w, bool keep_zeros = false);

// On entry dS = sum Re tr(gradient^dagger dw), or with by_w, if not null, sum Re tr((gradient^dagger + by_w) dw); on
// return dS = sum Re tr(gradient dv). With a cut_off above 0 derivatives are limited where some eigenvalue of
// v^dagger v is below it, and are no longer exact. Returns how many links of all ranks these were.
// keep_zeros: the gradient is zero where v is.
template <class T, int W>
double transpose_projection(const GaugeField<T, W>& v, const GaugeField<T, W>& w, const GaugeField<T, W>* by_w,
                            double cut_off, const GaugeField<T, W>& gradient, bool keep_zeros = false);

}  // namespace trellis::gauge
