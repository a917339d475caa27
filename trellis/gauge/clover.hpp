// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover-leaf field strength and quantities built from it. In lattice units, Hermitian and traceless:
//   F_{mu nu}(x) = traceless part of (C - C^dagger) / (8 i),   C = the sum of the four plaquettes that start and end at
//   x and turn from mu to nu: (mu, nu), (nu, -mu), (-mu, -nu), (-nu, mu),
// so that a plaquette that starts along mu is exp(i F_{mu nu} + ...). With it, averages and sums over sites x:
//   E = 1/V sum_x sum_{mu < nu} tr F_{mu nu}^2 = 1/V sum_x 1/4 F^a_{mu nu} F^a_{mu nu}   (Luescher, arXiv:1006.4518),
//   Q = 1/(32 pi^2) sum_x eps_{mu nu rho sigma} tr F_{mu nu} F_{rho sigma},  eps_{xyzt} = +1
//     = 1/(4 pi^2) sum_x tr (F_xy F_zt - F_xz F_yt + F_xt F_yz).
// MILC and QCDMeasurements.jl agree in sign; openQCD's Q has the opposite one.
// The arithmetic is in the field's precision, the sums in double precision; they have the same bits for any lanes and
// threads. Cost per site: 60 matrix products, 96 links read.

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

struct CloverObservables {
  double energy_density = 0;   // a^4 E
  double energy_spatial = 0;   // planes xy, xz, yz (magnetic); the two parts add up to energy_density
  double energy_temporal = 0;  // planes xt, yt, zt (electric)
  double topological_charge = 0;
};

template <class T, int W>
CloverObservables clover_observables(const GaugeField<T, W>& u);

}  // namespace trellis::gauge
