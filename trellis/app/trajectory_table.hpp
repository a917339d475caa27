// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The columns of a run's table:
//   trajectory                      how many are completed, from 1
//   plaquette, plaquette_spatial, plaquette_temporal, rectangle, polyakov_re, polyakov_im
//   dH, exp_minus_dH, accepted, dH_kinetic, dS_<term> for each term of the action,
//   reversibility_links, reversibility_momenta, reversibility_energy     (these two lines with "hmc" only)
//   topological_charge; energy, energy_spatial, energy_temporal; t0, w0; charge_cooling; charge_stout; those of quarks
//                                   (where [measure] asks for them; observables.hpp, quark_measurement.hpp)
//   seconds                         of the trajectory alone; the one column that differs from run to run
// A cell is empty where nothing was measured.

#include "trellis/app/observables.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::app {

class TrajectoryColumns {
 public:
  explicit TrajectoryColumns(const RunInput& input);

  const ObservableColumns& observables() const { return observables_; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<io::CsvCell> row(const hmc::TrajectoryRecord& record, const Measurement& m) const;

 private:
  ObservableColumns observables_;
  bool hmc_;
  std::vector<std::string> names_;
};

// The row as it would be read back.
void append_row(io::CsvData& table, const std::vector<io::CsvCell>& row);

}  // namespace trellis::app
