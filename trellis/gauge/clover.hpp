// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover-leaf field strength and what is made of it. F_{mu nu}(x) = traceless anti-Hermitian part of the mean of
// the four plaquettes that meet in x, in lattice units (F = a^2 i F_cont, say); with it
//   energy density E = -1/2 sum over mu < nu of 2 tr F F / V = 1/4 sum_{mu nu} F^a F^a,
//   topological charge Q = sum_x 1/(32 pi^2) eps_{mu nu rho sigma} tr F_{mu nu} F_{rho sigma} (sign as in the manual).

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

struct CloverObservables {
  double energy_density = 0;  // a^4 E, average over sites
  double energy_spatial = 0;  // planes xy, xz, yz; the two parts add up to energy_density
  double energy_temporal = 0;
  double topological_charge = 0;
};

template <class T, int W>
CloverObservables clover_observables(const GaugeField<T, W>& u);

}  // namespace trellis::gauge
