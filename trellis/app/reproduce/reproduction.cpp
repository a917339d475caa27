// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/reproduce/reproduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "trellis/app/input/read_options.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/origin/configuration_origin.hpp"
#include "trellis/app/origin/file_origin.hpp"
#include "trellis/app/reproduce/chain_states.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/formats/file_content.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;
using Kind = ReproducedFile::Kind;

const std::string kInput = ".resolved.toml";

// NAME of each NAME.resolved.toml in the folder, sorted.
// The run or measurement that the file belongs to: the longest name that its own begins with.
std::optional<RunFolder> folder_of(const ReproduceOptions& options) {
  const bool is_folder = fs::is_directory(options.file);
  const auto directory = is_folder ? options.file : fs::absolute(options.file).parent_path();
  std::optional<RunFolder> found;
  auto names = run_names(directory);
  if (!options.name.empty()) std::erase_if(names, [&](const std::string& name) { return name != options.name; });
  for (const auto& name : names) {
    const auto file = options.file.filename().string();
    const bool belongs = is_folder || file.starts_with(name + ".") || file.starts_with(name + "-");
    if (belongs && (!found || is_folder || name.size() > found->name.size())) {
      if (is_folder && found)
        fail_input("{}: holds several runs, {} and {} among them; say which with --name", directory.string(),
                   found->name, name);
      found = RunFolder{is_folder ? options.file : options.file.parent_path(), name};
    }
  }
  return found;
}

bool is_hdf5(const fs::path& file) {
  auto stream = input_stream(file);
  char magic[8] = {};
  stream.read(magic, sizeof magic);
  return stream && std::string_view(magic, 8) == "\x89HDF\r\n\x1a\n";
}

bool is_links(const fs::path& file) {
  auto stream = input_stream(file);
  char magic[4] = {};
  stream.read(magic, sizeof magic);
  return stream && std::string_view(magic, 4) == "\x45\x67\x89\xab";  // LIME
}

TomlEntries resolved_input(const RunFolder& folder) {
  if (!resolved_input_is_whole(folder)) fail_input("{}: is damaged, or was edited", folder.input().string());
  auto stream = input_stream(folder.input());
  return parse_toml(std::string(std::istreambuf_iterator<char>(stream), {}), folder.input().string());
}

bool has(const TomlEntries& document, const std::string& key) {
  return std::any_of(document.begin(), document.end(), [&](const TomlEntry& entry) { return entry.key == key; });
}

// measure.hadrons.propagators: the folder where they are kept. Empty: they are not.
std::string kept_propagators(const TomlEntries& input) {
  const auto all = flatten(input);
  const auto found = std::ranges::find(all, "measure.hadrons.propagators", [](const auto& one) { return one.first; });
  return found == all.end() ? "" : found->second;
}

// So that nothing is read from there, and nothing written.
void keep_propagators_in(const fs::path& folder, TomlEntries& input) {
  for (auto& entry : input)
    if (entry.key == "measure")
      set_key(std::get<TomlEntries>(entry.value.content), "hadrons", "propagators", TomlValue{folder.string(), {}});
}

// The version in the last line of the log that names one.
std::string version_in_log(const RunFolder& folder) {
  auto stream = input_stream(folder.log());
  std::string version;
  for (std::string line; std::getline(stream, line);) {
    const auto at = line.find(" trellis ");
    const auto end = line.find(':', at == std::string::npos ? at : at + 1);
    // The line "program: trellis 0.1.0 (commit ..." may have a colon in brackets.
    if (at != std::string::npos && end != std::string::npos && line.find('(', at) > end)
      version = line.substr(at + 1, end - at - 1);
  }
  return version;
}

// How long the trajectories (or rows) to be computed again took; nothing unless the table has all of them.
std::optional<double> seconds_in(const fs::path& table, std::int64_t after, std::int64_t last) {
  if (!fs::exists(table)) return std::nullopt;
  const auto data = io::read_csv(table, {"file", "content"});
  double sum = 0;
  std::int64_t rows = 0;
  for (std::size_t row = 0; row < data.rows(); ++row)
    if (const auto number = std::llround(data.values[0][row]); number > after && number <= last) {
      sum += data.column("seconds")[row];
      ++rows;
    }
  return rows == last - after && std::isfinite(sum) ? std::optional(sum) : std::nullopt;
}

