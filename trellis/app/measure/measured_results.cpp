// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/measure/measured_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/input/read_options.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/measure/measure_files.hpp"
#include "trellis/app/repair/results_look.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/app/results/staggered_mass_table.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/io/formats/file_content.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

namespace {

// Averages over these rows of the table.
std::string averages(const io::CsvData& data, const std::vector<std::size_t>& rows) {
  std::string text, lack;
  for (std::size_t c = first_observable; c + 1 < data.columns.size(); ++c) {
    std::vector<double> values;
    for (const std::size_t row : rows)
      if (const double x = data.values[c][row]; !std::isnan(x)) values.push_back(x);
    if (values.empty()) {
      text += fmt::format("  {:<20} not reached in any file\n", data.columns[c]);
      continue;
    }
    const auto files = fmt::format("{} of {}", values.size(), plural(std::int64_t(rows.size()), "file"));
    // The average of a residual is meaningless.
    const auto& name = data.columns[c];
    if (name == "hadron_residual" || name == "staggered_hadron_residual" || name == "staggered_hadron_ward" ||
        name == "gauge_residual") {
      const bool of_staggered = name == "staggered_hadron_residual";
      const bool both = data.has("hadron_residual") && data.has("staggered_hadron_residual");
      text += fmt::format("  {:<20} {:<16} {}{}\n",
                          name == "staggered_hadron_ward" ? "Ward identity within"
                          : name == "gauge_residual"      ? "largest theta"
                                                          : "largest residual",
                          fmt::format("{:.1e}", *std::max_element(values.begin(), values.end())), files,
                          !name.ends_with("hadron_residual") || !both ? ""
                          : of_staggered                              ? ", of staggered quarks"
                                                                      : ", of Wilson quarks");
      continue;
    }
    const auto e = analysis::gamma_method(values);
    text += fmt::format("  {:<20} {:<16} {}\n", data.columns[c], analysis::with_error(e.mean, e.error), files);
    if (lack.empty()) lack = analysis::lack_of_measurements(e);
  }
  if (!lack.empty()) text += fmt::format("  ({})\n", lack);
  return text;
}

// By row of the table, as text; empty where a file was measured by an earlier version, which did not write it down, and
// the present call was not given the file.
std::vector<std::string> lattices_of(const std::vector<Source>& sources, const io::CsvData& data,
                                     const std::vector<std::string>& files) {
  std::map<std::string, std::string> known;
  for (const auto& source : sources) known[source.file.string()] = to_string(source.size);
  std::vector<std::string> lattices;
  for (std::size_t row = 0; row < files.size(); ++row) {
    const auto recorded = recorded_size(data, row);
    const auto found = known.find(files[row]);
    lattices.push_back(recorded ? to_string(*recorded) : found != known.end() ? found->second : "");
  }
  return lattices;
}

// Files of different lattices are not averaged together.
std::string summary(const std::vector<Source>& sources, const fs::path& table) {
  const auto data = io::read_csv(table, {"file", "content"});
  const auto lattices = lattices_of(sources, data, io::read_csv_texts(table, "file"));
  std::map<std::string, std::vector<std::size_t>> rows;
  for (std::size_t row = 0; row < lattices.size(); ++row) rows[lattices[row]].push_back(row);
  if (rows.size() == 1) return averages(data, rows.begin()->second);
  std::string text;
  for (const auto& [lattice, own] : rows)
    text += (lattice.empty() ? "Files measured before, of unknown size:\n" : lattice + ":\n") + averages(data, own);
  return text;
}

// Averages over all files, which must have the same size for this.
std::string quark_summary(const QuarkJob& job, const std::vector<Source>& sources, const fs::path& table) {
  const auto data = io::read_csv(table, {"file", "content"});
  const auto lattices = lattices_of(sources, data, io::read_csv_texts(table, "file"));
  if (std::ranges::any_of(lattices, [&](const auto& lattice) { return lattice != to_string(sources[0].size); }))
    return "";
  return "Quarks, averages in lattice units:\n" +
         quark_averages(job, sources[0].size, [&](const std::string& column) { return data.column(column); });
}

}  // namespace

std::string content_of(const MeasureInput& input, const Source& source) {
  return io::content_of(source.file, read_options(input));
}

