// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/measure/measure_files.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/measure/sources.hpp"
#include "trellis/app/origin/table_descriptions.hpp"
#include "trellis/app/repair/results_look.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/hadron_file.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/side_tables.hpp"
#include "trellis/app/results/staggered_mass_table.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/app/run/sound_links.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/formats/file_content.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

std::string content_of(const MeasureInput& input, const Source& source) {
  return io::content_of(source.file, read_options(input));
}

std::vector<fs::path> files_of(const std::vector<Source>& sources) {
  std::vector<fs::path> files;
  for (const auto& source : sources) files.push_back(source.file);
  return files;
}

// For the largest of the lattices.
ThreadChoice choose_threads(const MeasureInput& input, const std::vector<Source>& sources) {
  const auto volume = [](const Source& source) {
    return std::accumulate(source.size.begin(), source.size.end(), std::int64_t{1}, std::multiplies<>());
  };
  const auto& size = std::ranges::max_element(sources, {}, volume)->size;
  const auto grid = grid_for(input, size);
  return {grid, size, lanes_for(grid, size, input.machine), !input.quarks.flavours.empty(), input.machine};
}

// The correlators of all files are in one array, and are averaged.
void require_valid_everywhere(const ObservableColumns& columns, const std::vector<Source>& sources) {
  const bool single_size = columns.hadrons || columns.staggered_hadrons || columns.glueballs;
  for (const auto& source : sources) {
    if (single_size && source.size != sources[0].size)
      fail_input("{}: the lattice is {}, but that of {} is {}; hadrons need a single size", source.file.string(),
                 to_string(source.size), sources[0].file.string(), to_string(sources[0].size));
    require_valid(columns, source.size, source.boundary);
  }
}

// Propagators are kept under the name of a file without its folder; copies of one configuration may share them.
void require_different_propagators(const MeasureInput& input, const std::vector<Source>& sources) {
  const auto& hadrons = input.measure.hadrons;
  if (!hadrons || hadrons->propagators.empty()) return;
  std::map<fs::path, const Source*> taken;
  for (const auto& source : sources) {
    const auto [place, is_new] = taken.emplace(source.file.filename(), &source);
    if (!is_new && content_of(input, *place->second) != content_of(input, source))
      fail_input(
          "measure.hadrons.propagators: {} and {} are different configurations of one name, by which propagators are "
          "kept; give a file another name, or measure them in two calls with a folder of propagators each",
          place->second->file.string(), source.file.string());
  }
}

template <int W>
gauge::GaugeFixingReport fix_gauge_of(const fs::path& file, const GaugeFixingInput& fixing,
                                      const GaugeField<double, W>& u, const gauge::Boundary& boundary) {
  try {
    return gauge::fix_gauge(fixing_parameters(fixing), u, boundary);
  } catch (const Error& error) {
    fail("{}: {}; gauge_fixing.max_iterations and gauge_fixing.overrelaxation can be changed", file.string(),
         error.what());
  }
}

// What is computed from the links of a file; errors begin with its name.
template <class F>
auto of_links_in(const fs::path& file, const F& measured) {
  try {
    return measured();
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    fail("{}: {}", file.string(), error.what());
  }
}

KernelSettings kernel_settings(const MeasureInput& input, const Coordinate& size, int threads) {
  const auto grid = grid_for(input, size);
  return {kernels_of(input, size, grid, lanes_for(grid, size, input.machine), threads), input.machine, grid.ranks(),
          gauge::longest_hop(input.quarks.smearing)};
}

