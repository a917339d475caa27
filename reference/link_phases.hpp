// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The U(1) phases u_mu(x) = exp(i theta_mu(x)) that multiply the links seen by a quark.
//
// Antiperiodic time:       theta_t += pi on the links that leave the last time slice.
// Imaginary potential:     theta_t += pi mu / L_t on every t link; mu = mu_I / (pi T), so mu = 1 turns the sign of the
//                          boundary (another gauge of the same physics).
// Angles in space:         theta_k += angle_k / L_k on every k link.
// Uniform external field:  charge q (units of e/3), flux b through the plane (i, j); bz: (x,y), bx: (y,z), by: (z,x),
//                          ex: (x,t), ey: (y,t), ez: (z,t):
//                            theta_j(x) += 2 pi q b x_i / (L_i L_j)
//                            theta_i(x) -= 2 pi q b x_j / L_j   on the links with x_i = L_i - 1
//                          Every plaquette of the plane then has the phase exp(2 pi i q b / (L_i L_j)), also the one at
//                          the corner if q b is an integer ('t Hooft, Nucl. Phys. B 153 (1979) 141).

#include <array>
#include <vector>

#include "reference/gauge.hpp"

namespace trellis::reference {

struct Flux {
  double ex = 0.0, ey = 0.0, ez = 0.0;
  double bx = 0.0, by = 0.0, bz = 0.0;
};

struct QuarkPhases {
  bool antiperiodic = true;
  double imaginary_potential = 0.0;  // mu_I / (pi T)
  double charge = 0.0;               // in units of e/3
  Flux flux = {};
  std::array<double, 3> space_angles = {};
};

// theta, indexed as GaugeConfiguration::links.
using LinkPhases = std::vector<double>;

// Throws InputError if the charge times a flux is not an integer.
LinkPhases link_phases(const Site& size, const QuarkPhases& quark);

// The external field alone, linear in the flux, which here may be any real number.
LinkPhases external_field(const Site& size, double charge, const Flux& flux);

}  // namespace trellis::reference
