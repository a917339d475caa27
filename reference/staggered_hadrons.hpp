// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two-point functions of local staggered mesons and of the local nucleon, from quarks that start at the origin.
//
// Mesons O_S(x) = phi_S(x) chibar_1(x) chi_2(x) with the spin and taste gamma_S x gamma_S (M. F. L. Golterman, Nucl.
// Phys. B 273 (1986) 663): phi_S gamma_S = A^+ gamma_S A, A = gamma_x^x gamma_y^y gamma_z^z gamma_t^t.
//   C(t, p) = sum_x exp(-i p x) phi_S(x) phi_S(0) tr[G_2(x, 0) G_1(0, x)],    p_j = 2 pi n_j / L_j,
// with both propagators computed: nothing is assumed of how they are related.
//
// Nucleon B = chi_1 chi_2 chi_3 (the indices are colours) on sites with even x, y and z:
//   C(t, p) = sum_x exp(-i p x) <B(x) Bbar(0)> = sum_x exp(-i p x) sum over permutations s of sign(s) prod_a G_{a s(a)}

#include "reference/gamma.hpp"
#include "reference/staggered.hpp"

namespace trellis::reference {

// phi_S(x); Error if gamma is not one of the sixteen, so that A^+ gamma A is not proportional to it.
double spin_taste_sign(const SpinMatrix& gamma, const Site& x);

// G(x, 0) and G(0, x) for one flavour.
struct StaggeredPropagator {
  std::vector<Matrix> from_origin, to_origin;  // [site], Matrix(sink colour, source colour)
};
StaggeredPropagator staggered_propagator(const GaugeConfiguration& u, const LinkPhases& theta, double mass);

// (Xi psi)(x): the mean over all orders of the product of (psi(x+i) + psi(x-i)) / 2, parallel transported, i in steps.
ColourField symmetric_shifts(const GaugeConfiguration& u, const LinkPhases& theta, std::vector<int> steps,
                             const ColourField& psi);

// The same for O = chibar_1 phi Xi chi_2 of spin S and taste T, products of gamma matrices in these directions:
//   C(t, p) = sum_x exp(-i p x) phi(x) phi(0) tr[(Xi G_2 Xi)(x, 0) G_1(0, x)],
// phi(x) = tr(A_x^+ gamma_S A_{x+D} gamma_T^+) / 4, D the directions in which S and T differ, which are spatial.
std::vector<Complex> point_split_meson(const GaugeConfiguration& u, const StaggeredPropagator& first,
                                       const LinkPhases& theta, double mass, const std::vector<int>& spin,
                                       const std::vector<int>& taste, const std::array<int, 3>& n);

// C(t, p) at t = 0 .. T - 1.
std::vector<Complex> staggered_meson(const Site& size, const StaggeredPropagator& first,
                                     const StaggeredPropagator& second, const SpinMatrix& gamma,
                                     const std::array<int, 3>& n);
std::vector<Complex> staggered_nucleon(const Site& size, const StaggeredPropagator& quark, const std::array<int, 3>& n);

// The links seen from x0: U'_mu(x) = U_mu(x + x0).
GaugeConfiguration seen_from(const GaugeConfiguration& u, const Site& x0);

}  // namespace trellis::reference