// `row` seeds the quarks' noise; kernels: for this size.
Measurement measure_file(const MeasureInput& of_all, const KernelSettings& kernels, const Source& source,
                         std::int64_t row) {
  const auto& boundary = source.boundary;
  const auto input = with_boundary_of(source, of_all);
  auto columns = columns_of(input);
  kernels.give_to(columns);
  if (columns.hadrons) {
    columns.hadrons->selection.inverse.kept.configuration = source.file.filename().string();
    columns.hadrons->selection.noise.trajectory = static_cast<std::uint32_t>(row);
  }
  const auto selection = gauge_selection(columns, input.measure, [](std::int64_t) { return true; });
  const auto grid = grid_for(input, source.size);
  return with_lanes(lanes_for(grid, source.size, input.machine), [&]<int W>() {
    const GaugeField<double, W> u(Lattice(source.size, W, SiteOrder::even_odd, kernels.lattice_shape(), grid));
    auto options = read_options(of_all);
    options.open_in_time = boundary.kind == gauge::BoundaryKind::open;
    const io::GaugeReader reader(source.file, options, grid.ranks());
    read_sound_links(reader, source.file, {input.accept_damage, "[configurations]"}, u, boundary);
    const auto of_links = [&](const auto& measured) { return of_links_in(source.file, measured); };
    Measurement m{of_links([&] { return measure::measure_gauge(selection, u, boundary); })};
    if (const auto& job = columns.quarks)
      m.quarks = of_links([&] {
        return measure::measure_quarks(job->selection, job->flavours, job->smearing, 0, static_cast<std::uint32_t>(row),
                                       u);
      });
    if (const auto& job = columns.eigenvalues)
      m.eigenvalues =
          of_links([&] { return measure::measure_eigenvalues(job->selection, job->flavours, job->smearing, u); });
    auto of_hadrons = u;
    if (const auto& fixing = input.gauge_fixing) {
      of_hadrons = u.clone();
      m.gauge_fixing = fix_gauge_of(source.file, *fixing, of_hadrons, boundary);
      if (fixing->save)
        write_fixed_configuration(fixed_file({input.output.directory, input.output.name}, *fixing, source.file),
                                  *fixing, *m.gauge_fixing, source.file, reader.info(), boundary, of_hadrons);
    }
    if (const auto& job = columns.hadrons)
      m.hadrons = of_links([&] { return measure::measure_hadrons(job->selection, of_hadrons); });
    if (const auto& job = columns.staggered_hadrons)
      m.staggered_hadrons = of_links([&] {
        return measure::measure_staggered_hadrons(job->selection, job->flavours, job->smearing, 0,
                                                  static_cast<std::uint32_t>(row), of_hadrons);
      });
    return m;
  });
}

// The flow curves and the table were made with the keys of [measure] and of quarks in the folder's resolved input.
// These must not change.
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

// The first column after those that say which file it is.
constexpr std::size_t first_observable = 3 + size_columns.size();

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
      text += fmt::format("  {:<20} {:<16} {}\n",
                          name == "staggered_hadron_ward" ? "Ward identity within"
                          : name == "gauge_residual"      ? "largest theta"
                                                          : "largest residual",
                          fmt::format("{:.1e}", *std::max_element(values.begin(), values.end())), files);
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

// The files of a call, on the first rank.
struct Results {
  const MeasureInput& input;
  const std::vector<Source>& sources;
  const ObservableColumns& columns;
  RunFolder folder;
  FolderLock lock;
  std::optional<io::CsvTable> table = {};
  std::optional<FlowFile> flow = {};
  std::optional<HadronFile> hadrons = {}, staggered_hadrons = {};
  std::optional<SideTables> side = {};
  std::string note = {};
  FileOrigin origin;

  Results(const MeasureInput& asked, const std::vector<Source>& files, const ObservableColumns& of, RunFolder where)
      : input(asked),
        sources(files),
        columns(of),
        folder(std::move(where)),
        lock(folder.lock()),
        origin(origin_of(asked, common_size(files))) {}

