// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The U(1) phase u_mu(x) = exp(i theta_mu(x)) that multiplies the links seen by one flavour:
//   antiperiodic time     theta_t += pi on the links that leave t = N_t - 1
//   chemical potential    theta_t += pi imaginary_mu / N_t on every t link; imaginary_mu = mu_I / (pi T)
//   angles in space       theta_k += pi angle_k / N_k on every k link: a quark gets exp(i pi angle_k) on its way around
//                         the lattice, and momenta are shifted by pi angle_k / N_k
//   background field      for each plane (i, j) with n flux quanta (charge times flux, an integer):
//                         theta_j(x) += 2 pi n x_i / (L_i L_j), and theta_i(x) -= 2 pi n x_j / L_j on the links that
//                         leave x_i = L_i - 1, so that each plaquette of the plane has the phase 2 pi n / (L_i L_j)
// ('t Hooft, Nucl. Phys. B 153 (1979) 141). Electric fields are Euclidean. Angles are in units of pi, so quarter turns
// are exact.

#include <array>
#include <cstdint>

#include "trellis/dirac/stencil/quark_slices.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::dirac {

// Planes (i, j) in the order of the six quanta: ex, ey, ez, bx, by, bz.
inline constexpr std::array<std::array<int, 2>, 6> flux_planes{{{0, 3}, {1, 3}, {2, 3}, {1, 2}, {2, 0}, {0, 1}}};

struct LinkPhases {
  bool antiperiodic_time = true;
  double imaginary_mu = 0;
  std::array<std::int64_t, 6> quanta{};
  gauge::Boundary boundary = {};  // in time: hops that do not exist have the factor 0 (stencil/quark_slices.hpp)
  std::array<double, 3> space_angles_over_pi{};

  bool operator==(const LinkPhases&) const = default;
};

// theta_mu(x) / pi on a lattice of this size.
double angle_over_pi(const LinkPhases& phases, const Coordinate& size, const Coordinate& x, int mu);

// d theta_mu(x) / d n, with the quanta n of one plane taken as a real number.
double angle_derivative(const Coordinate& size, int plane, const Coordinate& x, int mu);

}  // namespace trellis::dirac
