// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The result files of a run: the table, the side tables, and the curves and correlators, which are kept in memory and
// written by write_curves(). For the first rank.

#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/hadron_file.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/side_tables.hpp"
#include "trellis/app/results/trajectory_table.hpp"

namespace trellis::app {

// Removes what a new run replaces. Throws InputError for a table with rows: it belongs to a run that lost its
// checkpoint.
void clear_results(const RunFolder& folder);

// What the initial checkpoint says of the result files.
SavedResults no_results(const RunInput& input, const RunFolder& folder, const TrajectoryColumns& columns);

class RunResults {
 public:
  // Opens existing files, and drops what is beyond the chain's checkpoint. Throws Error, naming the file, if something
  // that belongs to the checkpoint is damaged or missing.
  RunResults(const RunInput& input, const RunFolder& folder, const TrajectoryColumns& columns, const SavedChain& chain);

  void add(const hmc::TrajectoryRecord& record, std::uint32_t tunings, const Measurement& m);
  void write_curves();
  // What a checkpoint says of the result files.
  SavedResults saved();

  const io::CsvData& table() const { return data_; }
  const SideTables& side() const { return *side_; }

 private:
  const TrajectoryColumns& columns_;
  std::optional<io::CsvTable> table_;
  io::CsvData data_;  // the table so far
  std::optional<FlowFile> flow_;
  std::optional<HadronFile> hadrons_, staggered_hadrons_;
  std::optional<SideTables> side_;
  FileOrigin origin_;
};

}  // namespace trellis::app
