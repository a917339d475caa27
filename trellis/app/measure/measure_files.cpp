// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/measure/measure_files.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "trellis/app/command.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/measure/measured_results.hpp"
#include "trellis/app/measure/sources.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/app/run/sound_links.hpp"
#include "trellis/comm/session.hpp"
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
void require_valid_everywhere(const MeasureInput& input, const ObservableColumns& columns,
                              const std::vector<Source>& sources) {
  const bool single_size = columns.hadrons || columns.staggered_hadrons || columns.glueballs;
  for (const auto& source : sources) {
    if (single_size && source.size != sources[0].size)
      fail_input("{}: the lattice is {}, but that of {} is {}; hadrons need a single size", source.file.string(),
                 to_string(source.size), sources[0].file.string(), to_string(sources[0].size));
    require_on_lattice(input, source.file, source.size, source.boundary);
    try {
      require_valid(columns, source.size, source.boundary);
    } catch (const InputError& error) {
      fail_input("{}: {}", source.file.string(), error.what());
    }
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

int check_measure(const MeasureInput& asked, const Console& console) {
  const auto ranks = job();
  io::on_first_rank(ranks, "look at the folder", [&] { require_writable(asked.output.directory); });
  const auto sources = find_sources(asked);
  const auto input = with_boundary_of(sources[0], asked);
  const auto columns = columns_of(input);
  require_valid_everywhere(input, columns, sources);
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
  require_valid_everywhere(input, columns, sources);
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

  std::optional<MeasuredResults> results;
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
  std::atomic<std::int64_t> done = 0;
  const auto measured_before = [&] {
    return fmt::format("{} measured before it: {}", plural(done, "file"), folder.table().string());
  };
  const comm::AtWatchdogEnd last_words([&](const std::string& message) {
    append_log(folder.log(), fmt::format("error: {}", message));
    return fmt::format("({})", measured_before());
  });

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
      fail("{} ({})", error.what(), measured_before());
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
                              : fmt::format("Stopped after {} of {}.\n", done.load(), plural(total, "file")));
  io::on_first_rank(ranks, "write the results", [&] { results->say(console); });
  if (done < total) console.write(fmt::format("The same command continues from here: {}\n", command));
  return done == total ? 0 : stopped_by_signal + stopped_by;
}

}  // namespace trellis::app
