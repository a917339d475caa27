// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Masses of glueballs from their operators by time slice (measure/loops/glueballs.hpp). Connected correlators
//   C_ab(t) = (1 / L_t) sum over t' of (O_a(t') - <O_a>) (O_b(t' + t) - <O_b>)
// of all levels of smearing (of the tensor both components are averaged) are combined to the operator that couples best
// to the lowest state at t = 0 and 1 (analysis/variational.hpp), and fitted by a cosh (analysis/correlator_fit.hpp).
// With boundaries in time the average is over the pairs t', t' + t of slices at least `boundary_distance` from both,
// each of which has its own <O>; slices with fixed links are left out, and the fit is by an exponential. Averages <O>
// are those of all configurations, without their errors, which are smaller by the square root of the number of
// configurations.

#include "trellis/app/analyse/masses.hpp"

namespace trellis::app {

// "glueball 0++", "glueball 2++" and "glueball 0-+"; empty if the chains have no operators of glueballs.
std::vector<FittedMass> glueball_masses(const Ensemble& ensemble, const MassParameters& parameters);

}  // namespace trellis::app
