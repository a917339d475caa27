// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The columns of a run's table:
//   trajectory                      how many are completed, from 1
//   tuning                          how often keys that move bits had changed until then (same_physics.hpp)
//   plaquette, plaquette_spatial, plaquette_temporal, rectangle, polyakov_re, polyakov_im
//   dH, exp_minus_dH, accepted, dH_kinetic, dS_<term> for each term of the action,
//   force_average_<term>, force_maximum_<term>             of each term's first kick: |F| of a link
//   iterations_<term>, largest_eigenvalue_<term>           of each term of quarks: conjugate gradient; -D_eo D_oe
//   reversibility_links, reversibility_momenta, reversibility_energy     (these four lines with "hmc" only)
//   topological_charge; energy, energy_spatial, energy_temporal; t0, w0; charge_cooling; charge_stout; those of quarks
//                                   (where [measure] asks for them; observables.hpp, quark_measurement.hpp)
//   seconds_<term>                  of each term of quarks: of its solvers
//   seconds                         of the trajectory alone; these are the columns that differ from run to run
// A cell is empty where nothing was measured.

#include "trellis/app/input/observables.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::app {

class TrajectoryColumns {
 public:
  explicit TrajectoryColumns(const RunInput& input);

  const ObservableColumns& observables() const { return observables_; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<io::CsvCell> row(const hmc::TrajectoryRecord& record, std::uint32_t tunings, const Measurement& m) const;

 private:
  ObservableColumns observables_;
  bool hmc_;
  std::size_t gauge_terms_;  // before those of quarks
  std::vector<std::string> names_;
};

// What is under `tuning` in the last row that is whole by itself; 0 without one.
std::uint32_t last_tuning(const RunFolder& folder, const TrajectoryColumns& columns);

// A table of an earlier version that lacks some of the columns gets them, empty. Any other is left alone.
void add_missing_columns(const std::filesystem::path& file, const std::vector<std::string>& names);

// The row as it would be read back.
void append_row(io::CsvData& table, const std::vector<io::CsvCell>& row);

}  // namespace trellis::app
