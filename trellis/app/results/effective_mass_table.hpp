// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Masses from the table of hadrons: averages of the correlators over configurations and effective masses
// (analysis/effective_mass.hpp), with errors by the Gamma method (analysis/statistics.hpp); one row for each kappa
// or combination of named quarks, sink, n^2, channel and time 0 <= t < L_t / 2. Mesons are folded, (C(t) + C(L_t - t))
// / 2, and their mass is that of a cosh; a baryon's is logarithmic. With boundaries in time there is a row for each
// time that follows all sources, nothing is folded, and all masses are logarithmic. Three-point functions are left out.
// Columns:
//   kappa or quarks, sink, momentum_squared, channel, t, configurations, correlator, correlator_error, effective_mass,
//   effective_mass_error
// Cells are empty where no such mass exists, and for errors with a single configuration.

#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

struct EffectiveMassRow {
  std::string quarks;  // HadronBlock::quarks
  std::string sink;
  std::int64_t momentum_squared = 0;
  std::string channel;
  int t = 0;
  std::int64_t configurations = 0;
  double correlator = 0, correlator_error = 0, mass = 0, mass_error = 0;  // NaN where there is none
};

// The mass between t and t + 1 from the correlator at both times, one number per configuration: of a cosh, or
// logarithmic.
struct EffectiveMassPoint {
  std::int64_t configurations = 0;
  double correlator = 0, correlator_error = 0, mass = 0, mass_error = 0;  // NaN where there is none
};
EffectiveMassPoint effective_mass_point(const std::vector<double>& here, const std::vector<double>& next, int t,
                                        int extent, bool cosh);

// From the table of hadrons, leaving out configurations numbered up to `skip` (thermalisation). Its first column is the
// number. Empty without configurations.
std::vector<EffectiveMassRow> effective_masses(const HadronJob& job, const std::filesystem::path& table,
                                               std::int64_t skip);

// Empty for what is not finite.
std::string csv_cell(double value);
std::string effective_mass_csv(const HadronJob& job, const std::vector<EffectiveMassRow>& rows);

// For people: for each kappa or combination, the masses at zero momentum (or the first momentum there is) from the
// first sink, with times downwards and one column per channel, at most six.
std::string effective_mass_text(const HadronJob& job, const std::vector<EffectiveMassRow>& rows);

// Writes the table of masses for a folder's table of hadrons; returns the text for people. Does nothing without
// configurations.
std::string write_effective_masses(const HadronJob& job, const RunFolder& folder, std::int64_t skip);

}  // namespace trellis::app
