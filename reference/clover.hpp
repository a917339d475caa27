// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover field strength, and the energy density and topological charge computed from it.
//
// F_{mu nu}(x) is Hermitian and traceless (P = exp(i F + ...) for the plaquette P that starts along mu, then nu):
//   F = traceless part of (C - C^+) / (8 i),   C = the sum of the four plaquettes ("leaves") that start and end at x
//   and turn from mu to nu: (mu, nu), (nu, -mu), (-mu, -nu), (-nu, mu).
//
// Energy density (lattice units; Luescher, arXiv:1006.4518; t^2 E = 0.3 defines t0):
//   E = (1/V) sum_x (1/2) sum_{mu, nu} tr F_{mu nu}^2 = (1/V) sum_x sum_{mu < nu} tr F_{mu nu}^2 = (1/4) F^a F^a
// split into its magnetic part (three spatial planes) and electric part (three planes with t); E is their sum.
// By plaquettes: E = 2 (1/V) sum_x sum_{mu < nu} Re tr(1 - P) = 36 (1 - plaquette average).
//
// Topological charge: Q = 1/(32 pi^2) sum_x eps_{mu nu rho sigma} tr F_{mu nu} F_{rho sigma}, eps_{xyzt} = +1,
//   = 1/(4 pi^2) sum_x tr(F_xy F_zt - F_xz F_yt + F_xt F_yz).

#include "reference/loops.hpp"

namespace trellis::reference {

Matrix field_strength(const GaugeConfiguration& u, const Site& x, int mu, int nu);

struct EnergyDensity {
  double total;
  double magnetic;
  double electric;
};
EnergyDensity clover_energy(const GaugeConfiguration& u);
EnergyDensity plaquette_energy(const GaugeConfiguration& u);

double topological_charge_density(const GaugeConfiguration& u, const Site& x);
double topological_charge(const GaugeConfiguration& u);

}  // namespace trellis::reference
