// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Smearings that project sums of a link and its staples back to SU(3), for measurements: they have no force. P(M) is
// project_polar(M) of su3/projection.hpp, the unitary part of M without the phase of its determinant.
//
// APE (M. Albanese et al., Phys. Lett. B 192 (1987) 163):
//   U'_mu = P[ (1 - alpha) U_mu + alpha / n (sum of the n staples of U_mu) ],  n = 6, or 4 in space.
// HYP (A. Hasenfratz and F. Knechtli, hep-lat/0103029) takes staples within the hypercubes that touch U_mu only. With
// both(A, B; nu) = A_nu(x) B_mu(x+nu) A_nu(x+mu)^dagger + A_nu(x-nu)^dagger B_mu(x-nu) A_nu(x-nu+mu),
//   V_mu,eta = P[ (1 - alpha3) U_mu + alpha3 / 2 both(U, U; eta) ]
//   W_mu,nu  = P[ (1 - alpha2) U_mu + alpha2 / 4 sum over rho != mu, nu of both(V_rho,eta, V_mu,eta; rho) ],
//              eta the fourth direction
//   U'_mu    = P[ (1 - alpha1) U_mu + alpha1 / 6 sum over nu != mu of both(W_nu,mu, W_mu,nu; nu) ].
// In space (three dimensions): U'_i = W_i,t with alpha1 and alpha2 in the roles of alpha2 and alpha3. It stays in its
// time slice, and links in time are unchanged, as with APE in space.
//
// Boundaries in time: links that are not variables stay as they are, bit for bit, also among V and W. So staples with
// links that do not exist are zero and the sums have fewer terms near an open boundary, with the same weights as
// elsewhere.
//
// Error if a sum is singular, so that it has no projection: this takes contrived links.
// Cost per site and level, in matrix products and projections: APE 96 and 4 (in space 48 and 3), HYP 240 and 28 (96 and
// 9); HYP needs six further fields of links while it works (three).

#include <array>

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

struct ApeParameters {
  int dimensions = 4;  // 3: in space
  double alpha = 0.5;
  int levels = 1;
  Boundary boundary = {};
};
struct HypParameters {
  int dimensions = 4;                              // 3: in space
  std::array<double, 3> alpha = {0.75, 0.6, 0.3};  // alpha1, alpha2, alpha3; in space the third is not used
  int levels = 1;
  Boundary boundary = {};
};

// u smeared; for 0 levels u itself, shared. InputError for an alpha outside [0, 1], fewer than 0 levels, and dimensions
// other than 3 and 4.
template <class T, int W>
GaugeField<T, W> ape_smeared(const ApeParameters& parameters, const GaugeField<T, W>& u);
template <class T, int W>
GaugeField<T, W> hyp_smeared(const HypParameters& parameters, const GaugeField<T, W>& u);

}  // namespace trellis::gauge
