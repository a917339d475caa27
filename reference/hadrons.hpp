// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two-point functions of mesons and of the proton, from propagators S(x, 0) whose source is at the origin.
//
// Mesons, with any Gamma at the sink and Gamma' at the source (S' is the propagator of the antiquark):
//   C(t, p) = sum_x exp(-i p x) tr[Gamma S(x, 0) Gamma' gamma_5 S'(x, 0)^+ gamma_5]
//           = - sum_x exp(-i p x) < dbar Gamma u(x)  ubar Gamma' d(0) >,   p_j = 2 pi n_j / L_j.
// This is < O O^+ > for Gamma' = -gamma_t Gamma^+ gamma_t; so with Gamma' = Gamma the pion (gamma_5) and the rho
// (gamma_j) are positive, and others need the factor meson_sign(Gamma), Gamma = -meson_sign gamma_t Gamma^+ gamma_t.
//
// Proton, chi = epsilon_abc (u_a^T C gamma_5 d_b) u_c and chibar = chi^+ gamma_t:
//   C(t, p) = sum_x exp(-i p x) tr[P < chi(x) chibar(0) >],   P = (1 + parity gamma_t) / 2,
//   < chi_g chibar_h > = epsilon_abc epsilon_def B_{ij} Bbar_{kl}
//                        [ U_{ai,dl} D_{bj,ek} U_{cg,fh} - U_{ai,fh} D_{bj,ek} U_{cg,dl} ],
//   B = C gamma_5, Bbar = gamma_t B^+ gamma_t, sums over all repeated colours and spins; U and D are the propagators of
//   u and d. For t well below T/2 it is positive for parity 1 and, since gamma_t is in chibar, negative for -1.
//   With antiperiodic quarks C_+(T - t) = -C_-(t) on average.
//
// Baryons of any three quarks are evaluated from their operators by Wick's theorem. An operator is a sum of terms
//   weight epsilon_abc (f_a^T B g_b) h_c
// with flavours f, g, h = 0 .. 2; its conjugate is chi^+ gamma_t, in which each term has conj(weight), the same
// flavours and Bbar = gamma_t B^+ gamma_t. Sums over all terms at the sink and at the source, over all contractions of
// quarks of the same flavour with the sign of their permutation, and over all colours and spins.
//
// The normalisation is that of the propagators: with S = M^-1 of wilson_inverse.hpp a meson correlator must be
// multiplied by (2 kappa)^2 to be one of (D_w + m)^-1, a proton correlator by (2 kappa)^3. Cost: some 10^4 operations
// per site.

#include "reference/wilson_inverse.hpp"

namespace trellis::reference {

// S(x, source) as a function of x - source, at index(x - source). Sites that are reached across the end of the lattice
// (x_mu < source_mu) get the boundary phase exp(i pi angle), so that the result does not depend on the source's
// position.
Propagator seen_from_source(const Site& size, const Propagator& s, const Site& source,
                            const std::array<double, 4>& boundary_angle_over_pi);

using Momentum = std::array<int, 3>;      // n
using Correlator = std::vector<Complex>;  // at t = 0 .. T - 1

Correlator meson_correlator(const Site& size, const Propagator& quark, const Propagator& antiquark,
                            const SpinMatrix& sink, const SpinMatrix& source, const Momentum& n);
double meson_sign(const SpinMatrix& gamma);  // for the sixteen matrices: 1 or -1

struct BaryonOperatorTerm {
  Complex weight;
  std::array<int, 3> flavours;
  SpinMatrix diquark;  // B
};
using BaryonOperator = std::vector<BaryonOperatorTerm>;
// tr[X < sink(x) bar(source)(0) >]; propagators by flavour.
Correlator baryon_correlator(const Site& size, const std::vector<Propagator>& flavours, const BaryonOperator& sink,
                             const BaryonOperator& source, const SpinMatrix& x, const Momentum& n);

// parity 1 or -1
Correlator proton_correlator(const Site& size, const Propagator& up, const Propagator& down, int parity,
                             const Momentum& n);

}  // namespace trellis::reference
