// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/result_set.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/app/run/run_report.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

const std::string ending = ".resolved.toml";

// Folder and name of the runs that a path means.
std::vector<RunFolder> runs_of(const fs::path& path) {
  std::vector<RunFolder> runs;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path)) {
      const auto name = entry.path().filename().string();
      if (name.ends_with(ending)) runs.push_back({path, name.substr(0, name.size() - ending.size())});
    }
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    if (runs.empty()) fail_input("{}: no results of a run are in this folder", path.string());
  } else if (fs::exists(path)) {
    runs.push_back({path.parent_path().empty() ? fs::path(".") : path.parent_path(), path.stem().string()});
    if (path.extension() != ".csv" || !fs::exists(runs.back().input()))
      fail_input("{}: not the table of a run: {} is not beside it", path.string(), runs.back().input().string());
  } else {
    fail_input("{}: there is no such file or folder", path.string());
  }
  return runs;
}

// What makes two chains replica of each other.
std::string ensemble_of(const RunInput& input) {
  TomlEntries same;
  for (const auto& entry : input.resolved) {
    if (entry.key != "lattice" && entry.key != "action" && entry.key != "flavours" && entry.key != "smearing" &&
        entry.key != "background" && entry.key != "boundary")
      continue;
    same.push_back(entry);
    // How a determinant is split changes no distribution.
    if (auto* const flavours = std::get_if<TomlArray>(&same.back().value.content))
      for (auto& flavour : *flavours)
        if (auto* const keys = std::get_if<TomlEntries>(&flavour.content))
          std::erase_if(*keys,
                        [](const auto& key) { return key.key == "pseudofermions" || key.key == "split_masses"; });
  }
  return write_toml(same);
}

std::string title_of(const RunInput& input) {
  const auto text = describe(input);
  return "T" + text.substr(text.find("the ") + 1);
}

}  // namespace

bool ChainResults::has(std::string_view column) const {
  return std::find(table.columns.begin(), table.columns.end(), column) != table.columns.end();
}

ChainResults::Column ChainResults::column(std::string_view name) const {
  Column kept;
  const auto &trajectory = table.column("trajectory"), &values = table.column(name);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (trajectory[i] > double(cut) && !std::isnan(values[i])) {
      kept.values.push_back(values[i]);
      kept.trajectories.push_back(trajectory[i]);
    }
  return kept;
}

std::vector<Ensemble> read_results(const std::vector<fs::path>& paths, std::optional<std::int64_t> cut) {
  std::vector<Ensemble> ensembles;
  std::vector<std::string> keys;
  std::vector<fs::path> seen;
  for (const auto& path : paths)
    for (const auto& run : runs_of(path)) {
      const auto place = fs::canonical(run.input());
      if (std::find(seen.begin(), seen.end(), place) != seen.end())
        fail_input("{}: given twice; chains count as independent of one another", path.string());
      seen.push_back(place);
      ChainResults chain{run, read_run_input(run.input()), {}, 0};
      chain.table = io::read_csv(run.table());
      chain.cut = cut.value_or(chain.input.start.trajectory + chain.input.chain.thermalisation);
      const auto key = ensemble_of(chain.input);
      const auto found = std::find(keys.begin(), keys.end(), key);
      if (found == keys.end()) {
        keys.push_back(key);
        ensembles.push_back({title_of(chain.input), {}});
        ensembles.back().chains.push_back(std::move(chain));
      } else {
        ensembles[std::size_t(found - keys.begin())].chains.push_back(std::move(chain));
      }
    }
  return ensembles;
}

}  // namespace trellis::app
