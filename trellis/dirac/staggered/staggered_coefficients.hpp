// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The factors of the hops of the staggered operator and of its derivatives: eta_mu(x) u_mu(x) / 2 forwards and
// -eta_mu(x) conj(u_mu(x - mu)) / 2 backwards, with the phases u of link_phases.hpp and eta_mu(x) = (-1)^(sum of x_nu,
// nu < mu). Hops are those of naik_neighbours (lattice/halo/hop_pattern.hpp), of which the first eight are the nearest
// neighbours. For three steps u_mu(x) is the product of the phases of the three links, eta the same. Hops that do not
// exist with boundaries in time (stencil/quark_slices.hpp) have the factor 0.

#include "trellis/dirac/staggered/link_phases.hpp"
#include "trellis/dirac/stencil/hop_table.hpp"

namespace trellis::dirac {

HopCoefficient staggered_coefficient(const LinkPhases& phases, const Coordinate& size);
// For dD/d(a mu) at mu = 0, mu being the real chemical potential in U_t e^mu, U_t^dagger e^-mu: both t hops with a plus
// sign.
HopCoefficient chemical_potential_derivative(const LinkPhases& phases, const Coordinate& size);
// For d^2 D/d(a mu)^2: the t part of D.
HopCoefficient chemical_potential_second_derivative(const LinkPhases& phases, const Coordinate& size);
// For dD/dn, with the flux quanta n of a plane taken as a real number.
HopCoefficient flux_derivative(const LinkPhases& phases, int plane, const Coordinate& size);
// u_mu(x) / 2 forwards and conj(u_mu(x - mu)) / 2 backwards in one direction: a symmetric shift by one step,
// without signs.
HopCoefficient symmetric_shift(const LinkPhases& phases, int direction, const Coordinate& size);

}  // namespace trellis::dirac