void require_same_measure(const RunFolder& folder, const MeasureInput& input) {
  if (!fs::exists(folder.table()) || !fs::exists(folder.input())) return;
  const auto measure_of = [](const TomlEntries& resolved) {
    TomlEntries kept;
    for (const auto& entry : resolved)
      for (const auto* key : {"measure", "flavours", "smearing", "background", "boundary", "gauge_fixing"})
        if (entry.key == key) kept.push_back(entry);
    // What is averaged is of one kind of boundary.
    for (const auto& entry : resolved) {
      if (entry.key != "configurations") continue;
      TomlEntries of_boundary;
      for (const auto& one : std::get<TomlEntries>(entry.value.content))
        if (one.key == "boundary" || one.key == "time_extent") of_boundary.push_back(one);
      if (!of_boundary.empty()) kept.push_back({entry.key, {of_boundary, {}}, {}});
    }
    return kept;
  };
  TomlEntries before;
  try {
    if (!resolved_input_is_whole(folder)) fail_input("{}: is damaged, or was edited", folder.input().string());
    before = read_measure_input(folder.input()).resolved;
  } catch (const InputError& error) {
    log_warning("{}; it is rewritten from the present input", error.what());
    return;
  }
  require_same_physics(measure_of(before), measure_of(input.resolved), folder.table());
}

std::vector<std::string> measure_columns(const ObservableColumns& columns) {
  std::vector<std::string> names{"row", "file", "content"};
  names.insert(names.end(), size_columns.begin(), size_columns.end());
  for (const auto& part : {columns.loops(), columns.others()}) names.insert(names.end(), part.begin(), part.end());
  names.emplace_back("seconds");
  require_different(names);
  return names;
}

MeasuredResults::MeasuredResults(const MeasureInput& asked, const std::vector<Source>& files,
                                 const ObservableColumns& of, RunFolder where)
    : input(asked),
      sources(files),
      columns(of),
      folder(std::move(where)),
      lock(folder.lock()),
      origin(origin_of(asked, common_size(files))) {}

std::vector<std::string> MeasuredResults::open() {
  remove_parts(folder);
  std::vector<std::string> measured;
  try {
    measured = open_whole();
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    fail("{}; `{}` goes back to the last intact row", error.what(), repair_command(folder));
  }
  write_resolved_input(folder, write_toml(input.resolved));
  write_table_descriptions(folder, origin, described_tables(folder, "row", measure_columns(columns), columns));
  if (flow) flow->write(origin);
  if (hadrons) hadrons->write(origin);
  if (staggered_hadrons) staggered_hadrons->write(origin);
  note = note_of_copies(measured);
  return measured;
}

std::vector<std::string> MeasuredResults::open_whole() {
  require_same_measure(folder, input);
  add_missing_columns(folder.table(), measure_columns(columns));
  const auto open_table = [&] {
    table.emplace(folder.table(), measure_columns(columns));
    table->truncate_after("row", std::numeric_limits<std::int64_t>::max());
  };
  if (fs::exists(folder.table())) open_table();
  const auto looks = look_at_measurements(input, folder, sources[0].size);
  if (const auto* ahead = file_ahead_of_table(looks))
    fail("{}: has {}, but {} has those of {}", folder.table().string(), plural(looks[0].whole_to, "row"),
         ahead->file.string(), ahead->whole_to);
  if (!table) open_table();
  auto measured = find_measured();
  const auto row = rows();
  if (input.measure.flow) {
    flow.emplace(folder.flow(), "row", flow_parameters(*input.measure.flow));
    flow->drop_after(row);
  }
  if (columns.hadrons) {
    hadrons.emplace(folder.hadron_file(), "row", columns.hadrons->layout(sources[0].size));
    hadrons->drop_after(row);
  }
  if (columns.staggered_hadrons) {
    staggered_hadrons.emplace(folder.staggered_hadron_file(), "row",
                              columns.staggered_hadrons->layout(sources[0].size));
    staggered_hadrons->drop_after(row);
  }
  side.emplace(folder, "row", columns);
  side->drop_after(row);
  require_all_rows();
  return measured;
}

void MeasuredResults::require_all_rows() const {
  for (const auto& look : look_at_measurements(input, folder, sources[0].size))
    if (look.whole_to < rows())
      fail("{}: {}, but the table has {}", look.file.string(),
           look.whole_to == 0 ? "has no rows" : fmt::format("its rows are intact up to those of row {}", look.whole_to),
           plural(rows(), "row"));
}

