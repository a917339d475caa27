// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Molecular dynamics of the gauge field: H(p, U) = sum_links tr(H^2) + S(U), with one Hermitian traceless momentum
// H = sum_a p_a T_a per link, <p_a^2> = 1.
//
//   dU/dt = i H U,   dp_a/dt = -dS/d omega_a   (so that the sum of both energies is conserved)
//
// An integration scheme is the list of its updates within one step: positions U <- exp(i c eps H) U or momenta
// H <- H - c eps sum_a T_a dS/d omega_a. The coefficients of each kind sum to 1.

#include <functional>
#include <vector>

#include "reference/gauge.hpp"

namespace trellis::reference {

using Momenta = std::vector<Matrix>;                                          // indexed as GaugeConfiguration::links
using Force = std::function<std::vector<Matrix>(const GaugeConfiguration&)>;  // sum_a T_a dS/d omega_a for every link

Momenta random_momenta(const Site& size, std::uint64_t seed);
double kinetic_energy(const Momenta& momenta);  // sum of tr(H^2) = half the sum of p_a^2

struct Update {
  enum class Of { positions, momenta };
  Of what;
  double coefficient;
};
using Scheme = std::vector<Update>;

Scheme leapfrog_positions_first();
Scheme leapfrog_momenta_first();

// Second-order minimum norm (Omelyan, Mryglod, Folk, Comput. Phys. Commun. 151 (2003) 272; Takaishi, de Forcrand,
// hep-lat/0505020): momenta lambda, positions 1/2, momenta 1 - 2 lambda, positions 1/2, momenta lambda.
Scheme minimum_norm_2(double lambda = 0.1931833275037836);

// Fourth-order minimum norm with five forces, momenta first (4MN5FV, same source).
Scheme minimum_norm_4();

// Moves u and momenta by `steps` steps of length `step`.
void integrate(GaugeConfiguration& u, Momenta& momenta, const Force& force, const Scheme& scheme, double step,
               int steps);

}  // namespace trellis::reference
