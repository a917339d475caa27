// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/table_descriptions.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "trellis/app/origin/column_text.hpp"
#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/app/results/side_tables.hpp"
#include "trellis/app/results/staggered_mass_table.hpp"
#include "trellis/app/run/kernel_table.hpp"
#include "trellis/app/version.hpp"

namespace trellis::app {
namespace {

using Json = nlohmann::ordered_json;

const char* type_name(ColumnText::Type type) {
  switch (type) {
    case ColumnText::Type::integer:
      return "integer";
    case ColumnText::Type::flag:
      return "boolean";
    case ColumnText::Type::text:
      return "string";
    default:
      return "double";
  }
}

// smoothed: the table follows a smoothing of the links, step by step.
Json column_json(const std::string& name, bool smoothed) {
  auto text = column_text(name);
  if (smoothed && name == "topological_charge") text.what = "topological charge, clover definition, after these steps";
  if (smoothed && name == "plaquette") text.what = "average of Re tr P / 3 over all plaquettes after these steps";
  Json column = {{"name", name}, {"titles", name}, {"dc:description", text.what}, {"datatype", type_name(text.type)}};
  if (text.type == ColumnText::Type::flag) column["datatype"] = {{"base", "boolean"}, {"format", "1|0"}};
  if (!text.units.empty()) column["schema:unitText"] = text.units;
  return column;
}

Json table_json(const DescribedTable& table) {
  Json columns = Json::array();
  const bool smoothed = std::find(table.columns.begin(), table.columns.end(), "steps") != table.columns.end();
  for (const auto& name : table.columns) columns.push_back(column_json(name, smoothed));
  if (table.has_checks) columns.push_back(column_json("check", smoothed));
  return {
      {"url", table.file.filename().string()}, {"dc:description", table.what}, {"tableSchema", {{"columns", columns}}}};
}

}  // namespace

std::vector<std::string> header_of(const std::string& csv) {
  std::vector<std::string> names{""};
  for (const char c : csv.substr(0, csv.find('\n')))
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  return names;
}

std::string table_descriptions(const FileOrigin& origin, const std::vector<DescribedTable>& tables) {
  Json note = {{"program", version_text()}, {"commit", commit()}, {"command", origin.command}};
  if (origin.size) note["lattice"] = *origin.size;
  if (origin.seed) note["seed"] = *origin.seed;
  if (!origin.flavours.empty()) note["flavours"] = origin.flavours;
  note["input"] = write_toml(origin.input);
  Json group = {{"@context", "http://www.w3.org/ns/csvw"}, {"notes", Json::array({note})}, {"tables", Json::array()}};
  for (const auto& table : tables) group["tables"].push_back(table_json(table));
  return group.dump(2) + "\n";
}

std::vector<DescribedTable> described_tables(const RunFolder& folder, const std::string& number,
                                             const std::vector<std::string>& columns,
                                             const ObservableColumns& observables) {
  const bool of_run = number == "trajectory";
  std::vector<DescribedTable> tables{
      {folder.table(), of_run ? "one row per trajectory" : "one row per measured file", columns}};
  for (const auto& side : side_files(folder, number, observables))
    tables.push_back({side.file, side.what, side.columns});
  if (observables.hadrons)
    tables.push_back({folder.effective_masses(), "effective masses with errors",
                      header_of(effective_mass_csv(*observables.hadrons, {})), false});
  if (observables.staggered_hadrons)
    tables.push_back({folder.staggered_masses(), "effective masses of staggered hadrons, with errors",
                      staggered_mass_columns(), false});
  if (of_run)
    tables.push_back({folder.kernels(), "how the last call spent its time", header_of(kernel_csv({}, 1, {})), false});
  return tables;
}

void write_table_descriptions(const RunFolder& folder, const FileOrigin& origin,
                              const std::vector<DescribedTable>& tables) {
  write_text_file(folder.table_descriptions(), table_descriptions(origin, tables));
}

}  // namespace trellis::app
