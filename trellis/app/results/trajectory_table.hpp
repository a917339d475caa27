// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The columns of a run's table:
//   trajectory                      number of completed trajectories, from 1
//   tuning                          how often keys that change bits had been changed by then (same_physics.hpp)
//   plaquette, plaquette_spatial, plaquette_temporal, rectangle, polyakov_re, polyakov_im
//   dH, exp_minus_dH, accepted, dH_kinetic, dS_<term> for each term of the action,
//   force_average_<term>, force_maximum_<term>             in each term's first kick: |F| per link
//   iterations_<term>, largest_eigenvalue_<term>           for each quark term: conjugate gradient; -D_eo D_oe
//   reversibility_links, reversibility_momenta, reversibility_energy     (these four lines with "hmc" only)
//   certified_operations, certified_fingerprints           if algorithm.certify is above 0, or was before
//   topological_charge; energy, energy_spatial, energy_temporal; t0, w0; charge_cooling; charge_stout; those of quarks
//                                   (if requested in [measure]; observables.hpp, quark_measurement.hpp)
//   dH_replica_<r>, accepted_replica_<r>                   of tempering: for each replica but the first, with "hmc"
//   swap_difference_<r>, swapped_<r>, walker_<r>           for each replica; the first two not for the last one
//   seconds_<term>                  for each quark term: time in its solvers
//   seconds                         of the trajectory alone; only these two kinds of column differ from run to run
// A cell is empty where nothing was measured.

#include "trellis/app/input/observables.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::app {

class TrajectoryColumns {
 public:
  // certified: with the columns of certified trajectories, which the table may have although the input asks for none.
  TrajectoryColumns(const RunInput& input, bool certified);
  explicit TrajectoryColumns(const RunInput& input) : TrajectoryColumns(input, input.algorithm.certify > 0) {}

  const ObservableColumns& observables() const { return observables_; }
  ObservableColumns& observables() { return observables_; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<io::CsvCell> row(const hmc::TrajectoryRecord& record, std::uint32_t tunings, const Measurement& m) const;

 private:
  ObservableColumns observables_;
  bool hmc_, certified_;
  std::size_t replicas_;          // 0 without tempering
  std::size_t first_quark_term_;  // gauge terms and others precede those of quarks
  std::vector<std::string> names_;
};

// Whether the run asks for certified trajectories, or its table has their columns.
bool is_certified(const RunInput& input, const RunFolder& folder);

// The value of `tuning` in the last row that is intact by itself; 0 without rows.
std::uint32_t last_tuning(const RunFolder& folder, const TrajectoryColumns& columns);

// Adds missing columns, empty, to a table of an earlier version. Leaves any other table alone.
void add_missing_columns(const std::filesystem::path& file, const std::vector<std::string>& names);

// The row as it would be read back.
void append_row(io::CsvData& table, const std::vector<io::CsvCell>& row);

}  // namespace trellis::app