std::string MeasuredResults::note_of_copies(const std::vector<std::string>& measured) const {
  const auto contents = io::read_csv_texts(folder.table(), "content");
  std::set<std::string> known(contents.begin(), contents.end());
  int copies = 0;
  for (const auto& source : sources)
    if (std::find(measured.begin(), measured.end(), source.file.string()) == measured.end())
      copies += known.insert(content_of(input, source)).second ? 0 : 1;
  if (copies == 0) return "";
  return fmt::format(
      "note: {} of the files have the same content as another one: correct after rejected trajectories, but a "
      "copy counts twice\n",
      copies);
}

std::vector<std::string> MeasuredResults::find_measured() const {
  const auto names = io::read_csv_texts(folder.table(), "file"),
             contents = io::read_csv_texts(folder.table(), "content");
  std::set<std::string> asked;
  for (const auto& source : sources) asked.insert(source.file.string());
  std::vector<std::string> measured;
  for (const auto& source : sources) {
    const auto name = source.file.string();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool same_name = names[i] == name;
      if (!same_name && (asked.contains(names[i]) || fs::path(names[i]).filename() != source.file.filename())) continue;
      // Earlier versions ignored contents.
      const bool same = (same_name && contents[i].empty()) || contents[i] == content_of(input, source);
      if (same_name && !same)
        fail_input(
            "{}: is not the file of this name that was measured: its content is {}, but {} has {}; "
            "choose another output.directory or output.name for it",
            name, content_of(input, source), folder.table().string(), contents[i]);
      if (!same) continue;
      measured.push_back(name);
      break;
    }
  }
  return measured;
}

void MeasuredResults::add(std::int64_t row, const Source& source, const Measurement& m, double seconds) {
  lock.require_held();
  if (flow) {
    flow->add(row, m.gauge.flow);
    flow->write(origin);
  }
  if (hadrons) {
    hadrons->add(row, m.hadrons->correlators);
    hadrons->write(origin);
  }
  if (staggered_hadrons) {
    staggered_hadrons->add(row, m.staggered_hadrons->correlators);
    staggered_hadrons->write(origin);
  }
  side->add(row, m);
  std::vector<io::CsvCell> cells{row, source.file.string(), content_of(input, source)};
  for (const int extent : source.size) cells.emplace_back(std::int64_t{extent});
  for (const auto& part : {columns.loops(m.gauge), columns.others(m)})
    cells.insert(cells.end(), part.begin(), part.end());
  cells.emplace_back(seconds);
  table->append(cells);
}

void MeasuredResults::say(const Console& console) const {
  console.write(summary(sources, folder.table()));
  if (columns.quarks) console.write(quark_summary(*columns.quarks, sources, folder.table()));
  if (columns.hadrons) console.write(write_effective_masses(*columns.hadrons, folder, 0));
  if (columns.staggered_hadrons) console.write(write_staggered_masses(*columns.staggered_hadrons, folder, 0));
  console.write(fmt::format("Results:\n  {}  (one row per file)\n", folder.table().string()));
  if (flow && !flow->empty()) console.write(fmt::format("  {}  (gradient flow)\n", folder.flow().string()));
  if (hadrons && !hadrons->empty())
    console.write(fmt::format("  {}  (all correlators)\n  {}  (effective masses with errors)\n",
                              folder.hadron_file().string(), folder.effective_masses().string()));
  if (staggered_hadrons && !staggered_hadrons->empty())
    console.write(fmt::format("  {}  (all correlators of staggered hadrons)\n  {}  (their effective masses)\n",
                              folder.staggered_hadron_file().string(), folder.staggered_masses().string()));
  for (const auto& [file, what] : side->files()) console.write(fmt::format("  {}  ({})\n", file.string(), what));
  if (input.gauge_fixing && input.gauge_fixing->save)
    console.write(fmt::format("  {}  (links in {} gauge)\n", fixed_file(folder, *input.gauge_fixing, "*.ildg").string(),
                              input.gauge_fixing->gauge));
  console.write(fmt::format("  {}  (what the columns of the tables mean)\n", folder.table_descriptions().string()));
}

}  // namespace trellis::app
