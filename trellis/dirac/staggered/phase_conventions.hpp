// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The signs that belong to the links of staggered quarks, ours and those of MILC (and of QOPQDP, which reads its
// files). Ours are applied by the operator (staggered_coefficients.hpp) and never in links:
//   eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z).
// MILC multiplies its links by
//   alpha_t = 1, alpha_x = (-1)^t, alpha_y = (-1)^(t+x), alpha_z = (-1)^(t+x+y),
// and those that leave t = N_t - 1 by -1 if time is antiperiodic, before it smears them, so that fat and long links in
// its files contain these signs. The two operators are the same up to signs of the vectors. With fat links F and long
// links L as they are in such a file MILC's matrix is 2 m + D,
//   D psi(x) = sum_mu [ F_mu(x) psi(x+mu) - F_mu(x-mu)^dagger psi(x-mu)
//                     + L_mu(x) psi(x+3mu) - L_mu(x-3mu)^dagger psi(x-3mu) ],
// without the 1/2 of ours: twice our m + D.

#include "trellis/comm/coordinate.hpp"

namespace trellis::dirac {

// eta_mu(x), 1 or -1.
double staggered_sign(const Coordinate& x, int mu);

// The sign of a link in MILC's files that leads `steps` (1 or 3) steps from x in direction mu.
double milc_sign(const Coordinate& size, const Coordinate& x, int mu, int steps, bool antiperiodic_time = true);

}  // namespace trellis::dirac
