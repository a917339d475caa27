// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/run_results.hpp"

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// Avoids making a file where one is missing.
void require_there(const fs::path& file, const std::string& name, const SavedChain& chain) {
  const auto saved = chain.results.find(name);
  if (saved != chain.results.end() && saved->second.rows > 0 && !fs::exists(file))
    fail("{}: is missing; it had {} rows", file.string(), saved->second.rows);
}

// Checkpoints of earlier versions say nothing of result files.
template <class File>
void go_back(File& file, const char* name, const SavedChain& chain) {
  if (const auto saved = chain.results.find(name); saved != chain.results.end())
    file.go_back_to(saved->second);
  else
    file.drop_after(chain.completed);
}

}  // namespace

void clear_results(const RunFolder& folder) {
  if (fs::exists(folder.table()) && io::read_csv(folder.table()).rows() > 0)
    fail_input(
        "{}: there is a table of a run, but no checkpoint {}; `{}` makes one from what is left, "
        "or move the table away to start from the beginning",
        folder.table().string(), folder.checkpoint().filename().string(), repair_command(folder));
  fs::remove(folder.flow());
  fs::remove(folder.hadron_file());
  fs::remove(folder.staggered_hadron_file());
  fs::remove(folder.staggered_masses());
  fs::remove(folder.effective_masses());
  remove_side_tables(folder);
}

SavedResults no_results(const RunInput& input, const RunFolder& folder, const TrajectoryColumns& columns) {
  SavedResults none{{"table", {}}};
  for (const auto& side : side_files(folder, "trajectory", columns.observables()))
    none.emplace(side.name, io::CheckedRows{});
  if (input.measure.flow) none.emplace("flow", io::CheckedRows{});
  if (columns.observables().hadrons) none.emplace("hadron_file", io::CheckedRows{});
  if (columns.observables().staggered_hadrons) none.emplace("staggered_hadron_file", io::CheckedRows{});
  return none;
}

RunResults::RunResults(const RunInput& input, const RunFolder& folder, const TrajectoryColumns& columns,
                       const SavedChain& chain)
    : columns_(columns), origin_(origin_of(input)) {
  const auto& observables = columns.observables();
  for (const auto& [file, name] : {std::pair{folder.table(), "table"},
                                   {folder.flow(), "flow"},
                                   {folder.hadron_file(), "hadron_file"},
                                   {folder.quarks(), "quarks"},
                                   {folder.hadrons(), "hadrons"},
                                   {folder.three_point(), "three_point"},
                                   {folder.wilson_loops(), "wilson_loops"},
                                   {folder.glueballs(), "glueballs"},
                                   {folder.staggered_hadron_file(), "staggered_hadron_file"},
                                   {folder.staggered_hadrons(), "staggered_hadrons"}})
    require_there(file, name, chain);
  for (const auto& smoothing : measure::smoothings())
    require_there(folder.smoothing(smoothing.name), smoothing.name, chain);
  // Everything is checked before anything is changed.
  add_missing_columns(folder.table(), columns.names());
  table_.emplace(folder.table(), columns.names());
  side_.emplace(folder, "trajectory", observables);
  if (observables.hadrons)
    hadrons_.emplace(folder.hadron_file(), "trajectory", observables.hadrons->layout(input.size));
  if (observables.staggered_hadrons)
    staggered_hadrons_.emplace(folder.staggered_hadron_file(), "trajectory",
                               observables.staggered_hadrons->layout(input.size));
  if (input.measure.flow) flow_.emplace(folder.flow(), "trajectory", flow_parameters(*input.measure.flow));

  const auto saved = chain.results.find("table");
  if (saved != chain.results.end()) {
    table_->require(saved->second);
    side_->require(chain.results);
  }
  if (hadrons_) go_back(*hadrons_, "hadron_file", chain);
  if (staggered_hadrons_) go_back(*staggered_hadrons_, "staggered_hadron_file", chain);
  if (flow_) go_back(*flow_, "flow", chain);
  if (saved != chain.results.end()) {
    table_->go_back_to(saved->second);
    side_->go_back_to(chain.results, chain.completed);
  } else {
    table_->truncate_after("trajectory", chain.completed);
    side_->drop_after(chain.completed);
    if (table_->rows().rows != chain.completed)
      fail("{}: has {} rows, but the checkpoint is from trajectory {}", folder.table().string(), table_->rows().rows,
           chain.completed);
  }
  data_ = io::read_csv(folder.table());
  write_curves();
}

void RunResults::add(const hmc::TrajectoryRecord& record, std::uint32_t tunings, const Measurement& m) {
  const auto number = std::int64_t{record.trajectory} + 1;
  if (flow_ && !m.gauge.flow.empty()) flow_->add(number, m.gauge.flow);
  if (m.hadrons) hadrons_->add(number, m.hadrons->correlators);
  if (m.staggered_hadrons) staggered_hadrons_->add(number, m.staggered_hadrons->correlators);
  side_->add(number, m);
  const auto row = columns_.row(record, tunings, m);
  table_->append(row);
  append_row(data_, row);
}

void RunResults::write_curves() {
  if (flow_) flow_->write(origin_);
  if (hadrons_) hadrons_->write(origin_);
  if (staggered_hadrons_) staggered_hadrons_->write(origin_);
}

SavedResults RunResults::saved() {
  auto saved = side_->rows();
  saved.emplace("table", table_->rows());
  if (flow_) saved.emplace("flow", flow_->rows());
  if (hadrons_) saved.emplace("hadron_file", hadrons_->rows());
  if (staggered_hadrons_) saved.emplace("staggered_hadron_file", staggered_hadrons_->rows());
  return saved;
}

}  // namespace trellis::app
