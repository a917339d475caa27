// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/repair/results_look.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "trellis/app/measure/measure_files.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/hadron_file.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/app/results/side_tables.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

std::int64_t next_due(std::int64_t after, std::int64_t every) { return (after / every + 1) * every; }

// How many rows each number has.
std::size_t rows_each(const std::string& name, const MeasureSection& m, const ObservableColumns& columns, int times) {
  if (name == "quarks")
    return columns.quarks->flavours.size() * static_cast<std::size_t>(columns.quarks->selection.noise_vectors);
  if (name == "eigenvalues")
    return columns.eigenvalues->flavours.size() * static_cast<std::size_t>(m.eigenvalues->count);
  if (const auto found = m.smoothings.find(name); found != m.smoothings.end())
    return static_cast<std::size_t>(found->second.steps / found->second.interval + 1);
  if (name == "slices")  // of the points at 0, time_interval, ... and time_max
    return static_cast<std::size_t>(std::ceil(m.flow->time_max / m.flow->time_interval - 1e-9) + 1) *
           static_cast<std::size_t>(times);
  if (name == "wilson_loops") return wilson_loop_row_count(*columns.wilson_loops);
  if (name == "glueballs") return glueball_row_count(*columns.glueballs, times);
  if (name == "three_point") return columns.hadrons->three_point_row_count(times);
  if (name == "staggered_hadrons") return columns.staggered_hadrons->table_row_count(times);
  return columns.hadrons->table_row_count(times);
}

// The last number with all of its rows.
std::int64_t last_whole(const std::vector<std::string>& rows, std::size_t each) {
  std::map<std::int64_t, std::size_t> count;
  for (const auto& row : rows) ++count[number_of(row)];
  std::int64_t last = 0;
  for (const auto& [number, found] : count) {
    if (found < each) break;
    last = number;
  }
  return last;
}

// From checkpoints of this version, which know all result files of their time.
bool was_not_measured(const std::string& name, const SavedChain& chain) {
  return !chain.results.empty() && !chain.results.contains(name);
}

// Opens an HDF5 file, and checks what it holds.
template <class File, class Open>
ResultLook look_at_curves(const char* name, const fs::path& path, std::int64_t every,
                          const std::vector<SavedChain>& checkpoints, const Open& open) {
  ResultLook look{.name = name, .file = path};
  std::int64_t last = 0;
  std::optional<File> file;
  if (!fs::exists(path)) {
    // There is no file before something is due.
    for (const auto& chain : checkpoints)
      if (const auto saved = chain.results.find(name); saved != chain.results.end() && saved->second.rows > 0)
        look.problem = "is missing";
  } else {
    try {
      file.emplace(open());
      last = file->last();
    } catch (const Error& error) {
      look.problem = error.what();
    }
  }
  look.whole_to = next_due(last, every) - 1;
  for (const auto& chain : checkpoints) {
    const auto saved = chain.results.find(name);
    if (was_not_measured(name, chain)) look.whole_to = std::max<std::int64_t>(look.whole_to, chain.completed);
    if (saved == chain.results.end()) continue;
    try {
      if (saved->second.rows > 0 && !file) continue;
      if (file) file->go_back_to(saved->second);  // in memory only
      look.whole_to = std::max<std::int64_t>(look.whole_to, chain.completed);
    } catch (const Error&) {
    }
  }
  return look;
}

ResultLook look_at_table(const char* name, const fs::path& path, const std::vector<std::string>& columns) {
  ResultLook look{.name = name, .file = path, .columns = columns};
  if (!fs::exists(path)) {
    look.problem = "is missing";
    return look;
  }
  try {
    look.remains = io::look_at_csv(path, columns);
    look.problem = look.remains.damage;
  } catch (const Error& error) {
    look.problem = error.what();
  }
  return look;
}

// Whether the table holds what the checkpoint says; nothing if the checkpoint does not say.
std::optional<bool> agrees(const ResultLook& look, const SavedChain& chain) {
  const auto saved = chain.results.find(look.name);
  if (saved == chain.results.end()) return {};
  return io::checked_rows(look.columns, look.remains.rows, saved->second.rows) == saved->second;
}

// The checkpoints' word outweighs appearances.
void use_checkpoints(ResultLook& look, const std::vector<SavedChain>& checkpoints) {
  for (const auto& chain : checkpoints) {
    if (agrees(look, chain).value_or(true)) continue;
    // The right number of intact rows, but different ones: from where on is unknown.
    const bool others = look.remains.rows.size() >= chain.results.at(look.name).rows;
    look.whole_to = std::min<std::int64_t>(look.whole_to, others ? 0 : chain.completed - 1);
  }
  for (const auto& chain : checkpoints)
    if (agrees(look, chain).value_or(was_not_measured(look.name, chain)))
      look.whole_to = std::max<std::int64_t>(look.whole_to, chain.completed);
  if (look.problem.empty() && std::any_of(checkpoints.begin(), checkpoints.end(),
                                          [&](const auto& chain) { return !agrees(look, chain).value_or(true); }))
    look.problem = "rows are missing or were changed";
}

}  // namespace