// Notes where `tuning` grew: trajectories up to there cannot be reproduced with the present keys.
void note_tuning(const fs::path& table, Reproduction& plan) {
  if (!fs::exists(table)) return;
  const auto data = io::read_csv(table);
  if (!data.has("tuning")) return;
  const auto &number = data.column("trajectory"), &tuning = data.column("tuning");
  for (std::size_t row = 1; row < data.rows(); ++row)
    if (tuning[row] != tuning[row - 1] && number[row] > double(plan.after) && number[row] <= double(plan.last))
      plan.notes.push_back(
          fmt::format("keys that change bits were changed after trajectory {} (see the log), so the trajectories up to "
                      "it will differ; --from a state after it avoids this",
                      number[row - 1]));
}

// The files of a folder, or the one that was named.
void add_results(const ReproduceOptions& options, const RunFolder& folder, Reproduction& plan) {
  for (const auto& entry : fs::directory_iterator(folder.directory.empty() ? "." : folder.directory)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(folder.name + ".") && !name.starts_with(folder.name + "-")) continue;
    if (!fs::is_directory(options.file) && !fs::equivalent(entry.path(), options.file)) continue;
    const auto ending = name.substr(folder.name.size());
    const auto extension = entry.path().extension();
    if (ending == "-kernels.csv" || ending.ends_with("-effective-mass.csv")) continue;
    if (extension == ".csv")
      plan.files.push_back({Kind::table, entry.path(), 0, ending});
    else if (extension == ".h5")
      plan.files.push_back({Kind::arrays, entry.path(), 0, ending});
    else if (extension == ".ildg" && plan.of_run)
      // Another run in this folder may have a name that begins with this one's.
      if (const auto made = io::read_provenance(entry.path());
          made && folder.configuration(made->trajectory).filename() == entry.path().filename())
        plan.files.push_back({Kind::links, entry.path(), made->trajectory, ending});
  }
  std::sort(plan.files.begin(), plan.files.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  if (plan.files.empty()) fail_input("{}: is not a file that can be reproduced", options.file.string());
}

std::int64_t last_number(const RunFolder& folder) {
  const auto data = io::read_csv(folder.table(), {"file", "content"});
  return data.rows() == 0 ? 0 : std::llround(data.values[0].back());
}

// Which trajectories are computed again, and from which state.
void plan_chain(const ReproduceOptions& options, const RunFolder* folder, Reproduction& plan) {
  if (options.to > 0) plan.last = std::min(plan.last, options.to);
  end_chain_at(plan.input, std::max<std::int64_t>(plan.last, 1));
  const auto input = parse_run_input(write_toml(plan.input), options.file.string() + " (its input)");
  plan.what = describe(input);
  plan.after = input.start.trajectory;
  if (plan.last <= plan.after)
    fail_input("{}: no trajectory was computed before it: there is nothing to reproduce", options.file.string());
  // Results are reproduced as a whole; a configuration, from the last state before it.
  const bool of_links = plan.files[0].kind == Kind::links && !fs::is_directory(options.file);
  const bool search_here = of_links || plan.files[0].kind == Kind::checkpoint;
  const bool from_start = options.from.empty() || options.from == "start";
  if (input.tempering && !from_start)
    fail_input("--from: {}: a chain with [tempering] is reproduced from its start: a file has the links of one replica",
               options.from);
  const bool search = !input.tempering && (options.from.empty() ? search_here : !from_start);
  if (search) {
    const auto beside = options.file.parent_path().empty() ? fs::path(".") : options.file.parent_path();
    const auto where = options.from.empty() ? beside : fs::path(options.from);
    if (const auto state = last_state_before(where, plan.last, input, !options.from.empty(), options.file)) {
      plan.state = state->file;
      plan.after = state->trajectory;
    }
  }
  std::erase_if(plan.files, [&](const ReproducedFile& file) {
    return (file.kind == Kind::links || file.kind == Kind::checkpoint) &&
           (file.number <= plan.after || file.number > plan.last);
  });
  if (plan.state.empty() && input.start.kind == StartKind::file && !fs::exists(input.start.file))
    fail_input(
        "{}: its chain starts from {}, which is not there; start in the folder of the original run, or give "
        "--from with a state of the chain",
        options.file.string(), input.start.file.string());
  if (folder != nullptr) {
    plan.seconds = seconds_in(folder->table(), plan.after, plan.last);
    note_tuning(folder->table(), plan);
  }
}

