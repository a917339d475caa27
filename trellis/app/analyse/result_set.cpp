// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/result_set.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "trellis/app/input/read_options.hpp"
#include "trellis/app/input/toml_reader.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/formats/file_content.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// The folders and names of the runs that a path refers to.
std::vector<RunFolder> runs_of(const fs::path& path) {
  std::vector<RunFolder> runs;
  if (fs::is_directory(path)) {
    for (const auto& name : run_names(path)) runs.push_back({path, name});
    if (runs.empty()) fail_input("{}: no results are in this folder", path.string());
  } else if (fs::exists(path)) {
    runs.push_back({path.parent_path().empty() ? fs::path(".") : path.parent_path(), path.stem().string()});
    if (path.extension() != ".csv" || !fs::exists(runs.back().input()))
      fail_input("{}: not a table of results: {} is not beside it", path.string(), runs.back().input().string());
  } else {
    fail_input("{}: there is no such file or folder", path.string());
  }
  return runs;
}

// Two chains for which this is the same are replica of the same ensemble.
std::string ensemble_of(const RunInput& input, bool with_beta = true) {
  TomlEntries same;
  for (const auto& entry : input.resolved) {
    if (entry.key != "lattice" && entry.key != "action" && entry.key != "flavours" && entry.key != "smearing" &&
        entry.key != "background" && entry.key != "boundary" && entry.key != "topological_potential")
      continue;
    same.push_back(entry);
    if (auto* const keys = std::get_if<TomlEntries>(&same.back().value.content); keys && !with_beta)
      std::erase_if(*keys, [](const auto& key) { return key.key == "beta"; });
    // How a determinant is split does not change the distribution.
    if (auto* const flavours = std::get_if<TomlArray>(&same.back().value.content))
      for (auto& flavour : *flavours)
        if (auto* const keys = std::get_if<TomlEntries>(&flavour.content))
          std::erase_if(*keys, [](const auto& key) {
            return key.key == "pseudofermions" || key.key == "split_masses" || key.key == "joins";
          });
  }
  return write_toml(same);
}

struct Found {
  std::string key, title;
  ChainResults chain;
  std::string family = {}, family_title = {};
};

std::int64_t tastes_of(const QuarkInput& quarks) {
  std::int64_t sum = 0;
  for (const auto& flavour : quarks.flavours) sum += flavour.tastes;
  return sum;
}

Found chain_of_run(const RunFolder& folder, std::optional<std::int64_t> cut) {
  const auto input = read_run_input(folder.input());
  return {ensemble_of(input), "The " + describe_action(input),
          ChainResults{.folder = folder,
                       .size = input.size,
                       .tastes = tastes_of(input.quarks),
                       .antiperiodic_time = input.quarks.boundary == TimeBoundary::antiperiodic,
                       .boundary = input.boundary,
                       .table = io::read_csv(folder.table()),
                       .cut = cut.value_or(input.chain.thermalisation),
                       .action = input.action,
                       .quarks = quark_job(input.measure, input.quarks)},
          ensemble_of(input, false), "The " + describe_action(input, false)};
}

// For tables of earlier versions, which do not say it: from the header, if the file is still there and the one that was
// measured.
std::optional<Coordinate> size_of(const std::string& file, const std::string& content, const MeasureInput& input) {
  try {
    const auto options = read_options(input);
    if (!content.empty() && io::content_of(file, options) != content) return input.size;
    return io::GaugeReader(file, options).info().size;
  } catch (const Error&) {
    return input.size;
  }
}

// One per lattice size.
std::vector<Found> files_by_lattice(const RunFolder& folder, std::optional<std::int64_t> cut) {
  const auto input = read_measure_input(folder.input());
  const auto table = io::read_csv(folder.table(), {"file", "content"});
  const auto files = io::read_csv_texts(folder.table(), "file");
  const auto contents =
      table.has("content") ? io::read_csv_texts(folder.table(), "content") : std::vector<std::string>(files.size());
  std::map<std::optional<Coordinate>, std::set<std::int64_t>> rows;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto recorded = recorded_size(table, i);
    rows[recorded ? recorded : size_of(files[i], contents[i], input)].insert(std::int64_t(table.column("row")[i]));
  }
  if (const auto unknown = rows.find(std::nullopt); unknown != rows.end())
    log_warning(
        "{}: the lattice of {} is not known: an earlier version did not write it down, and they are no longer there. "
        "They are averaged together, which is wrong if their lattices differ",
        folder.table().string(), plural(std::int64_t(unknown->second.size()), "file"));
  std::vector<Found> all;
  for (const auto& [size, own] : rows) {
    const auto lattice = size ? to_string(*size) : "of unknown size";
    ChainResults chain{.folder = folder,
                       .number = "row",
                       .size = size,
                       .tastes = tastes_of(input.quarks),
                       .antiperiodic_time = input.quarks.boundary == TimeBoundary::antiperiodic,
                       .boundary = input.boundary.value_or(gauge::Boundary{}),
                       .table = table,
                       .cut = cut.value_or(0),
                       .quarks = quark_job(input.measure, input.quarks)};
    for (std::size_t i = 0; i < files.size(); ++i)
      if (own.contains(std::int64_t(table.column("row")[i]))) chain.files.insert(files[i]);
    for (const auto& [other, numbers] : rows)
      if (other != size) chain.of_others.insert(numbers.begin(), numbers.end());
    all.push_back({folder.table().string() + " " + lattice,
                   fmt::format("Files measured in {}, {}", folder.directory.string(), lattice), std::move(chain)});
  }
  return all;
}

}  // namespace

MeasuredColumn ChainResults::column(std::string_view name) const {
  if (!table.has(name)) return {};
  return measured_column(table, number, name, [this](double of) { return keeps(of); });
}

std::vector<Ensemble> read_results(const std::vector<fs::path>& paths, std::optional<std::int64_t> cut) {
  std::vector<Ensemble> ensembles;
  std::vector<std::string> keys;
  std::vector<fs::path> seen;
  for (const auto& path : paths)
    for (const auto& run : runs_of(path)) {
      if (!resolved_input_is_whole(run)) fail_input("{}: is damaged, or was edited", run.input().string());
      const auto place = fs::canonical(run.input());
      if (std::find(seen.begin(), seen.end(), place) != seen.end())
        fail_input("{}: given twice; chains count as independent of one another", path.string());
      seen.push_back(place);
      auto all = Table::open(run.input()).has("configurations") ? files_by_lattice(run, cut)
                                                                : std::vector{chain_of_run(run, cut)};
      for (auto& [key, title, chain, family, family_title] : all) {
        const auto found = std::find(keys.begin(), keys.end(), key);
        const auto number = std::size_t(found - keys.begin());
        if (found == keys.end()) {
          keys.push_back(key);
          ensembles.push_back({title, {}, family, family_title});
        }
        ensembles[number].chains.push_back(std::move(chain));
      }
    }
  return ensembles;
}

}  // namespace trellis::app