std::int64_t number_of(const std::string& row) { return std::strtoll(row.c_str(), nullptr, 10); }

std::vector<ResultLook> look_at_run(const RunInput& input, const RunFolder& folder,
                                    const std::vector<SavedChain>& checkpoints) {
  const TrajectoryColumns columns(input, is_certified(input, folder));
  const auto& m = input.measure;
  std::vector<ResultLook> looks{look_at_table("table", folder.table(), columns.names())};
  auto& table = looks[0];
  table.whole_to = table.remains.rows.empty() ? input.start.trajectory : number_of(table.remains.rows.back());
  use_checkpoints(table, checkpoints);
  for (const auto& side : side_files(folder, "trajectory", columns.observables())) {
    auto look = look_at_table(side.name.c_str(), side.file, side.columns);
    const auto every = side.name == "quarks"              ? m.quarks->every
                       : side.name == "hadrons"           ? m.hadrons->every
                       : side.name == "three_point"       ? m.hadrons->every
                       : side.name == "staggered_hadrons" ? m.staggered_hadrons->every
                       : side.name == "slices"            ? m.flow->every
                       : side.name == "wilson_loops"      ? m.wilson_loops->every
                       : side.name == "glueballs"         ? m.glueballs->every
                                                          : m.smoothings.at(side.name).every;
    const auto each = rows_each(side.name, m, columns.observables(), input.size[3]);
    look.whole_to = next_due(last_whole(look.remains.rows, each), every) - 1;
    use_checkpoints(look, checkpoints);
    looks.push_back(std::move(look));
  }
  if (m.flow)
    looks.push_back(look_at_curves<FlowFile>("flow", folder.flow(), m.flow->every, checkpoints, [&] {
      return FlowFile(folder.flow(), "trajectory", flow_parameters(*m.flow));
    }));
  if (const auto& job = columns.observables().hadrons)
    looks.push_back(look_at_curves<HadronFile>("hadron_file", folder.hadron_file(), m.hadrons->every, checkpoints, [&] {
      return HadronFile(folder.hadron_file(), "trajectory", job->layout(input.size));
    }));
  if (const auto& job = columns.observables().staggered_hadrons)
    looks.push_back(look_at_curves<HadronFile>(
        "staggered_hadron_file", folder.staggered_hadron_file(), m.staggered_hadrons->every, checkpoints,
        [&] { return HadronFile(folder.staggered_hadron_file(), "trajectory", job->layout(input.size)); }));
  return looks;
}

namespace {
// Tables of earlier versions do not.
bool has_sizes(const fs::path& table) {
  if (!fs::exists(table)) return true;
  auto stream = input_stream(table);
  std::string heading;
  std::getline(stream, heading);
  // One of them may be damaged.
  return std::ranges::any_of(size_columns, [&](const auto& name) { return heading.find(name) != std::string::npos; });
}
}  // namespace

std::vector<ResultLook> look_at_measurements(const MeasureInput& input, const RunFolder& folder,
                                             const Coordinate& size) {
  const auto columns = columns_of(input);
  auto names = measure_columns(columns);
  if (!has_sizes(folder.table()))
    std::erase_if(names, [](const auto& name) { return std::ranges::count(size_columns, name) > 0; });
  std::vector<ResultLook> looks{look_at_table("table", folder.table(), names)};
  looks[0].whole_to = last_whole(looks[0].remains.rows, 1);
  for (const auto& side : side_files(folder, "row", columns)) {
    auto look = look_at_table(side.name.c_str(), side.file, side.columns);
    look.whole_to = last_whole(look.remains.rows, rows_each(side.name, input.measure, columns, size[3]));
    looks.push_back(std::move(look));
  }
  if (input.measure.flow)
    looks.push_back(look_at_curves<FlowFile>("flow", folder.flow(), 1, {}, [&] {
      return FlowFile(folder.flow(), "row", flow_parameters(*input.measure.flow));
    }));
  if (columns.hadrons)
    looks.push_back(look_at_curves<HadronFile>("hadron_file", folder.hadron_file(), 1, {}, [&] {
      return HadronFile(folder.hadron_file(), "row", columns.hadrons->layout(size));
    }));
  if (columns.staggered_hadrons)
    looks.push_back(look_at_curves<HadronFile>("staggered_hadron_file", folder.staggered_hadron_file(), 1, {}, [&] {
      return HadronFile(folder.staggered_hadron_file(), "row", columns.staggered_hadrons->layout(size));
    }));
  return looks;
}

const ResultLook* file_ahead_of_table(const std::vector<ResultLook>& measurements) {
  for (const auto& look : measurements)
    if (look.whole_to > measurements[0].whole_to + 1) return &look;
  return nullptr;
}

}  // namespace trellis::app
