// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staggered observables on one configuration, with exact traces by dense matrices: no random sources.
//
// Traces are over all sites and colours and count four tastes; a flavour of N_t tastes has the factor N_t / 4:
//   condensate       (N_t / 4) tr M^-1 / V            (published numbers with 1 / (2V) have N_t = 2)
//   number density   (N_t / 4) tr[M^-1 M'] / V        M' = dM/d(a mu), U_t e^{a mu} and U_t^+ e^{-a mu}
//   its derivative   (N_t / 4) (tr[M^-1 M''] - tr[M^-1 M' M^-1 M']) / V
//   magnetisation    (N_t / 4) tr[M^-1 dM/db] / V     b = the flux bz taken as a real number, at its given value
// They are derivatives of (N_t / 4) log det M / V. At real mu = 0 tr[M^-1 M'] is imaginary, the others are real.

#include <vector>

#include "reference/staggered.hpp"

namespace trellis::reference {

// Weights of the hops (staggered.hpp) that give D at the real potential a mu, and its first and second derivative with
// respect to a mu, at a mu = 0; and the derivative with respect to bz.
HopWeights weights_at_potential(const Site& size, double potential);
HopWeights weights_of_first_derivative(const Site& size);
HopWeights weights_of_second_derivative(const Site& size);
HopWeights weights_of_flux_derivative(const Site& size, double charge);

struct QuarkTraces {
  Complex inverse;        // tr M^-1
  Complex first;          // tr M^-1 M'
  Complex second;         // tr M^-1 M''
  Complex first_squared;  // tr M^-1 M' M^-1 M'
  Complex magnetic;       // tr M^-1 dM/dbz
};

// From the inverse of the 3V x 3V matrix: seconds for V = 256.
QuarkTraces exact_traces(const GaugeConfiguration& u, const QuarkPhases& quark, double mass);

// (N_t / 4) trace / V
Complex per_flavour(Complex trace, double tastes, const Site& size);

// The same condensate from the Cholesky decomposition on even sites, a twentieth of the work.
double exact_condensate(const GaugeConfiguration& u, const LinkPhases& theta, double mass, double tastes);

// Unit links, no external field: tr M^-1 = 3 m sum_p 1 / (m^2 + sum_mu sin^2 p_mu), p = (2 pi n + angle) / L.
double free_condensate(const Site& size, const QuarkPhases& quark, double mass, double tastes);

// <1| M^-1 |1>, where |1> is 1 in every colour of every site.
Complex constant_source(const GaugeConfiguration& u, const LinkPhases& theta, double mass);

// The pion correlator from a point source at the origin, C(t) = sum over space and colours of |M^-1(x, 0)|^2, and the
// trace of M^-1(0, 0). They satisfy m sum_t C(t) = tr M^-1(0, 0) on every configuration (Ward identity), since
// M^-1 = (m - D) (m^2 - D^2)^-1 and D does not connect a site with itself.
struct PointSource {
  std::vector<double> pion;
  Complex propagator;
};
PointSource point_source(const GaugeConfiguration& u, const LinkPhases& theta, double mass);

}  // namespace trellis::reference
