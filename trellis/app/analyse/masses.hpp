// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hadron masses of an ensemble from correlators at zero momentum (analysis/correlator_fit.hpp): mesons of Wilson quarks
// and staggered pions are fitted by a cosh, baryons by an exponential, other staggered hadrons together with their
// oscillating partner. The pion of two masses (kaon) has one, too, which is proportional to the difference of the
// masses and is neglected.

#include "trellis/analysis/correlator_fit.hpp"
#include "trellis/app/analyse/result_set.hpp"

namespace trellis::app {

struct FittedMass {
  double kappa = 0;  // Wilson quarks; or their names, "l.s"
  std::string quarks;
  std::string sink;
  std::string flavours;  // staggered quarks: "l" or "l.s"; otherwise empty
  std::string channel;   // without quarks: "glueball 0++" (glueball_masses.hpp), sink and flavours empty
  std::int64_t configurations = 0;
  std::optional<analysis::CorrelatorFit> fit;
  std::string problem;  // why, if there is no fit
};

struct MassParameters {
  std::optional<analysis::CorrelatorModel> model;  // instead of the models above
  int first = 1, last = 0;                         // as in CorrelatorFitParameters
  std::int64_t bins = 0;
  std::optional<double> shrinkage = {};
  int boundary_distance = 0;  // of time slices with operators of glueballs, from boundaries in time
};

// Fills in the fit of correlators, [configuration][t] for all times, or why there is none.
void fit_mass(std::vector<analysis::Series> all, analysis::CorrelatorModel model, bool antiperiodic,
              const MassParameters& parameters, FittedMass& mass);

// The same of correlators with boundaries in time, at the first `times` times: by an exponential, if it does not
// oscillate.
void fit_mass_without_period(std::vector<analysis::Series> all, int times, bool oscillates, MassParameters parameters,
                             FittedMass& mass);

// One for each kappa or names of quarks, sink and channel, or flavours and channel. Empty if the chains have no
// hadrons.
std::vector<FittedMass> fitted_masses(const Ensemble& ensemble, const MassParameters& parameters);

}  // namespace trellis::app
