// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Improved staggered quarks with fat links X and hops of three steps L, path by path.
//
//   Asqtad (K. Orginos, D. Toussaint and R. L. Sugar, hep-lat/9903032):  X and L from the links u of the gauge field.
//   HISQ (E. Follana et al., hep-lat/0610092):  V = Fat7 of u,  W = V (V^+ V)^(-1/2) in U(3),  X and L from W.
//
//   X_mu(x) = sum of c times the product of the links along every path from x to x + mu of these kinds
//             (nu, rho, sigma: all different from each other and from mu, either way, in every order):
//     one     mu                                           1 path
//     three   nu mu -nu                                    6
//     five    nu rho mu -rho -nu                          24
//     seven   nu rho sigma mu -sigma -rho -nu             48
//     lepage  nu nu mu -nu -nu                             6
//   L_mu(x) = naik u_mu(x) u_mu(x+mu) u_mu(x+2mu)
//
//   D psi(x) = 1/2 sum_mu eta_mu(x) [ u_mu(x) X_mu(x) psi(x+mu)  - h.c. at x-mu
//                                   + u3_mu(x) L_mu(x) psi(x+3mu) - h.c. at x-3mu ],
//   u3_mu(x) = u_mu(x) u_mu(x+mu) u_mu(x+2mu).
//
// eta is not part of the links (see staggered.hpp). The product of eta along a path is eta_mu(x), with its sign turned
// by each step aside, so where eta is part of the links, as in many papers, three and seven have the other sign; five
// and lepage do not.

#include <vector>

#include "reference/dense.hpp"
#include "reference/loops.hpp"
#include "reference/staggered.hpp"

namespace trellis::reference {

struct PathCoefficients {
  double one = 0.0, three = 0.0, five = 0.0, seven = 0.0, lepage = 0.0, naik = 0.0;
};
PathCoefficients fat7_paths();               // 1/8, 1/16, 1/64, 1/384
PathCoefficients hisq_second_level_paths();  // 1, 1/16, 1/64, 1/384, lepage -1/8, naik -1/24
// 5/8, 1/(16 u0^2), 1/(64 u0^4), 1/(384 u0^6), lepage -1/(16 u0^4), naik -1/(24 u0^2), from links u of SU(3): an
// overall 1/u0 has been taken into the mass.
PathCoefficients asqtad_paths(double u0);
PathCoefficients naik_paths();  // 9/8, naik -1/24 (S. Naik, Nucl. Phys. B 316 (1989) 238)

// All paths of one kind (a field of PathCoefficients) along mu.
std::vector<Path> one_link_paths(int mu), three_link_paths(int mu), five_link_paths(int mu), seven_link_paths(int mu),
    lepage_paths(int mu);

GaugeConfiguration fat_links(const GaugeConfiguration& u, const PathCoefficients& c);         // X
GaugeConfiguration three_step_links(const GaugeConfiguration& u, const PathCoefficients& c);  // L

// V (V^+ V)^(-1/2) from eigenvalues and eigenvectors of V^+ V. Error if V is singular.
Matrix unitary_part(const Matrix& v);
GaugeConfiguration unitary_part(const GaugeConfiguration& v);  // link by link

struct ImprovedLinks {
  GaugeConfiguration fat, three_steps;  // X, L
  GaugeConfiguration one_step;          // the links that the others are made of: W or u
};
ImprovedLinks improved_links(const GaugeConfiguration& w, const PathCoefficients& c);
ImprovedLinks hisq_links(const GaugeConfiguration& u);
ImprovedLinks asqtad_links(const GaugeConfiguration& u, double u0);
// With the correction epsilon of the Naik term: X + epsilon / 8 W and (1 + epsilon) L.
ImprovedLinks with_naik_epsilon(const ImprovedLinks& links, double epsilon);

ColourField apply_d(const ImprovedLinks& links, const LinkPhases& theta, const ColourField& psi);
ColourField apply_m(const ImprovedLinks& links, const LinkPhases& theta, double mass, const ColourField& psi);
// m + D, columns in the order of staggered_matrix.hpp.
DenseMatrix staggered_matrix(const ImprovedLinks& links, const LinkPhases& theta, double mass);

}  // namespace trellis::reference
