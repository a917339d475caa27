// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files of a run's results: the table, those beside it, and the curves and correlators, which are in memory and
// written when write_curves() is called. For the first rank.

#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/hadron_file.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/side_tables.hpp"
#include "trellis/app/results/trajectory_table.hpp"

namespace trellis::app {

// Removes what a new run replaces. Throws InputError for a table with rows: that is a run that lost its checkpoint.
void clear_results(const RunFolder& folder);

// What the checkpoint of a start says of them.
SavedResults no_results(const RunInput& input, const RunFolder& folder, const TrajectoryColumns& columns);

class RunResults {
 public:
  // Opens what is there, and drops what is beyond the chain's checkpoint. Throws Error, naming the file, where
  // something that belongs to it is damaged or missing.
  RunResults(const RunInput& input, const RunFolder& folder, const TrajectoryColumns& columns, const SavedChain& chain);

  void add(const hmc::TrajectoryRecord& record, std::uint32_t tunings, const Measurement& m);
  void write_curves();
  // What a checkpoint says of them.
  SavedResults saved();

  const io::CsvData& table() const { return data_; }
  const SideTables& side() const { return *side_; }

 private:
  const TrajectoryColumns& columns_;
  std::optional<io::CsvTable> table_;
  io::CsvData data_;  // the table so far
  std::optional<FlowFile> flow_;
  std::optional<HadronFile> hadrons_;
  std::optional<SideTables> side_;
};

}  // namespace trellis::app
