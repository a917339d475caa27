// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Correlators of mesons and baryons of different quarks, from one propagator of each with the same source; quark-line
// connected parts, with the conventions of hadron_correlators.hpp.
//   mesons      O = qbar_2 Gamma q_1:  C(t) = -sum_x e^{..} tr[Gamma S_1(x) Gammabar gamma_5 S_2(x)^dagger gamma_5],
//               complex on one configuration; with q_1 and q_2 exchanged it is its complex conjugate at -p
//   proton      N = eps_abc (q_a^T C gamma_5 q'_b) q_c of the quarks (q, q, q'): proton, Sigma, Xi
//   lambda      N = [2 (q1 q2) q3 + (q1 q3) q2 - (q2 q3) q1] / sqrt 6 with (q q') q'' = eps_abc (q_a^T C gamma_5 q'_b)
//               q''_c, antisymmetric in q1 and q2, which are two flavours even if they have the same mass: Lambda of
//               the octet (D. Leinweber, R. Woloshyn, T. Draper, Phys. Rev. D 43 (1991) 1659)
//   decuplet    N_i = sqrt(2/3) [(q1 q2) q3 + (q2 q3) q1 + (q3 q1) q2], now with C gamma_i: Delta, Sigma*, Xi*,
//               Omega. Of equal quarks it is eps_abc (q_a^T C gamma_i q_b) q_c. The spin 3/2 at rest is projected out:
//               C(t) = 1/3 sum_ij tr[P (delta_ij - gamma_i gamma_j / 3) <N_j Nbar_i>]
// P = (1 + gamma_4)/2, and with -(1 - gamma_4)/2 the names end in `_negative`. Cost per site: 4 10^3 multiply-adds for
// all mesons of two quarks, 10^4 for a proton, 5 10^4 for a lambda, 10^5 (one quark) to 8 10^5 (three) for a decuplet.

#include <array>
#include <span>
#include <string>

#include "trellis/measure/hadron_correlators.hpp"

namespace trellis::measure {

// The six above; meson channels of hadron_names() are all others.
const std::vector<std::string>& baryons_of_quarks();

// C[name][momentum][t], t fastest. InputError for an unknown name; Error unless there are twelve columns.
template <int W>
std::vector<std::vector<std::complex<double>>> meson_correlators(const FullSpinors<double, W>& quark,
                                                                 const FullSpinors<double, W>& antiquark,
                                                                 std::span<const std::string> names,
                                                                 const SinkParameters& parameters);

// quarks: their numbers among the propagators; equal numbers mean equal masses. Where the first two quarks of a proton
// differ, by a current on one of them, C is the sum of both orders: the part of C with q + q' that has one of each.
template <int W>
std::vector<std::vector<std::complex<double>>> baryon_correlators(std::span<const FullSpinors<double, W>> propagators,
                                                                  const std::array<int, 3>& quarks,
                                                                  std::span<const std::string> names,
                                                                  const SinkParameters& parameters);

}  // namespace trellis::measure
