// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Wilson matrix (Wilson, Phys. Rev. D 10 (1974) 2445) with the clover term of Sheikholeslami and Wohlert (Nucl.
// Phys. B 259 (1985) 572), as dense gamma matrices on all sites:
//
//   M = A - kappa D,
//   D psi(x) = sum_mu s_mu [ (1 - gamma_mu) u_mu(x) U_mu(x) psi(x+mu)
//                          + (1 + gamma_mu) u_mu(x-mu)^* U_mu(x-mu)^+ psi(x-mu) ],
//   A(x) = 1 + i kappa sum_{mu < nu} c_{mu nu} sigma_{mu nu} F_{mu nu}(x)
//
//   s_t = 1, s_x = s_y = s_z = spatial_hopping (nu / xi_0 in an anisotropic action);
//   u_mu(x) = exp(i pi boundary_angle_over_pi[mu]) on links that leave x_mu = L_mu - 1, else 1;
//   c = clover (c_sw) if mu and nu are spatial, clover_temporal if nu = t;
//   F_{mu nu}(x) = (Q - Q^+) / 8, Q the sum of the four leaves of clover.hpp: antihermitian, about a^2 [D_mu, D_nu],
//   i times the field strength of clover.hpp plus its trace. The u do not enter the clover term.
//
// With boundaries in time quarks exist on the slices first_slice to last_slice, P projects on these, and
//   M = P (A - kappa D) P + (1 - P),
// with 2 kappa (c_F - 1) added to A on the first and on the last of them (M. Luescher and S. Schaefer, Comput. Phys.
// Commun. 184 (2013) 519); A = 1 and D = 0 elsewhere. P is 1 if last_slice is below first_slice.
//
// gamma_5 M gamma_5 = M^+. M = 2 kappa (D_w + m) with the D_w of the literature, 1 / (2 kappa) = m + 1 + 3
// spatial_hopping.
//
// Even and odd sites, x+y+z+t (needs even extents): M x = b is Mhat x_e = b_e + kappa D_eo A_oo^-1 b_o on even sites,
//   Mhat = A_ee - kappa^2 D_eo A_oo^-1 D_oe,   x_o = A_oo^-1 (b_o + kappa D_oe x_e).
// Fields are always on all sites; those on one parity are zero on the other. InputError for odd extents in these, and
// for a field on another lattice everywhere; Error if an A is singular.

#include "reference/dense.hpp"
#include "reference/spinor.hpp"

namespace trellis::reference {

struct WilsonQuark {
  double kappa = 0.1;
  double clover = 0.0;
  double clover_temporal = clover;
  double spatial_hopping = 1.0;
  std::array<double, 4> boundary_angle_over_pi = {0.0, 0.0, 0.0, 1.0};
  int first_slice = 0, last_slice = -1;
  double c_f = 1.0;

  bool on_slice(int t) const { return last_slice < first_slice || (first_slice <= t && t <= last_slice); }
};

// F above, antihermitian.
Matrix clover_field_strength(const GaugeConfiguration& u, const Site& x, int mu, int nu);

// A(x): 12 x 12, Hermitian, row and column 3 * spin + colour.
DenseMatrix clover_matrix(const GaugeConfiguration& u, const WilsonQuark& quark, const Site& x);

struct WilsonMatrix {
  WilsonMatrix(const GaugeConfiguration& u, const WilsonQuark& parameters);

  GaugeConfiguration links;
  WilsonQuark quark;
  std::vector<DenseMatrix> clover;  // A, at links.index(x)
};

SpinorField apply_d(const WilsonMatrix& m, const SpinorField& psi);
SpinorField apply_d_adjoint(const WilsonMatrix& m, const SpinorField& psi);  // the signs of gamma exchanged
SpinorField apply_clover(const WilsonMatrix& m, const SpinorField& psi);     // A psi
SpinorField apply_clover_inverse(const WilsonMatrix& m, const SpinorField& psi);
SpinorField apply_m(const WilsonMatrix& m, const SpinorField& psi);
SpinorField apply_m_adjoint(const WilsonMatrix& m, const SpinorField& psi);

enum class SiteParity { even, odd };
SpinorField part(const Site& size, const SpinorField& psi, SiteParity parity);  // zero on the other parity

// All use the even part of their argument (for the right-hand side, both parts) and return an even field.
SpinorField apply_mhat(const WilsonMatrix& m, const SpinorField& psi);
SpinorField apply_mhat_adjoint(const WilsonMatrix& m, const SpinorField& psi);
SpinorField even_right_hand_side(const WilsonMatrix& m, const SpinorField& b);
// x on all sites from its even part.
SpinorField reconstruct(const WilsonMatrix& m, const SpinorField& x_even, const SpinorField& b);

}  // namespace trellis::reference