// A configuration or checkpoint: the input is inside.
Reproduction plan_links(const ReproduceOptions& options) {
  Reproduction plan;
  const auto& file = options.file;
  const auto info = io::GaugeReader(file).info();
  std::string text;
  try {
    text = io::read_input_text(file);
  } catch (const InputError&) {
    throw;
  } catch (const Error&) {
    fail_input("{}: was not written by a run of trellis: it has no record trellis-input", file.string());
  }
  const auto made = io::read_provenance(file);
  plan.input = parse_toml(text, file.string() + " (trellis-input)");
  // Links do not depend on what was measured.
  std::erase_if(plan.input, [](const TomlEntry& entry) { return entry.key == "measure"; });
  if (made) {
    plan.last = made->trajectory;
    plan.made_by = made->program;
    plan.files = {{Kind::links, file, plan.last}};
    set_key(plan.input, "chain", "save_every", TomlValue{plan.last, {}});
    set_key(plan.input, "chain", "save_precision",
            TomlValue{
                std::string(info.precision == Precision::single || was_in_single_precision(file) ? "single" : "double"),
                {}});
  } else {
    plan.last = read_saved_chain(file).completed;
    plan.files = {{Kind::checkpoint, file, plan.last}};
  }
  const auto folder = folder_of(options);
  if (folder && plan.made_by.empty()) plan.made_by = version_in_log(*folder);
  // Its rows tell which trajectory differs first.
  if (folder && fs::exists(folder->table())) plan.files.push_back({Kind::table, folder->table(), 0, ".csv"});
  if (options.to > 0 && options.to != plan.last)
    fail_input("--to {}: {} was made by trajectory {}", options.to, file.string(), plan.last);
  plan_chain(options, folder ? &*folder : nullptr, plan);
  return plan;
}

Reproduction plan_measurements(const ReproduceOptions& options, const RunFolder& folder, TomlEntries input) {
  Reproduction plan{.of_run = false, .made_by = version_in_log(folder), .input = std::move(input)};
  if (!options.from.empty())
    fail_input("--from: {} holds measurements of files, which are measured again from the first",
               folder.directory.string());
  add_results(options, folder, plan);
  plan.last = last_number(folder);
  if (options.to > 0) plan.last = std::min(plan.last, options.to);
  if (plan.last == 0) fail_input("{}: has no rows: there is nothing to reproduce", folder.table().string());
  const auto names = io::read_csv_texts(folder.table(), "file"),
             contents = io::read_csv_texts(folder.table(), "content");
  TomlArray files;
  for (std::size_t row = 0; row < static_cast<std::size_t>(plan.last); ++row) {
    if (!fs::exists(names[row]))
      fail_input("{}: was measured, but is not there; start in the folder in which the measurement was started",
                 names[row]);
    files.push_back({names[row], {}});
  }
  set_key(plan.input, "configurations", "files", TomlValue{files, {}});
  const auto reading = read_options(parse_measure_input(write_toml(plan.input), folder.input().string()));
  for (std::size_t row = 0; row < files.size(); ++row) {
    if (contents[row].empty()) continue;
    if (const auto content = io::content_of(names[row], reading); content != contents[row])
      fail_input("{}: is not the file that was measured: its content is {}, {} has {}", names[row], content,
                 folder.table().string(), contents[row]);
  }
  plan.seconds = seconds_in(folder.table(), 0, plan.last);
  plan.what = plural(plan.last, "file");
  return plan;
}

Reproduction plan_results(const ReproduceOptions& options) {
  const auto folder = folder_of(options);
  if (!folder) {
    if (!fs::is_directory(options.file) && is_hdf5(options.file)) {
      const auto file = io::Hdf5File::open(options.file);
      if (!file.has_attribute("/", "input"))
        fail_input("{}: does not say from which input it was made, and there is no NAME{} beside it",
                   options.file.string(), kInput);
      Reproduction plan;
      plan.input = parse_toml(std::get<std::string>(file.attribute("/", "input")), options.file.string());
      if (has(plan.input, "configurations"))
        fail_input("{}: holds measurements, whose table is not beside it", options.file.string());
      plan.made_by = std::get<std::string>(file.attribute("/", "program"));
      const auto groups = {std::pair{"hadrons", ".hadrons.h5"}, {"staggered_hadrons", ".staggered-hadrons.h5"}};
      const auto found =
          std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return file.has(group.first); });
      plan.files = {{Kind::arrays, options.file, 0, found == groups.end() ? ".flow.h5" : found->second}};
      plan.last = parse_run_input(write_toml(plan.input), options.file.string()).chain.trajectories;
      plan_chain(options, nullptr, plan);
      return plan;
    }
    if (fs::is_directory(options.file))
      fail_input("{}: there is no NAME{} of a run or a measurement in it", options.file.string(), kInput);
    fail_input(
        "{}: there is no NAME{} of a run or a measurement beside it, and the file itself does not say how it was made, "
        "as "
        "files of `trellis run` in ILDG and HDF5 do",
        options.file.string(), kInput);
  }
  auto input = resolved_input(*folder);
  if (has(input, "configurations")) return plan_measurements(options, *folder, std::move(input));
  Reproduction plan{.made_by = version_in_log(*folder), .last = last_number(*folder), .input = std::move(input)};
  add_results(options, *folder, plan);
  plan_chain(options, &*folder, plan);
  return plan;
}

}  // namespace

