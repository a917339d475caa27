// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/repair_folder.hpp"

#include <algorithm>
#include <tuple>

#include "trellis/app/command.hpp"
#include "trellis/app/flow_file.hpp"
#include "trellis/app/folder_lock.hpp"
#include "trellis/app/hadron_file.hpp"
#include "trellis/app/measure_files.hpp"
#include "trellis/app/plural.hpp"
#include "trellis/app/results_look.hpp"
#include "trellis/app/same_physics.hpp"
#include "trellis/app/toml_reader.hpp"
#include "trellis/app/trajectory_table.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// From which a run can go on.
struct State {
  fs::path file;
  SavedChain chain;
  bool is_checkpoint = false;
  std::size_t place = 0;  // in the order in which they were found
};

std::vector<fs::path> files_ending(const fs::path& directory, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string find_name(const RepairOptions& options) {
  if (!fs::is_directory(options.directory)) fail_input("{}: is not a folder", options.directory.string());
  if (!options.name.empty()) return options.name;
  const std::string ending = ".resolved.toml";
  const auto inputs = files_ending(options.directory, ending);
  if (inputs.empty())
    fail_input("{}: there is no NAME{} of a run or a measurement; say --name NAME and --input INPUT",
               options.directory.string(), ending);
  std::vector<std::string> names;
  for (const auto& file : inputs) {
    const auto name = file.filename().string();
    names.push_back(name.substr(0, name.size() - ending.size()));
  }
  if (names.size() > 1)
    fail_input("{}: holds several runs, {} and {} among them; say which with --name", options.directory.string(),
               names[0], names[1]);
  return names[0];
}

class Repair {
 public:
  Repair(const RepairOptions& options, const Console& console)
      : options_(options), console_(console), folder_{options.directory, find_name(options)} {}

  int operator()() {
    const FolderLock lock(folder_.lock());
    const auto file = options_.input.empty() ? folder_.input() : options_.input;
    std::optional<MeasureInput> measured;
    std::optional<RunInput> run;
    try {
      if (options_.input.empty() && !resolved_input_is_whole(folder_))
        fail_input("{}: is damaged, or was edited", file.string());
      if (Table::open(file).has("configurations"))
        measured = read_measure_input(file);
      else
        run = read_run_input(file);
    } catch (const InputError& error) {
      fail_input("{}{}", error.what(),
                 options_.input.empty() ? "; say --input INPUT with the input that it was started with" : "");
    }
    return measured ? repair_measurements(*measured) : repair_run(*run);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) const {
    console_.write(fmt::format(format, std::forward<Args>(args)...) + "\n");
  }

  // A file in one line.
  void report(const fs::path& file, const std::string& problem) const {
    const auto prefix = file.string() + ": ";
    const auto at = problem.find(prefix) == 0 ? prefix.size() : 0;
    say("  {:<32} {}", file.filename().string(), problem.empty() ? "whole" : problem.substr(at));
  }

  // Checkpoints and configurations of this chain, newest first. Damaged checkpoints are in damaged_.
  void find_states(const RunInput& input) {
    const auto physics = physics_of(input.resolved);
    for (const auto& file : {folder_.checkpoint(), folder_.previous_checkpoint(), folder_.unused_checkpoint()}) {
      if (!fs::exists(file)) continue;
      look_at_state(file, [&] {
        State state{.file = file, .chain = read_saved_chain(file), .is_checkpoint = true};
        require_same_physics(state.chain.physics, physics, file);
        return state;
      });
    }
    for (const auto& file : files_ending(folder_.directory, ".ildg")) {
      const auto name = file.filename().string();
      const auto number = std::strtoll(name.c_str() + std::min(name.size(), folder_.name.size() + 1), nullptr, 10);
      if (number <= 0 || file != folder_.configuration(number)) continue;
      look_at_state(file, [&] {
        State state{.file = file, .chain = {.completed = static_cast<std::uint32_t>(number)}};
        state.chain.physics = parse_toml(io::read_input_text(file), file.string() + " (trellis-input)");
        require_same_physics(state.chain.physics, physics, file);
        return state;
      });
    }
    std::sort(states_.begin(), states_.end(), [](const State& a, const State& b) {
      return std::tie(b.chain.completed, a.place) < std::tie(a.chain.completed, b.place);
    });
  }

  template <class F>
  void look_at_state(const fs::path& file, const F& read) {
    std::string problem;
    try {
      auto state = read();
      state.place = states_.size();
      const auto found = io::inspect(file);
      if (!found.sound()) fail("{}: {}", file.string(), found.problems[0]);
      if (state.is_checkpoint || found.info.precision == io::Precision::double_) states_.push_back(state);
    } catch (const Error& error) {
      problem = error.what();
      if (file.extension() == ".checkpoint") damaged_.push_back(file);
    }
    report(file, problem);
  }

  void look_at(std::vector<ResultLook> looks) {
    looks_ = std::move(looks);
    whole_to_ = looks_[0].whole_to;
    for (const auto& look : looks_) {
      report(look.file, look.problem);
      whole_to_ = std::min(whole_to_, look.whole_to);
      if (!look.problem.empty()) damaged_.push_back(look.file);
    }
  }

  int repair_run(RunInput input) {
    input.output.directory = folder_.directory;
    say("{}:", folder_.directory.string());
    find_states(input);
    std::vector<SavedChain> checkpoints;
    for (const auto& state : states_)
      if (state.is_checkpoint) checkpoints.push_back(state.chain);
    look_at(look_at_run(input, folder_, checkpoints));
    const std::int64_t first = input.start.trajectory;
    const auto newest = states_.empty() ? first : std::int64_t{states_[0].chain.completed};
    const bool last_is_there = !states_.empty() && states_[0].file == folder_.checkpoint();
    if (damaged_.empty() && last_is_there && whole_to_ >= newest) {
      say("All is whole: `trellis run` goes on after trajectory {}.", newest);
      return 0;
    }
    const State* state = nullptr;
    for (const auto& s : states_) {
      if (!options_.accept_loss && s.chain.completed > whole_to_) continue;
      state = &s;
      break;
    }
    const auto to = state == nullptr ? first : std::int64_t{state->chain.completed};
    say_plan(state, to, newest);
    if (options_.dry_run) return 0;
    make_room();
    if (state == nullptr) {
      start_anew();
    } else {
      SavedChain chain = state->chain;
      if (!state->is_checkpoint) chain.statistics = statistics_of(input, to);
      const auto links = io::load_links(state->file);
      chain.results = go_back(to, &input, nullptr);
      save_chain(folder_.checkpoint(), links.info.size, io::source_of(links.links), chain);
      for (const auto& file : {folder_.previous_checkpoint(), folder_.unused_checkpoint()}) fs::remove(file);
    }
    say("Done. The command that started the run goes on from here.");
    return 0;
  }

  void say_plan(const State* state, std::int64_t to, std::int64_t newest) const {
    if (state == nullptr)
      say("No state that is whole is left: the run starts anew, with the same bits.");
    else if (to < newest)
      say("The run goes back to trajectory {}, that of {}; {} will be done again, with the same bits.", to,
          state->file.filename().string(),
          newest - to == 1 ? "1 trajectory" : fmt::format("{} trajectories", newest - to));
    else
      say("The run goes on after trajectory {}, that of {}.", to, state->file.filename().string());
    if (options_.accept_loss && whole_to_ < to) {
      say("Rows that are lost stay lost (--accept-loss).");
    } else if (to < newest) {
      say("(--accept-loss goes on after trajectory {} instead, without the rows that are lost.)", newest);
    }
  }

  int repair_measurements(MeasureInput input) {
    input.output.directory = folder_.directory;
    say("{}:", folder_.directory.string());
    look_at(look_at_measurements(input, folder_, size_of_files(input)));
    const auto rows = std::max<std::int64_t>(looks_[0].whole_to, whole_to_);
    if (damaged_.empty() && whole_to_ >= rows) {
      say("All is whole: `trellis measure` goes on after row {}.", rows);
      return 0;
    }
    say("Rows are kept up to row {}; `trellis measure` measures the other files again.", whole_to_);
    if (options_.dry_run) return 0;
    make_room();
    go_back(whole_to_, nullptr, &input);
    say("Done. The command that measured goes on from here.");
    return 0;
  }

  // Correlators of hadrons need a lattice size; all files have one then.
  std::array<int, 4> size_of_files(const MeasureInput& input) const {
    if (!input.measure.hadrons) return {};
    return io::GaugeReader(expand_files(input.files).at(0), {.size = input.size}).info().size;
  }

  // The folder that takes what is replaced.
  void make_room() {
    for (int n = 1;; ++n) {
      aside_ = folder_.directory / fmt::format("set-aside-{}", n);
      if (!fs::exists(aside_)) break;
    }
    make_folder(aside_);
    auto files = damaged_;
    for (const auto& look : looks_) files.push_back(look.file);
    for (const auto& file : {folder_.checkpoint(), folder_.previous_checkpoint(), folder_.unused_checkpoint()})
      files.push_back(file);
    for (const auto& file : files)
      if (fs::is_regular_file(file))
        fs::copy_file(file, aside_ / file.filename(), fs::copy_options::overwrite_existing);
    say("What is there now is kept in {}.", aside_.string());
  }

  void start_anew() {
    // The checkpoints last: without them the tables would be those of a run that lost its checkpoint.
    for (const auto& look : looks_) fs::remove(look.file);
    for (const auto& file : {folder_.previous_checkpoint(), folder_.unused_checkpoint(), folder_.checkpoint()})
      fs::remove(file);
  }

  // Rows that are whole and numbered up to `last`.
  SavedResults go_back(std::int64_t last, const RunInput* run, const MeasureInput* measure) const {
    SavedResults saved;
    for (const auto& look : looks_) {
      if (!look.columns.empty()) {
        std::vector<std::string> rows;
        for (const auto* part : {&look.remains.rows, &look.remains.later})
          for (const auto& row : *part)
            if (number_of(row) <= last && (part == &look.remains.rows || options_.accept_loss)) rows.push_back(row);
        saved.emplace(look.name, io::write_csv(look.file, look.columns, rows));
        continue;
      }
      if (!look.problem.empty()) fs::remove(look.file);
      const std::string number = run != nullptr ? "trajectory" : "row";
      const auto& section = run != nullptr ? run->measure : measure->measure;
      const auto& quarks = run != nullptr ? run->quarks : measure->quarks;
      const auto keep = [&](auto file) {
        file.drop_after(last);
        file.write();
        saved.emplace(look.name, file.rows());
      };
      if (look.name == "flow")
        keep(FlowFile(look.file, number, flow_parameters(*section.flow)));
      else
        keep(HadronFile(look.file, number, *columns_of(section, quarks).hadrons,
                        run != nullptr ? run->size : size_of_files(*measure)));
    }
    return saved;
  }

  // From the table, whose numbers have all their digits.
  hmc::ChainStatistics statistics_of(const RunInput& input, std::int64_t last) const {
    const auto& table = looks_[0];
    const auto place = [&](const char* column) {
      return std::find(table.columns.begin(), table.columns.end(), column) - table.columns.begin();
    };
    const bool is_hmc = input.algorithm.kind == AlgorithmKind::hmc;
    hmc::ChainStatistics statistics;
    for (const auto& row : table.remains.rows) {
      const auto number = number_of(row);
      if (number <= input.chain.thermalisation || number > last) continue;
      hmc::TrajectoryRecord record;
      if (is_hmc) {
        record.dH = real_in(row, place("dH"));
        record.exp_minus_dH = real_in(row, place("exp_minus_dH"));
        record.accepted = real_in(row, place("accepted")) != 0;
      }
      statistics.add(record);
    }
    return statistics;
  }

  static double real_in(const std::string& row, std::ptrdiff_t column) {
    std::size_t begin = 0;
    for (; column > 0; --column) begin = row.find(',', begin) + 1;
    return std::strtod(row.c_str() + begin, nullptr);
  }

  RepairOptions options_;
  Console console_;
  RunFolder folder_;
  std::vector<State> states_;
  std::vector<ResultLook> looks_;
  std::vector<fs::path> damaged_;
  std::int64_t whole_to_ = 0;
  fs::path aside_;
};

}  // namespace

int repair_folder(const RepairOptions& options, const Console& console) { return Repair(options, console)(); }

}  // namespace trellis::app
