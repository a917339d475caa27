// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Smearings that project sums of a link and its staples back to SU(3): P(M) = project_su3(M), the unitary part of M
// without the phase of its determinant. (Others maximise Re tr(P^+ M) over SU(3), which differs at higher orders in the
// phase that is removed.)
//
//   APE (M. Albanese et al., Phys. Lett. B 192 (1987) 163):
//     U'_mu = P[ (1 - alpha) U_mu + alpha / n (sum of the n staples of U_mu) ],
//   in space and time n = 6; in space, n = 4 in spatial planes, and links in time stay.
//
//   HYP (A. Hasenfratz and F. Knechtli, hep-lat/0103029): links of the hypercubes that touch U_mu alone,
//     V_mu;nu,rho = P[ (1 - alpha3) U_mu + alpha3 / 2 sum over the two ways along the fourth direction eta of
//                      U_eta(x) U_mu(x+eta) U_eta(x+mu)^+ ]
//     W_mu;nu     = P[ (1 - alpha2) U_mu + alpha2 / 4 sum over +-rho != mu, nu of
//                      V_rho;nu,mu(x) V_mu;rho,nu(x+rho) V_rho;nu,mu(x+mu)^+ ]
//     U'_mu       = P[ (1 - alpha1) U_mu + alpha1 / 6 sum over +-nu != mu of W_nu;mu(x) W_mu;nu(x+nu) W_nu;mu(x+mu)^+
//     ].
//   In space: U'_i = W_i;t, which stays in its time slice, with alpha1 and alpha2 in the roles of alpha2 and alpha3.

//
// With boundaries in time (boundary.hpp) links that are not variables stay, also among V and W, and only staples that
// exist are added, without other weights. Smearing in space does not know time.

#include <optional>

#include "reference/boundary.hpp"

namespace trellis::reference {

GaugeConfiguration ape(GaugeConfiguration u, double alpha, int levels = 1,
                       const std::optional<TimeBoundary>& boundary = {});
GaugeConfiguration spatial_ape(GaugeConfiguration u, double alpha, int levels = 1);

GaugeConfiguration hyp(GaugeConfiguration u, double alpha1 = 0.75, double alpha2 = 0.6, double alpha3 = 0.3,
                       int levels = 1, const std::optional<TimeBoundary>& boundary = {});
GaugeConfiguration spatial_hyp(GaugeConfiguration u, double alpha1 = 0.6, double alpha2 = 0.3, int levels = 1);

}  // namespace trellis::reference
