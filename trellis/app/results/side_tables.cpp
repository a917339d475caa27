// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/side_tables.hpp"

namespace trellis::app {
namespace {

void add_charges(std::optional<io::CsvTable>& table, std::int64_t number,
                 const std::vector<measure::SmoothedCharge>& charges) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& c : charges) rows.push_back({number, std::int64_t{c.steps}, c.topological_charge, c.plaquette});
  if (table) table->append_rows(rows);
}

}  // namespace

std::vector<SideFile> side_files(const RunFolder& folder, const std::string& number, const ObservableColumns& columns) {
  const std::vector<std::string> smoothing{number, "steps", "topological_charge", "plaquette"};
  std::vector<SideFile> files;
  if (columns.quarks) files.push_back({"quarks", folder.quarks(), columns.quarks->noise_columns(number)});
  if (columns.hadrons) files.push_back({"hadrons", folder.hadrons(), columns.hadrons->table_columns(number)});
  if (columns.cooling) files.push_back({"cooling", folder.cooling(), smoothing});
  if (columns.stout) files.push_back({"stout", folder.stout(), smoothing});
  return files;
}

SideTables::SideTables(const RunFolder& folder, const std::string& number, const ObservableColumns& columns)
    : number_(number), job_(columns.quarks), hadron_job_(columns.hadrons) {
  for (const auto& [name, file, names] : side_files(folder, number, columns)) {
    auto& table = name == "quarks" ? quarks_ : name == "hadrons" ? hadrons_ : name == "cooling" ? cooling_ : stout_;
    table.emplace(file, names);
  }
}

std::map<std::string, io::CsvTable*> SideTables::tables() {
  std::map<std::string, io::CsvTable*> all;
  for (const auto& [name, table] :
       {std::pair{"quarks", &quarks_}, {"hadrons", &hadrons_}, {"cooling", &cooling_}, {"stout", &stout_}})
    if (*table) all.emplace(name, &**table);
  return all;
}

void SideTables::drop_after(std::int64_t last) {
  for (const auto& [name, table] : tables()) table->truncate_after(number_, last);
}

SavedResults SideTables::rows() {
  SavedResults rows;
  for (const auto& [name, table] : tables()) rows.emplace(name, table->rows());
  return rows;
}

void SideTables::require(const SavedResults& saved) {
  for (const auto& [name, table] : tables())
    if (const auto found = saved.find(name); found != saved.end()) table->require(found->second);
}

void SideTables::go_back_to(const SavedResults& saved, std::int64_t last) {
  for (const auto& [name, table] : tables()) {
    if (const auto found = saved.find(name); found != saved.end())
      table->go_back_to(found->second);
    else
      table->truncate_after(number_, last);
  }
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
