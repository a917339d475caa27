// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Landau and Coulomb gauge. Over gauge transformations g(x), the functional
//   F[g] = 1 / (3 n V) sum over x, mu of Re tr U^g_mu(x),    U^g_mu(x) = g(x) U_mu(x) g(x + mu)^dagger,
// is maximised: mu = x, y, z, t and n = 4 for Landau gauge; mu = x, y, z and n = 3 for Coulomb gauge, where every time
// slice is a problem of its own. F = 1 for unit links. At a maximum the lattice divergence
//   Delta(x) = sum over mu of A_mu(x) - A_mu(x - mu),    A_mu(x) = (U^g_mu(x) - U^g_mu(x)^dagger) / (2 i), traceless,
// vanishes, and its size is the residual
//   theta = 1 / (3 V) sum over x of tr Delta(x) Delta(x)^dagger
// (L. Giusti, M. L. Paciello, C. Parrinello, S. Petrarca and B. Taglienti, Int. J. Mod. Phys. A 16 (2001) 3487, who do
// not divide by 3; a code that leaves out the 2 in A has four times this theta). In Coulomb gauge theta is the average
// over all time slices: no slice's own exceeds L_t times that. Which of several maxima (Gribov copies) is found depends
// on the start.
//
// The even sites are visited before the odd ones. With m(x) = sum over mu of U^g_mu(x) + U^g_mu(x - mu)^dagger, a
// site's part of F is Re tr m, so g(x) is multiplied by elements of three SU(2) subgroups in turn (N. Cabibbo and E.
// Marinari, Phys. Lett. B 119 (1982) 387), each of which would maximise Re tr r m, overrelaxed (J. E. Mandula and M.
// Ogilvie, Phys. Lett. B 248 (1990) 156): r^w to first order, (1 - w) + w r, normalised. F never falls for w from 1 to
// 2, because this is at most as far from r as 1 is; w = 1 maximises.
//
// Boundaries in time (boundary.hpp): F is the average over the links that exist, theta that over the sites that are
// transformed. At open boundaries these are all sites, and links that do not exist are zeros in m and Delta. In a
// Schroedinger functional g is 1 on slices 0 and T, so that fixed links and the state that they stand for stay as they
// are; the gauge condition holds on the slices between them.
//
// g is stored and the links are left alone until the end, which moves fewer bytes than rotating links at every step.
// All bits are the same for any lanes, threads and ranks: exact sums decide when to stop. The lattice must be in
// even/odd order (Error otherwise). Cost of an iteration per site: 1584 bytes, about 2100 flops (Coulomb gauge: 1296
// bytes, 1700 flops); every tenth, theta is computed, for another 720 bytes. Memory: 144 bytes per site.

#include <array>

#include "trellis/core/base/named.hpp"
#include "trellis/gauge/fixing/gauge_transformation.hpp"

namespace trellis::gauge {

enum class Gauge { coulomb, landau };
inline constexpr std::array<NamedValue<Gauge>, 2> gauges{{{"coulomb", Gauge::coulomb}, {"landau", Gauge::landau}}};

struct GaugeFixingParameters {
  Gauge gauge = Gauge::coulomb;
  double residual = 1e-12;      // theta to reach, above 0
  double overrelaxation = 1.7;  // w, from 1 to less than 2
  int max_iterations = 20000;
};

struct GaugeCondition {
  double functional = 0;  // F
  double residual = 0;    // theta
};

struct GaugeFixingReport {
  GaugeCondition reached;  // of the transformed links
  int iterations = 0;
};

// F and theta of the links as they are.
template <class T, int W>
GaugeCondition gauge_condition(Gauge gauge, const GaugeField<T, W>& u, const Boundary& boundary = {});

// F and theta of the links as g transforms them. g must have been exchanged.
template <class T, int W>
GaugeCondition gauge_condition(Gauge gauge, const GaugeTransformation<T, W>& g, const GaugeField<T, W>& u,
                               const Boundary& boundary = {});

// One iteration: each g(x) once, with overrelaxation w. It exchanges what it reads itself; exchange g afterwards,
// before another function reads it.
template <class T, int W>
void relax_gauge(Gauge gauge, double w, const GaugeField<T, W>& u, const GaugeTransformation<T, W>& g,
                 const Boundary& boundary = {});

// Transforms the links to the gauge, in place. Throws InputError for parameters out of range, and Error if theta is not
// reached within max_iterations; the links are then unchanged. What rounding leaves is about 1e-31.
template <class T, int W>
GaugeFixingReport fix_gauge(const GaugeFixingParameters& parameters, const GaugeField<T, W>& u,
                            const Boundary& boundary = {});

}  // namespace trellis::gauge
