// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sources of Wilson quarks: walls, and Gaussian smearing (Guesken et al., Phys. Lett. B 227 (1989) 266):
//
//   psi <- [(1 + alpha H) / (1 + 6 alpha)]^steps psi,
//   H psi(x) = sum_{j = x, y, z} U_j(x) psi(x+j) + U_j(x-j)^+ psi(x-j),
//
// on each time slice separately, periodic in space: the boundary phases of the quark do not enter. A sink is smeared by
// the same function applied to the columns of a propagator.

#include "reference/spinor.hpp"

namespace trellis::reference {

// 1 in one component of every site of a time slice.
SpinorField wall_spinors(const Site& size, int time, int component);

SpinorField gaussian_smear(const GaugeConfiguration& u, const SpinorField& psi, double alpha, int steps);

}  // namespace trellis::reference