Reproduction plan_reproduction(const ReproduceOptions& options) {
  if (!fs::exists(options.file)) fail_input("{}: there is no such file", options.file.string());
  if (!fs::is_directory(options.file) && is_links(options.file)) return plan_links(options);
  return plan_results(options);
}

std::string Reproduction::text() const {
  auto text = fmt::format("{}, made by {}\n", what, made_by.empty() ? "a version that is not recorded" : made_by);
  if (of_run) {
    text += fmt::format("To be computed again: trajectories {} to {}, from {}\n", after + 1, last,
                        state.empty() ? "the start" : state.string());
  } else {
    text += fmt::format("To be measured again: {}\n", plural(last, "file"));
  }
  text += seconds ? fmt::format("They took {} then.\n", duration_text(*seconds))
                  : "How long it takes is not recorded; `trellis plan` predicts it.\n";
  text += "To be compared:\n";
  for (const auto& one : files) text += fmt::format("  {}\n", one.file.string());
  if (const auto kept = kept_propagators(input); !kept.empty())
    text += fmt::format("note: propagators are computed again, not read from {}\n", kept);
  for (const auto& note : notes) text += "note: " + note + "\n";
  return text;
}

std::string reproducing_input(const Reproduction& plan, const fs::path& folder) {
  auto input = plan.input;
  std::erase_if(input, [](const TomlEntry& entry) { return entry.key == "machine" || entry.key == "output"; });
  const auto text = [](const std::string& value) { return TomlValue{value, {}}; };
  set_key(input, "output", "directory", text(folder.string()));
  set_key(input, "output", "name", text(repetition));
  if (!kept_propagators(input).empty()) keep_propagators_in(folder / "propagators", input);
  if (!plan.of_run) return write_toml(input);
  for (const auto* key : {"stop_file", "stop_when", "time_budget_minutes"}) set_key(input, "chain", key, std::nullopt);
  // Configurations that are not compared would only fill the temporary folder.
  if (std::none_of(plan.files.begin(), plan.files.end(),
                   [](const ReproducedFile& one) { return one.kind == Kind::links; }))
    set_key(input, "chain", "save_every", std::nullopt);
  set_key(input, "chain", "checkpoint_every", TomlValue{std::max<std::int64_t>(plan.last, 1), {}});
  if (!plan.state.empty()) {
    std::erase_if(input, [](const TomlEntry& entry) { return entry.key == "start"; });
    set_key(input, "start", "kind", text("file"));
    set_key(input, "start", "file", text(plan.state.string()));
    set_key(input, "start", "trajectory", TomlValue{plan.after, {}});
  }
  return write_toml(input);
}

std::vector<FileComparison> compare(const Reproduction& plan, const fs::path& folder) {
  const RunFolder again{folder, repetition};
  std::vector<FileComparison> results;
  for (const auto& one : plan.files) {
    const auto repeated = folder / (repetition + one.ending);
    const std::string number = plan.of_run ? "trajectory" : "row";
    if (one.kind == Kind::links) {
      if (fs::exists(again.configuration(one.number)))
        results.push_back(compare_links(one.file, again.configuration(one.number), one.number));
    } else if (one.kind == Kind::checkpoint) {
      results.push_back(compare_links(one.file, again.checkpoint(), one.number));
    } else if (fs::exists(repeated)) {
      results.push_back(
          one.kind == Kind::table
              ? compare_tables(one.file, repeated, plan.after + 1, plan.last, !kept_propagators(plan.input).empty())
              : compare_arrays(one.file, repeated, number, plan.after + 1, plan.last));
    }
  }
  return results;
}

}  // namespace trellis::app
