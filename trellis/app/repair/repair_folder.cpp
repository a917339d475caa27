// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/repair/repair_folder.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "trellis/app/command.hpp"
#include "trellis/app/input/read_options.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/input/toml_reader.hpp"
#include "trellis/app/measure/measure_files.hpp"
#include "trellis/app/origin/configuration_origin.hpp"
#include "trellis/app/repair/results_look.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/folder_lock.hpp"
#include "trellis/app/results/hadron_file.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/tempering/replica_files.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// A state from which a run can continue.
struct State {
  fs::path file;
  SavedChain chain;
  bool is_checkpoint = false;
  std::optional<double> plaquette = {};  // for configurations
  std::size_t place = 0;                 // in the order of discovery
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
  const auto names = run_names(options.directory);
  if (names.empty())
    fail_input("{}: there is no NAME.resolved.toml of a run or a measurement; say --name NAME and --input INPUT",
               options.directory.string());
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
    std::optional<FolderLock> lock;
    if (!options_.dry_run) lock.emplace(folder_.lock());
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
                 options_.input.empty() ? "; add --input INPUT with the input that it was started with" : "");
    }
    refuse_other_input(measured.has_value());
    return measured ? repair_measurements(*measured) : repair_run(*run);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) const {
    console_.write(fmt::format(format, std::forward<Args>(args)...) + "\n");
  }

  // With an input of the other kind nothing would seem intact.
  void refuse_other_input(bool of_measurements) const {
    std::string header;
    auto table = input_stream(folder_.table());
    std::getline(table, header);
    if ((of_measurements && has_checkpoint(folder_)) || header.starts_with(of_measurements ? "trajectory," : "row,"))
      fail_input("{}: holds the results of `trellis {}`, but the input is for `trellis {}`", folder_.directory.string(),
                 of_measurements ? "run" : "measure", of_measurements ? "measure" : "run");
  }

  // One line per file.
  void report(const fs::path& file, const std::string& problem) const {
    const auto prefix = file.string() + ": ";
    const auto at = problem.find(prefix) == 0 ? prefix.size() : 0;
    say("  {:<32} {}", file.filename().string(), problem.empty() ? "intact" : problem.substr(at));
  }

  // Checkpoints and configurations of this chain, newest first.
  void find_states(const RunInput& input) {
    const auto physics = physics_of(input.resolved);
    tempered_ = input.tempering.has_value();
    for (const auto& file : {folder_.checkpoint(), folder_.previous_checkpoint(), folder_.unused_checkpoint()}) {
      if (!fs::exists(file)) continue;
      look_at_state(file, [&] {
        State state{.file = file, .chain = read_saved_chain(file), .is_checkpoint = true};
        require_same_physics(state.chain.physics, physics, file);
        if (input.tempering) require_replicas(folder_, state.chain, int(input.tempering->couplings.size()));
        return state;
      });
    }
    // With tempering these have the links of only one replica.
    for (const auto& file : files_ending(folder_.directory, ".ildg")) {
      const auto name = file.filename().string();
      const auto number = std::strtoll(name.c_str() + std::min(name.size(), folder_.name.size() + 1), nullptr, 10);
      if (number <= 0 || file != folder_.configuration(number)) continue;
      look_at_state(file, [&] {
        State state{.file = file, .chain = {.completed = static_cast<std::uint32_t>(number)}};
        if (const auto made = io::read_provenance(file); !made || made->trajectory != number)
          fail("{}: is not what its name says: it was not made by trajectory {}", file.string(), number);
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
      if (found.info.plaquette) state.plaquette = found.info.plaquette->value;
      const bool is_whole = found.info.precision == Precision::double_ && !was_in_single_precision(file) && !tempered_;
      if (state.is_checkpoint || is_whole) states_.push_back(state);
    } catch (const InputError& error) {
      problem = error.what();
      if (other_input_.empty() && problem.find("the run there was made with") != std::string::npos)
        other_input_ = problem;
    } catch (const Error& error) {
      problem = error.what();
    }
    if (!problem.empty() && file.extension() == ".ildg") damaged_configurations_.push_back(file);
    report(file, problem);
  }

  void look_at(std::vector<ResultLook> looks) {
    looks_ = std::move(looks);
    whole_to_ = looks_[0].whole_to;
    for (const auto& look : looks_) {
      if (fs::exists(look.file) || !look.problem.empty()) report(look.file, look.problem);
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
    if (states_.empty() && !other_input_.empty())
      fail_input("{}. It is not the input of this run; nothing was changed", other_input_);
    const std::int64_t first = input.start.trajectory;
    const auto newest = states_.empty() ? first : std::int64_t{states_[0].chain.completed};
    const auto last =
        std::find_if(states_.begin(), states_.end(), [&](const State& s) { return s.file == folder_.checkpoint(); });
    if (damaged_.empty() && last != states_.end() && whole_to_ >= last->chain.completed) {
      say("{} `trellis run` continues after trajectory {}.",
          damaged_configurations_.empty() ? "Everything is intact:" : "Everything but the configurations is intact:",
          last->chain.completed);
      return say_configurations(last->chain.completed);
    }
    const State* state = nullptr;
    for (const auto& s : states_) {
      if (!options_.accept_loss && s.chain.completed > whole_to_) continue;
      if (!is_of_the_table(s)) {
        say("  {}: belongs to another chain than the table", s.file.filename().string());
        continue;
      }
      state = &s;
      break;
    }
    const auto to = state == nullptr ? first : std::int64_t{state->chain.completed};
    const char* bits =
        other_tuning(input, state, to)
            ? "but keys that change bits have been changed since (see the log): with the bits of the input "
              "that is used now"
            : "with the same bits";
    say_plan(state, to, newest, bits);
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
    say("Done. The command that started the run continues from here.");
    append_log(folder_.log(), fmt::format("repair: back to trajectory {}{}; the replaced files are in {}", to,
                                          options_.accept_loss ? ", without the lost rows" : "", aside_.string()));
    return say_configurations(to);
  }

  // The plaquette of a configuration is in its table row.
  bool is_of_the_table(const State& state) const {
    if (!state.plaquette || state.is_checkpoint) return true;
    const auto& table = looks_[0];
    const auto column = std::find(table.columns.begin(), table.columns.end(), "plaquette") - table.columns.begin();
    return std::all_of(table.remains.rows.begin(), table.remains.rows.end(), [&](const std::string& row) {
      return number_of(row) != state.chain.completed || std::abs(real_in(row, column) - *state.plaquette) < 1e-10;
    });
  }

  // Configurations beyond the state from which the run continues are written again.
  int say_configurations(std::int64_t last) const {
    const auto count = std::count_if(damaged_configurations_.begin(), damaged_configurations_.end(),
                                     [&](const fs::path& file) { return file <= folder_.configuration(last); });
    if (count == 0) return 0;
    say("{} damaged. To make it again, run with another output.directory, [start] kind = \"file\", the previous "
        "configuration as file and its number as trajectory.",
        count == 1 ? "1 configuration is" : fmt::format("{} configurations are", count));
    return 1;
  }

  // Whether rows that will be computed again were made with different values of keys that change bits.
  bool other_tuning(const RunInput& input, const State* state, std::int64_t to) const {
    const auto& table = looks_[0];
    const auto column = std::find(table.columns.begin(), table.columns.end(), "tuning") - table.columns.begin();
    double then = state != nullptr && state->is_checkpoint ? state->chain.tunings : 0, now = then;
    for (const auto* part : {&table.remains.rows, &table.remains.later})
      for (const auto& row : *part) {
        now = std::max(now, real_in(row, column));
        if (number_of(row) == to) then = real_in(row, column);
      }
    for (const auto& s : states_) now = std::max(now, double(s.chain.tunings));
    const bool of_input = state != nullptr && !changed_tuning(state->chain.physics, physics_of(input.resolved)).empty();
    return now > then || of_input;
  }

  void say_plan(const State* state, std::int64_t to, std::int64_t newest, const char* bits) const {
    if (state == nullptr)
      say("No intact state is left: the run starts from the beginning, {}.", bits);
    else if (to < newest)
      say("The run goes back to trajectory {}, from {}; {} will be recomputed, {}.", to,
          state->file.filename().string(),
          newest - to == 1 ? "1 trajectory" : fmt::format("{} trajectories", newest - to), bits);
    else
      say("The run continues after trajectory {}, from {}.", to, state->file.filename().string());
    if (options_.accept_loss && whole_to_ < to) {
      say("Lost rows stay lost (--accept-loss).");
    } else if (to < newest) {
      say("(--accept-loss continues after trajectory {} instead, without the lost rows.)", newest);
    }
  }

  int repair_measurements(MeasureInput input) {
    input.output.directory = folder_.directory;
    say("{}:", folder_.directory.string());
    look_at(look_at_measurements(input, folder_, size_of_files(input)));
    const auto rows = std::max<std::int64_t>(looks_[0].whole_to, whole_to_);
    if (damaged_.empty() && whole_to_ >= rows && file_ahead_of_table(looks_) == nullptr) {
      say("Everything is intact: `trellis measure` continues after row {}.", rows);
      return 0;
    }
    say("Rows are kept up to row {}; `trellis measure` measures the other files again.", whole_to_);
    if (options_.dry_run) return 0;
    make_room();
    go_back(whole_to_, nullptr, &input);
    say("Done. The command that measured continues from here.");
    return 0;
  }

  // Hadron correlators need a lattice size; all files then share one.
  Coordinate size_of_files(const MeasureInput& input) const {
    if (!input.measure.hadrons && !input.measure.staggered_hadrons) return {};
    return io::GaugeReader(expand_files(input.files).at(0), read_options(input)).info().size;
  }

  // The folder for what is replaced.
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
    say("The present files are kept in {}.", aside_.string());
  }

  void start_anew() {
    // The checkpoints last: without them the tables would look like those of a run that lost its checkpoint.
    for (const auto& look : looks_) fs::remove(look.file);
    for (const auto& file : {folder_.previous_checkpoint(), folder_.unused_checkpoint(), folder_.checkpoint()})
      fs::remove(file);
  }

  // Intact rows numbered up to `last`.
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
      const auto origin = run != nullptr ? origin_of(*run) : origin_of(*measure, common_size(*measure));
      const auto keep = [&](auto file) {
        file.drop_after(last);
        file.write(origin);
        saved.emplace(look.name, file.rows());
      };
      const auto& quarks = run != nullptr ? run->quarks : measure->quarks;
      const auto size = run != nullptr ? run->size : size_of_files(*measure);
      if (look.name == "flow")
        keep(FlowFile(look.file, number, flow_parameters(*section.flow)));
      else if (look.name == "hadron_file")
        keep(HadronFile(look.file, number, hadron_job(section)->layout(size)));
      else
        keep(HadronFile(look.file, number, staggered_hadron_job(section, quarks)->layout(size)));
    }
    return saved;
  }

  // From the table, which has all digits.
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
  bool tempered_ = false;  // the run has [tempering]
  std::vector<fs::path> damaged_configurations_;
  std::string other_input_;  // the message of a file that belongs to another input
  fs::path aside_;
};

}  // namespace

int repair_folder(const RepairOptions& options, const Console& console) { return Repair(options, console)(); }

}  // namespace trellis::app
