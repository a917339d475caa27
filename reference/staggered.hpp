// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The staggered Dirac operator (Kogut and Susskind, Phys. Rev. D 11 (1975) 395):
//
//   M = m + D,
//   D psi(x) = 1/2 sum_mu eta_mu(x) [ u_mu(x) U_mu(x) psi(x+mu) - u_mu(x-mu)^* U_mu(x-mu)^+ psi(x-mu) ],
//   eta = 1, (-1)^x, (-1)^(x+y), (-1)^(x+y+z);  u_mu(x) = exp(i theta_mu(x)), see link_phases.hpp.
//
// D is antihermitian and connects only even with odd sites, so with epsilon(x) = (-1)^(x+y+z+t): epsilon M epsilon =
// M^+. Extents must be even (otherwise eta and epsilon are not periodic); InputError if they are not.

#include <array>
#include <cstdint>
#include <vector>

#include "reference/gauge.hpp"
#include "reference/link_phases.hpp"

namespace trellis::reference {

struct ColourVector : std::array<Complex, 3> {};
using ColourField = std::vector<ColourVector>;  // one per site, at GaugeConfiguration::index(x)

double eta(const Site& x, int mu);
double epsilon(const Site& x);

ColourField apply_d(const GaugeConfiguration& u, const LinkPhases& theta, const ColourField& psi);
ColourField apply_m(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& psi);
ColourField apply_m_adjoint(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& psi);

// (m^2 - D^2) psi = M^+ M psi; it does not connect even and odd sites.
ColourField apply_m_adjoint_m(const GaugeConfiguration& u, const LinkPhases& theta, double mass,
                              const ColourField& psi);

// M^-1 psi by the textbook conjugate gradient on M^+ M, to a residual of `tolerance` |psi|; Error if it is not reached.
ColourField solve_m(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& psi,
                    double tolerance = 1e-14);

// The same with a weight for each hop, for derivatives of D:
//   1/2 sum_mu eta_mu(x) [ f_mu(x) u_mu(x) U_mu(x) psi(x+mu) + b_mu(x-mu) u_mu(x-mu)^* U_mu(x-mu)^+ psi(x-mu) ]
// indexed as GaugeConfiguration::links. D has f = 1, b = -1.
struct HopWeights {
  std::vector<Complex> forward, backward;
};
HopWeights weights_of_d(const Site& size);
ColourField apply_hops(const GaugeConfiguration& u, const LinkPhases& theta, const HopWeights& weights,
                       const ColourField& psi);

ColourField constant_field(const Site& size, Complex value);     // every colour of every site
ColourField random_field(const Site& size, std::uint64_t seed);  // real and imaginary parts normal
ColourField point_field(const Site& size, const Site& x, int colour);
ColourField gauge_transform(const ColourField& psi, const GaugeTransformation& g);  // g(x) psi(x)
ColourField operator+(const ColourField& a, const ColourField& b);
ColourField operator-(const ColourField& a, const ColourField& b);
ColourField operator*(Complex s, const ColourField& a);
Complex dot(const ColourField& a, const ColourField& b);  // sum a^* b
double norm(const ColourField& a);                        // sqrt(dot(a, a))

}  // namespace trellis::reference
