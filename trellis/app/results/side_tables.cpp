// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/side_tables.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace trellis::app {
namespace {

// A multiple of an interval is off by its rounding: 3 times 0.1 is meant to be 0.3. The nearest number with 14 digits,
// if that is within the rounding.
double stated_time(double time) {
  const auto text = fmt::format("{:.14g}", time);
  double stated = time;
  std::from_chars(text.data(), text.data() + text.size(), stated);
  return std::abs(stated - time) <= 2 * std::numeric_limits<double>::epsilon() * time ? stated : time;
}

std::vector<std::vector<io::CsvCell>> charge_rows(std::int64_t number,
                                                  const std::vector<measure::SmoothedCharge>& charges) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& c : charges) rows.push_back({number, std::int64_t{c.steps}, c.topological_charge, c.plaquette});
  return rows;
}

// A row for each time slice at each flow time.
std::vector<std::vector<io::CsvCell>> slice_rows(std::int64_t number, const std::vector<gauge::FlowPoint>& flow) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& point : flow)
    for (std::int64_t t = 0; const auto& slice : point.slices)
      rows.push_back({number, stated_time(point.time), t++, slice.energy_spatial + slice.energy_temporal,
                      slice.energy_spatial, slice.energy_temporal, slice.energy_plaquette, slice.topological_charge});
  return rows;
}

}  // namespace

std::vector<SideFile> side_files(const RunFolder& folder, const std::string& number, const ObservableColumns& columns) {
  std::vector<SideFile> files;
  if (columns.quarks)
    files.push_back(
        {"quarks", folder.quarks(), columns.quarks->noise_columns(number), "quarks, one row per noise vector"});
  if (columns.hadrons)
    files.push_back({"hadrons", folder.hadrons(), columns.hadrons->table_columns(number), "correlators of hadrons"});
  if (columns.hadrons && !columns.hadrons->selection.fixed_sinks.empty())
    files.push_back({"three_point", folder.three_point(), HadronJob::three_point_columns(number),
                     "three-point functions through fixed sinks"});
  if (columns.staggered_hadrons)
    files.push_back({"staggered_hadrons", folder.staggered_hadrons(), columns.staggered_hadrons->table_columns(number),
                     "correlators of staggered hadrons"});
  if (columns.eigenvalues)
    files.push_back({"eigenvalues", folder.eigenvalues(), EigenvalueJob::table_columns(number),
                     "lowest eigenvalues of -D_eo D_oe"});
  if (columns.slices)
    files.push_back({"slices",
                     folder.slices(),
                     {number, "flow_time", "time_slice", "energy", "energy_spatial", "energy_temporal",
                      "energy_plaquette", "topological_charge"},
                     "time slices along the gradient flow"});
  if (columns.wilson_loops)
    files.push_back({"wilson_loops", folder.wilson_loops(), wilson_loop_columns(number), "Wilson loops"});
  if (columns.glueballs)
    files.push_back({"glueballs", folder.glueballs(), glueball_columns(number), "operators of glueballs"});
  for (const auto& smoothing : columns.smoothings)
    files.push_back({smoothing.name,
                     folder.smoothing(smoothing.name),
                     {number, "steps", "topological_charge", "plaquette"},
                     smoothing.what});
  return files;
}

SideTables::SideTables(const RunFolder& folder, const std::string& number, const ObservableColumns& columns)
    : number_(number),
      job_(columns.quarks),
      hadron_job_(columns.hadrons),
      staggered_job_(columns.staggered_hadrons),
      side_files_(side_files(folder, number, columns)) {
  for (const auto& side : side_files_) tables_.try_emplace(side.name, side.file, side.columns);
}

void SideTables::drop_after(std::int64_t last) {
  for (auto& [name, table] : tables_) table.truncate_after(number_, last);
}

SavedResults SideTables::rows() {
  SavedResults rows;
  for (const auto& [name, table] : tables_) rows.emplace(name, table.rows());
  return rows;
}

void SideTables::require(const SavedResults& saved) {
  for (const auto& [name, table] : tables_)
    if (const auto found = saved.find(name); found != saved.end()) table.require(found->second);
}

void SideTables::go_back_to(const SavedResults& saved, std::int64_t last) {
  for (auto& [name, table] : tables_) {
    if (const auto found = saved.find(name); found != saved.end())
      table.go_back_to(found->second);
    else
      table.truncate_after(number_, last);
  }
}

void SideTables::add(std::int64_t number, const Measurement& m) {
  if (m.quarks) tables_.at("quarks").append_rows(job_->noise_rows(number, *m.quarks));
  if (m.hadrons) tables_.at("hadrons").append_rows(hadron_job_->table_rows(number, *m.hadrons));
  if (m.hadrons && tables_.contains("three_point"))
    tables_.at("three_point").append_rows(hadron_job_->three_point_rows(number, *m.hadrons));
  if (m.staggered_hadrons)
    tables_.at("staggered_hadrons").append_rows(staggered_job_->table_rows(number, *m.staggered_hadrons));
  if (m.eigenvalues) tables_.at("eigenvalues").append_rows(EigenvalueJob::table_rows(number, *m.eigenvalues));
  if (!m.gauge.flow.empty() && !m.gauge.flow[0].slices.empty())
    tables_.at("slices").append_rows(slice_rows(number, m.gauge.flow));
  if (!m.gauge.wilson_loops.empty())
    tables_.at("wilson_loops").append_rows(wilson_loop_rows(number, m.gauge.wilson_loops));
  if (!m.gauge.glueballs.empty()) tables_.at("glueballs").append_rows(glueball_rows(number, m.gauge.glueballs));
  for (const auto& [name, charges] : m.gauge.smoothed) tables_.at(name).append_rows(charge_rows(number, charges));
}

std::vector<std::pair<std::filesystem::path, std::string>> SideTables::files() const {
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  for (const auto& side : side_files_) files.emplace_back(side.file, side.what);
  return files;
}

void remove_side_tables(const RunFolder& folder) {
  std::filesystem::remove(folder.quarks());
  std::filesystem::remove(folder.hadrons());
  std::filesystem::remove(folder.three_point());
  std::filesystem::remove(folder.staggered_hadrons());
  std::filesystem::remove(folder.slices());
  std::filesystem::remove(folder.wilson_loops());
  std::filesystem::remove(folder.glueballs());
  for (const auto& smoothing : measure::smoothings()) std::filesystem::remove(folder.smoothing(smoothing.name));
}

}  // namespace trellis::app
