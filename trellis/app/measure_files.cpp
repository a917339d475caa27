// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/measure_files.hpp"

#include <cmath>
#include <set>

#include "trellis/app/command.hpp"
#include "trellis/app/effective_mass_table.hpp"
#include "trellis/app/flow_file.hpp"
#include "trellis/app/hadron_file.hpp"
#include "trellis/app/interrupt.hpp"
#include "trellis/app/observables.hpp"
#include "trellis/app/run_chain.hpp"
#include "trellis/app/run_folder.hpp"
#include "trellis/app/run_report.hpp"
#include "trellis/app/same_physics.hpp"
#include "trellis/app/side_tables.hpp"
#include "trellis/app/sound_links.hpp"
#include "trellis/core/statistics.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/core/with_lanes.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

struct Source {
  fs::path file;
  io::Size size{};
};

std::vector<Source> check_headers(const MeasureInput& input) {
  std::vector<Source> sources;
  for (const auto& file : expand_files(input.files)) {
    if (file.string().find_first_of(",\"\r\n") != std::string::npos)
      fail_input("{}: a comma, a quote or a line end in a file's name cannot stand in the table", file.string());
    const io::GaugeReader reader(file, {.size = input.size});
    const auto size = reader.info().size;
    if (input.machine.lanes > 0)
      Lattice(size, static_cast<int>(input.machine.lanes));  // throws when it does not divide
    for (const int extent : size)
      if (extent % 2 != 0 || extent < 2)
        fail_input("{}: the lattice is {}; every extent must be even", file.string(), io::to_string(size));
    sources.push_back({file, size});
  }
  return sources;
}

// Correlators of all files stand in one array, and are averaged.
void check_hadrons(const HadronJob& job, const std::vector<Source>& sources) {
  for (const auto& source : sources) {
    if (source.size != sources[0].size)
      fail_input("{}: the lattice is {}, that of {} is {}; hadrons need one size", source.file.string(),
                 io::to_string(source.size), sources[0].file.string(), io::to_string(sources[0].size));
  }
  measure::require_valid(job.selection, sources[0].size);
}

// `row` keys the noise of quarks.
Measurement measure_file(const MeasureInput& input, const ObservableColumns& columns, const Source& source,
                         std::int64_t row) {
  measure::GaugeSelection selection;
  selection.polyakov = columns.polyakov;
  selection.topological_charge = columns.topological_charge;
  selection.energy = columns.energy;
  if (input.measure.flow) selection.flow = flow_parameters(*input.measure.flow);
  if (input.measure.cooling) selection.cooling = cooling_steps(*input.measure.cooling);
  if (input.measure.stout) selection.stout = stout_steps(*input.measure.stout);
  const int lanes =
      input.machine.lanes > 0 ? static_cast<int>(input.machine.lanes) : Lattice::best_lanes(source.size, 8);
  return with_lanes(lanes, [&]<int W>() {
    const GaugeField<double, W> u(Lattice(source.size, W));
    read_sound_links(io::GaugeReader(source.file, {.size = input.size}), source.file, u);
    Measurement m{measure::measure_gauge(selection, u)};
    if (const auto& job = columns.quarks)
      m.quarks =
          measure::measure_quarks(job->selection, job->flavours, job->smearing, 0, static_cast<std::uint32_t>(row), u);
    if (const auto& job = columns.hadrons) m.hadrons = measure::measure_hadrons(job->tuned(u.lattice()), u);
    return m;
  });
}

std::vector<std::string> column_names(const ObservableColumns& columns) {
  std::vector<std::string> names{"row", "file"};
  for (const auto& part : {columns.loops(), columns.others()}) names.insert(names.end(), part.begin(), part.end());
  names.emplace_back("seconds");
  return names;
}

// The flow curves and the table were made with the keys of [measure], and of quarks, that stand in the folder's
// resolved input.
void require_same_measure(const RunFolder& folder, const MeasureInput& input) {
  if (!fs::exists(folder.table()) || !fs::exists(folder.input())) return;
  const auto measure_of = [](const TomlEntries& resolved) {
    TomlEntries kept;
    for (const auto& entry : resolved)
      for (const auto* key : {"measure", "flavours", "smearing", "background", "boundary"})
        if (entry.key == key) kept.push_back(entry);
    return kept;
  };
  require_same_physics(measure_of(read_measure_input(folder.input()).resolved), measure_of(input.resolved),
                       folder.table());
}

std::string summary(const fs::path& table) {
  const auto data = io::read_csv(table, {"file"});
  std::string text;
  for (std::size_t c = 2; c + 1 < data.columns.size(); ++c) {
    std::vector<double> values;
    for (const double x : data.values[c])
      if (!std::isnan(x)) values.push_back(x);
    if (values.empty()) {
      text += fmt::format("  {:<20} not reached in any file\n", data.columns[c]);
      continue;
    }
    const auto e = gamma_method(values);
    text += fmt::format("  {:<20} {:<16} {} of {} files\n", data.columns[c], with_error(e.mean, e.error), values.size(),
                        data.rows());
  }
  return text;
}