  // Continues what is there; returns the names of the files that have been measured.
  std::vector<std::string> open() {
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

  std::vector<std::string> open_whole() {
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

  std::int64_t rows() const { return static_cast<std::int64_t>(table->rows().rows); }

  // Every row of the table has its part in the other files.
  void require_all_rows() const {
    for (const auto& look : look_at_measurements(input, folder, sources[0].size))
      if (look.whole_to < rows())
        fail("{}: {}, but the table has {}", look.file.string(),
             look.whole_to == 0 ? "has no rows"
                                : fmt::format("its rows are intact up to those of row {}", look.whole_to),
             plural(rows(), "row"));
  }

  // Files with the same content as another: correct after rejected trajectories, but a copy counts twice.
  std::string note_of_copies(const std::vector<std::string>& measured) const {
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

  // A file is identified by its name and content; one that was moved, by the last part of its name.
  std::vector<std::string> find_measured() const {
    const auto names = io::read_csv_texts(folder.table(), "file"),
               contents = io::read_csv_texts(folder.table(), "content");
    std::set<std::string> asked;
    for (const auto& source : sources) asked.insert(source.file.string());
    std::vector<std::string> measured;
    for (const auto& source : sources) {
      const auto name = source.file.string();
      for (std::size_t i = 0; i < names.size(); ++i) {
        const bool same_name = names[i] == name;
        if (!same_name && (asked.contains(names[i]) || fs::path(names[i]).filename() != source.file.filename()))
          continue;
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

  void add(std::int64_t row, const Source& source, const Measurement& m, double seconds) {
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

  // The contents of each file.
  void say(const Console& console) const {
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
      console.write(fmt::format("  {}  (links in {} gauge)\n",
                                fixed_file(folder, *input.gauge_fixing, "*.ildg").string(), input.gauge_fixing->gauge));
    console.write(fmt::format("  {}  (what the columns of the tables mean)\n", folder.table_descriptions().string()));
  }
};

std::string as_lines(const std::vector<std::string>& lines) {
  return fmt::format("{}{}", joined(lines, "\n"), lines.empty() ? "" : "\n");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<Coordinate> sizes_of(const MeasureInput& input) {
  std::vector<Coordinate> sizes;
  for (const auto& source : find_sources(input))
    if (std::ranges::find(sizes, source.size) == sizes.end()) sizes.push_back(source.size);
  return sizes;
}

std::vector<std::string> measure_columns(const ObservableColumns& columns) {
  std::vector<std::string> names{"row", "file", "content"};
  names.insert(names.end(), size_columns.begin(), size_columns.end());
  for (const auto& part : {columns.loops(), columns.others()}) names.insert(names.end(), part.begin(), part.end());
  names.emplace_back("seconds");
  require_different(names);
  return names;
}

int check_measure(const MeasureInput& asked, const Console& console) {
  const auto ranks = job();
  io::on_first_rank(ranks, "look at the folder", [&] { require_writable(asked.output.directory); });
  const auto sources = find_sources(asked);
  const auto input = with_boundary_of(sources[0], asked);
  const auto columns = columns_of(input);
  require_valid_everywhere(columns, sources);
  const RunFolder folder{input.output.directory, input.output.name};
  if (input.gauge_fixing && input.gauge_fixing->save)
    require_different_files(folder, *input.gauge_fixing, files_of(sources));
  io::on_first_rank(ranks, "look at the names", [&] { require_different_propagators(input, sources); });
  std::string text;
  io::on_first_rank(ranks, "look at the results", [&] {
    require_same_measure(folder, input);
    std::map<std::string, std::int64_t> lattices;
    for (const auto& source : sources) ++lattices[to_string(source.size)];
    for (const auto& [lattice, files] : lattices)
      text += fmt::format("  {:<14} {} of {}\n", "", plural(files, "file"), lattice);
    const auto names = measure_columns(columns);
    text += fmt::format("  {:<14} {}\n", "columns",
                        joined(std::vector(names.begin() + first_observable, names.end() - 1), ", "));
    const auto rows = fs::exists(folder.table()) ? io::read_csv(folder.table(), {"file", "content"}).rows() : 0;
    text += fmt::format("  {:<14} {}{}\n", "results", folder.table().string(),
                        rows > 0 ? fmt::format(", which has {}", plural(std::int64_t(rows), "row")) : "");
  });
  console.write(fmt::format("{}: {}, {}\n{}Nothing is wrong with this input. Nothing was written.\n", version_text(),
                            plural(std::int64_t(sources.size()), "file"), describe(grid_for(input, sources[0].size)),
                            text));
  return 0;
}

int measure_files(const MeasureInput& asked, const std::string& command, const Console& console) {
  const auto ranks = job();
  io::on_first_rank(ranks, "look at the folder", [&] { require_writable(asked.output.directory); });
  ignore_broken_pipes();
  if (asked.machine.threads > 0) set_thread_count(static_cast<int>(asked.machine.threads));
  const auto sources = find_sources(asked);
  const auto input = resolved_for(sources[0], asked);
  const RunFolder folder{input.output.directory, input.output.name};
  const auto columns = columns_of(input);
  require_valid_everywhere(columns, sources);
  if (!input.gauge_fixing && ranks.is_first())
    warn_of_walls(input.measure, "a table [gauge_fixing] transforms them to Coulomb gauge", files_of(sources));
  if (ranks.is_first()) warn_of_width(columns.hadrons);
  if (input.gauge_fixing && input.gauge_fixing->save)
    require_different_files(folder, *input.gauge_fixing, files_of(sources));
  io::on_first_rank(ranks, "look at the names", [&] { require_different_propagators(input, sources); });
  const int all_threads = concurrency();
  auto kernels = kernel_settings(input, sources[0].size, all_threads);
  Coordinate size = sources[0].size;
  const auto threads = choose_threads(input, sources);
  const auto grid = grid_for(input, size);
  console.write(
      fmt::format("{}: {}, {}\n", version_text(), plural(std::int64_t(sources.size()), "file"), describe(grid)));
  if (threads.is_fewer()) console.write(threads.text() + "\n");
  if (!kernels.summary().empty()) console.write(kernels.summary() + "\n");

  std::optional<Results> results;
  std::string found;
  io::on_first_rank(ranks, "open the results", [&] {
    make_folder(folder.directory);
    found = as_lines(results.emplace(input, sources, columns, folder).open());
  });
  if (results) console.write(results->note);
  const auto names = lines_of(ranks.broadcast("the files that are measured", found));
  const std::set<std::string> measured(names.begin(), names.end());
  auto row = io::from_first_rank(ranks, "count the rows", [&] { return results->rows(); });
  std::vector<Source> left;
  for (const auto& source : sources)
    if (!measured.contains(source.file.string())) left.push_back(source);
  if (left.size() < sources.size())
    console.write(fmt::format("{} of them are already in {}\n", sources.size() - left.size(), folder.table().string()));
  const auto log = [&](const std::string& text) {
    if (ranks.is_first()) append_log(folder.log(), text);
  };
  log(fmt::format("{}: {} to measure, {}", version_text(), plural(std::int64_t(left.size()), "file"), describe(grid)));
  if (ranks.is_first()) log(program_entry_text());
  if (threads.is_fewer()) log(threads.text());
  for (const auto& line : kernels.lines()) log(line);

  const InterruptGuard interrupt;
  // The largest loss on any rank.
  const auto signal = [&] {
    double number = interrupt.signal();
    ranks.maximum("signals", {&number, 1});
    return static_cast<int>(number);
  };
  const auto total = static_cast<std::int64_t>(left.size());
  Progress progress(console, total, "file");
  const Stopwatch here;
  std::int64_t done = 0;
  int stopped_by = 0;
  for (const auto& source : left) {
    if (stopped_by = signal(); stopped_by != 0) break;
    const Stopwatch watch;
    Measurement m;
    try {
      if (source.size != size) {
        kernels = kernel_settings(input, source.size, all_threads);
        size = source.size;
      }
      m = measure_file(input, kernels, source, row + 1);
    } catch (const Error& error) {
      log(fmt::format("error: {}", error.what()));
      fail("{} ({} measured before it: {})", error.what(), plural(done, "file"), folder.table().string());
    }
    ++row;
    io::on_first_rank(ranks, "write the results", [&] { results->add(row, source, m, watch.seconds()); });
    ++done;
    if (ranks.is_first() && progress.due(done))
      progress.show(done, here.seconds() / double(done),
                    fmt::format("{}  plaquette {:.6f}", source.file.filename().string(), m.gauge.plaquette.average));
  }
  progress.end();
  log(fmt::format("measured {}", plural(done, "file")));
  console.write(done == total ? fmt::format("Finished: {} measured.\n", plural(std::int64_t(sources.size()), "file"))
                              : fmt::format("Stopped after {} of {}.\n", done, plural(total, "file")));
  io::on_first_rank(ranks, "write the results", [&] { results->say(console); });
  if (done < total) console.write(fmt::format("The same command continues from here: {}\n", command));
  return done == total ? 0 : stopped_by_signal + stopped_by;
}

}  // namespace trellis::app
