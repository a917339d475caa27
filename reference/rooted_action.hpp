// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rooted staggered quarks with pseudofermions phi on even sites:
//
//   S = phi^+ A^(-power) phi,   A = m^2 - D_eo D_oe with the smeared links
//
// by the eigenvectors of A, without rational approximation: power N_t / 4 for the weight (det A)^(N_t / 4).
// phi is even_part of a field (staggered_matrix.hpp). Derivatives are with respect to the links before smearing,
// dS / d omega_a at U -> exp(i omega_a T_a) U.

#include <array>

#include "reference/staggered_matrix.hpp"

namespace trellis::reference {

struct Smearing {  // stout.hpp
  double rho = 0.0;
  int levels = 0;
};

struct RootedQuark {
  QuarkPhases phases;
  double mass;
  double power;
  Smearing smearing = {};
};

double rooted_action(const GaugeConfiguration& u, const RootedQuark& quark, const DenseVector& phi);

// By differences of the full action: 32 eigensystems per link, so only for V of a few tens.
std::array<double, 8> rooted_derivative(const GaugeConfiguration& u, const RootedQuark& quark, const DenseVector& phi,
                                        const Site& x, int mu);

// The Hermitian G with dS = tr(G dA) for a small change of A:
//   G = sum_kl v_k c_k f[a_k, a_l] c_l^* v_l^+,  c = v^+ phi,  f[a, b] = (f(a) - f(b)) / (a - b),  f(a) = a^(-power)
// With it the derivative with respect to a link needs no further eigensystems, only differences of A.
DenseMatrix rooted_gradient(const Eigensystem& a, double power, const DenseVector& phi);

}  // namespace trellis::reference