// Averages over all files, which must have one size for this.
std::string quark_summary(const QuarkJob& job, const std::vector<Source>& sources, const fs::path& table) {
  for (const auto& source : sources)
    if (source.size != sources[0].size) return "";
  const auto data = io::read_csv(table, {"file"});
  return "Quarks, averages in lattice units:\n" +
         quark_averages(job, sources[0].size, [&](const std::string& column) { return data.column(column); });
}

}  // namespace

int measure_files(const MeasureInput& input, const std::string& command, const Console& console) {
  require_writable(input.output.directory);
  if (input.machine.threads > 0) set_thread_count(static_cast<int>(input.machine.threads));
  const auto sources = check_headers(input);
  const RunFolder folder{input.output.directory, input.output.name};
  const auto columns = columns_of(input.measure, input.quarks);
  if (columns.hadrons) check_hadrons(*columns.hadrons, sources);
  console.write(fmt::format("{}: {} files, {} threads\n", version_text(), sources.size(), concurrency()));

  make_folder(folder.directory);
  const FolderLock lock(folder.lock());
  require_same_measure(folder, input);
  io::CsvTable table(folder.table(), column_names(columns));
  write_text_file(folder.input(), write_toml(input.resolved));
  const auto names = io::read_csv_texts(folder.table(), "file");
  const std::set<std::string> measured(names.begin(), names.end());
  auto row = static_cast<std::int64_t>(names.size());
  std::optional<FlowFile> flow;
  if (input.measure.flow) {
    flow.emplace(folder.flow(), "row", flow_parameters(*input.measure.flow));
    flow->drop_after(row);
  }
  std::optional<HadronFile> hadrons;
  if (columns.hadrons) {
    hadrons.emplace(folder.hadron_file(), "row", *columns.hadrons, sources[0].size);
    hadrons->drop_after(row);
  }
  SideTables side(folder, "row", columns);
  side.drop_after(row);
  std::vector<Source> left;
  for (const auto& source : sources)
    if (!measured.contains(source.file.string())) left.push_back(source);
  if (left.size() < sources.size())
    console.write(fmt::format("{} of them are in {} already\n", sources.size() - left.size(), folder.table().string()));
  append_log(folder.log(),
             fmt::format("{}: {} files to measure, {} threads", version_text(), left.size(), concurrency()));

  const InterruptGuard interrupt;
  const auto total = static_cast<std::int64_t>(left.size());
  Progress progress(console, total);
  const Stopwatch here;
  std::int64_t done = 0;
  for (const auto& source : left) {
    if (interrupt.signal() != 0) break;
    const Stopwatch watch;
    Measurement m;
    try {
      m = measure_file(input, columns, source, row + 1);
    } catch (const Error& error) {
      append_log(folder.log(), fmt::format("error: {}", error.what()));
      fail("{} (the {} files before it are in {})", error.what(), done, folder.table().string());
    }
    ++row;
    if (flow) {
      flow->add(row, m.gauge.flow);
      flow->write();
    }
    if (hadrons) {
      hadrons->add(row, *m.hadrons);
      hadrons->write();
    }
    side.add(row, m);
    std::vector<io::CsvCell> cells{row, source.file.string()};
    for (const auto& part : {columns.loops(m.gauge), columns.others(m)})
      cells.insert(cells.end(), part.begin(), part.end());
    cells.emplace_back(watch.seconds());
    table.append(cells);
    ++done;
    if (progress.due(done))
      progress.show(done, here.seconds() / double(done),
                    fmt::format("{}  plaquette {:.6f}", source.file.filename().string(), m.gauge.plaquette.average));
  }
  progress.end();
  append_log(folder.log(), fmt::format("measured {} files", done));
  console.write(done == total ? fmt::format("Finished: {} files are measured.\n", sources.size())
                              : fmt::format("Stopped after {} of {} files.\n", done, total));
  console.write(summary(folder.table()));
  if (columns.quarks) console.write(quark_summary(*columns.quarks, sources, folder.table()));
  if (columns.hadrons) console.write(write_effective_masses(*columns.hadrons, folder, 0));
  console.write(fmt::format("Results:\n  {}  (a row a file)\n", folder.table().string()));
  if (flow && !flow->empty()) console.write(fmt::format("  {}  (gradient flow)\n", folder.flow().string()));
  if (hadrons && !hadrons->empty())
    console.write(fmt::format("  {}  (all correlators)\n  {}  (effective masses with errors)\n",
                              folder.hadron_file().string(), folder.effective_masses().string()));
  for (const auto& [file, what] : side.files()) console.write(fmt::format("  {}  ({})\n", file.string(), what));
  if (done < total) console.write(fmt::format("The same command goes on from here: {}\n", command));
  return done == total ? 0 : stopped_by_signal + interrupt.signal();
}

}  // namespace trellis::app
