// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/side_tables.hpp"

namespace trellis::app {
namespace {

void add_charges(std::optional<io::CsvTable>& table, std::int64_t number,
                 const std::vector<measure::SmoothedCharge>& charges) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& c : charges) rows.push_back({number, std::int64_t{c.steps}, c.topological_charge, c.plaquette});
  if (table) table->append_rows(rows);
}

}  // namespace

SideTables::SideTables(const RunFolder& folder, const std::string& number, const ObservableColumns& columns)
    : number_(number), job_(columns.quarks), hadron_job_(columns.hadrons) {
  const std::vector<std::string> smoothing{number, "steps", "topological_charge", "plaquette"};
  if (job_) quarks_.emplace(folder.quarks(), job_->noise_columns(number));
  if (hadron_job_) hadrons_.emplace(folder.hadrons(), hadron_job_->table_columns(number));
  if (columns.cooling) cooling_.emplace(folder.cooling(), smoothing);
  if (columns.stout) stout_.emplace(folder.stout(), smoothing);
}

void SideTables::drop_after(std::int64_t last) {
  for (auto* table : {&quarks_, &hadrons_, &cooling_, &stout_})
    if (*table) (*table)->truncate_after(number_, last);
}

void SideTables::add(std::int64_t number, const Measurement& m) {
  if (quarks_ && m.quarks) quarks_->append_rows(job_->noise_rows(number, *m.quarks));
  if (hadrons_ && m.hadrons) hadrons_->append_rows(hadron_job_->table_rows(number, *m.hadrons));
  add_charges(cooling_, number, m.gauge.cooling);
  add_charges(stout_, number, m.gauge.stout);
}

std::vector<std::pair<std::filesystem::path, std::string>> SideTables::files() const {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  if (quarks_) files.emplace_back(quarks_->file(), "quarks, a row a noise vector");
  if (hadrons_) files.emplace_back(hadrons_->file(), "correlators of hadrons");
  if (cooling_) files.emplace_back(cooling_->file(), "charge along cooling");
  if (stout_) files.emplace_back(stout_->file(), "charge along stout smearing");
  return files;
}

void remove_side_tables(const RunFolder& folder) {
  for (const auto& file : {folder.quarks(), folder.hadrons(), folder.cooling(), folder.stout()})
    std::filesystem::remove(file);
}

}  // namespace trellis::app
