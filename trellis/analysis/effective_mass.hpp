// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Effective masses, in lattice units: the mass between t and t + 1 that a correlator C would have for a single state.
//   logarithm   m = log(C(t) / C(t + 1)), for exp(-m t): for baryons and for infinite lattices
//   cosh        C(t) / C(t + 1) = cosh(m (L/2 - t)) / cosh(m (L/2 - t - 1)), for a state that propagates both ways
//               around a lattice of extent L: for mesons
// NaN if there is no such mass: for the logarithm, if the ratio C(t) / C(t + 1) is not positive; for the cosh, if it is
// not above 1 (beyond the middle: not between 0 and 1).

#include <cstdint>
#include <span>
#include <vector>

namespace trellis::analysis {

double log_mass(double here, double next);
// 0 <= t < extent - 1
double cosh_mass(double here, double next, int t, int extent);
// dm / d log(C(t) / C(t + 1)) for cosh_mass, to propagate the error of the ratio; for log_mass it is 1.
double cosh_mass_slope(double mass, int t, int extent);

// (C(t) + C(L - t)) / 2 for 0 <= t <= L / 2.
std::vector<double> folded(std::span<const double> correlator);

// (C(t) -+ (-1)^t C(L - t)) / 2 for 0 < t <= L / 2, and C(0): for staggered baryons, minus if antiperiodic.
std::vector<double> alternately_folded(std::span<const double> correlator, bool antiperiodic);

}  // namespace trellis::analysis
