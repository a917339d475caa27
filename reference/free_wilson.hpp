// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The propagator of free Wilson quarks (unit links, so the clover term is 1) in closed form.
//
// On a plane wave exp(i p x), p_mu = (2 pi n_mu + pi boundary_angle_over_pi[mu]) / L_mu, n_mu = 0 .. L_mu - 1:
//   M(p) = w(p) + 2 i kappa sum_mu s_mu gamma_mu sin p_mu,   w(p) = 1 - 2 kappa sum_mu s_mu cos p_mu,
//   S(p) = M(p)^-1 = [w(p) - 2 i kappa sum_mu s_mu gamma_mu sin p_mu] / [w(p)^2 + 4 kappa^2 sum_mu s_mu^2 sin^2 p_mu],
//   S(x, 0) = (1/V) sum_p exp(i p x) S(p), one in colour; M^-1, without a factor 2 kappa.
// The pion is C(t) = sum over space of tr S S^+. Its sum over t is (1/V) sum_p tr S(p) S(p)^+ (Parseval).
// Cost: V^2. Error if M has a zero mode.

#include "reference/wilson_inverse.hpp"

namespace trellis::reference {

// Source at the origin.
Propagator free_propagator(const Site& size, const WilsonQuark& quark);

}  // namespace trellis::reference
