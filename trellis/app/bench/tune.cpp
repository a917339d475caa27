// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis tune: finds the fastest settings of kernels on this machine, those that an input needs or others, and lists
// them; chooses the algorithm of a run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "trellis/app/bench/dslash_options.hpp"
#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/measure/measure_files.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/tune/choose_algorithm.hpp"
#include "trellis/app/tune/chosen_input.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/tuning/processor.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

using tuning::TuningEntry;

struct TuneOptions {
  std::vector<std::string> lattices, kernels{"wilson"}, precisions{"double"}, quark_links{"su3"};
  std::vector<int> links{12}, right_hand_sides{1};
  int lanes = 0, threads = 0;
  // How long a search on a GPU spends on its candidates: 3 s at 32^4.
  double seconds = fields_on_host ? 0.15 : 0.02, budget = fields_on_host ? 60 : 9;
  bool list = false, clear = false, json = false, verbose = false;
  std::string input, only, output = "tuned.toml";
  std::vector<std::string> given;  // flags on the command line
};

std::string stores_text(dirac::Stores stores) {
  return stores == dirac::Stores::by_size ? "by size" : stores == dirac::Stores::cached ? "cached" : "streaming";
}

// Zeros mean that the lattice chooses.
std::string shape_text(const LatticeShape& shape) {
  const auto grid = shape.lane_grid == Coordinate{} ? "chosen" : to_string(shape.lane_grid);
  const auto column = shape.column == std::array<int, 2>{} ? "chosen" : joined(shape.column, "x");
  const auto brick = shape.brick == Coordinate{} ? "chosen" : to_string(shape.brick);
  return fmt::format("{:<8} {:<7} {:<8}", grid, column, brick);
}

std::string settings_text(const tuning::TuningCase& what, const tuning::KernelTuning& how) {
  const auto& ahead = how.settings.distances(what.vectors);
  if (!tuning::has_hops(what)) return fmt::format("{} {:<8} {:<9} {:>7}", shape_text(how.shape), "-", "-", how.threads);
  const auto distances = fields_on_host ? fmt::format("{}/{}/{}", ahead.links, ahead.vectors, ahead.fresh)
                         : how.settings.block_threads == 0 ? std::string("chosen")
                                                           : std::to_string(how.settings.block_threads);
  return fmt::format("{} {:<8} {:<9} {:>7}", shape_text(how.shape), distances, stores_text(how.settings.stores),
                     how.threads);
}

std::string name_of_kernel(tuning::TunedKernel kernel) { return std::string(name_in(tuning::tuned_kernels, kernel)); }
// "staggered, long"
std::string name_of_kernel(const tuning::TuningCase& what) {
  auto name = name_of_kernel(what.kernel);
  if (what.quark_links != dirac::LinkKind::su3)
    name += fmt::format(", {}", name_in(tuning::quark_link_names, what.quark_links));
  return name;
}

// Reals of a link: of one step, and of three.
std::string reals_text(const tuning::TuningCase& what) {
  if (what.quark_links == dirac::LinkKind::su3) return std::to_string(int(what.links));
  return what.quark_links == dirac::LinkKind::fat || !tuning::has_hops(what) ? "18" : "18+14";
}

std::string heading() {
  return fmt::format(
      "{:<25} {:<12} {:<9} {:>5} {:>5} {:>4} {:>7}   {:<8} {:<7} {:<8} {:<8} {:<9} {:>7} {:>9} {:>6}  {}\n", "kernel",
      "lattice", "precision", "lanes", "links", "rhs", "threads", "nodes", "columns", "bricks",
      fields_on_host ? "ahead" : "blocks", "stores", "used", "ms", "gain", "date");
}

std::string line(const TuningEntry& entry) {
  const auto& what = entry.what;
  return fmt::format("{:<25} {:<12} {:<9} {:>5} {:>5} {:>4} {:>7}   {} {:>9.3f} {:>5.0f}%  {}\n", name_of_kernel(what),
                     to_string(what.size), name_of(what.precision), what.lanes, reals_text(what), what.vectors,
                     what.threads, settings_text(what, entry.how), entry.how.seconds * 1e3,
                     100 * (entry.how.untuned_seconds / entry.how.seconds - 1), entry.date);
}

nlohmann::ordered_json entry_to_json(const TuningEntry& entry) {
  const auto& [machine, what, how, date] = entry;
  const auto& ahead = how.settings.distances(what.vectors);
  return {{"machine", machine},
          {"this_machine", machine == tuning::machine_identity()},
          {"kernel", name_of_kernel(what.kernel)},
          {"quark_links", std::string(name_in(tuning::quark_link_names, what.quark_links))},
          {"lattice", to_string(what.size)},
          {"precision", name_of(what.precision)},
          {"lanes", what.lanes},
          {"links", int(what.links)},
          {"rhs", what.vectors},
          {"threads", what.threads},
          {"cut", what.cut},
          {"virtual_nodes", how.shape.lane_grid},
          {"columns", how.shape.column},
          {"bricks", how.shape.brick},
          {"ahead", {{"links", ahead.links}, {"vectors", ahead.vectors}, {"fresh", ahead.fresh}}},
          {"stores", stores_text(how.settings.stores)},
          {"block_threads", how.settings.block_threads},
          {"threads_used", how.threads},
          {"seconds", how.seconds},
          {"untuned_seconds", how.untuned_seconds},
          {"date", date}};
}

// This machine's entries first.
int list(const tuning::TuningCache& cache, bool json) {
  const auto entries = cache.entries();
  if (json) {
    auto out = nlohmann::ordered_json::array();
    for (const auto& entry : entries) out.push_back(entry_to_json(entry));
    fmt::print("{}\n", out.dump(2));
    return 0;
  }
  fmt::print("{}: {}\n", cache.file().string(), plural(std::int64_t(entries.size()), "entry"));
  std::vector<std::string> machines{tuning::machine_identity()};
  for (const auto& entry : entries)
    if (std::find(machines.begin(), machines.end(), entry.machine) == machines.end()) machines.push_back(entry.machine);
  for (const auto& machine : machines) {
    bool first = true;
    for (const auto& entry : entries) {
      if (entry.machine != machine) continue;
      if (first)
        fmt::print("\n{}: {}\n{}", machine == machines[0] ? "This machine" : "Another machine, not used here", machine,
                   heading());
      first = false;
      fmt::print("{}", line(entry));
    }
  }
  return 0;
}

tuning::TuningCase checked_case(const TuneOptions& options, const std::string& lattice, tuning::TunedKernel kernel,
                                Precision precision, int reals, int vectors, dirac::LinkKind quark_links) {
  using tuning::TunedKernel, dirac::LinkKind;
  require_range("tune", "rhs", vectors, 1, 64);
  tuning::TuningCase what{.kernel = kernel, .size = parse_size(lattice, "--lattice"), .precision = precision};
  what.links = parse_links("tune", reals);
  what.vectors = vectors;
  what.threads = kernels_on_host ? concurrency() : 1;
  what.lanes = options.lanes > 0 ? options.lanes : tuning::best_lanes(what.size, precision, vectors);
  tuning::with_precision(precision, [&]<class T>() { require_lanes<arithmetic_t<T>>(what.lanes); });
  const double packed = kernel == TunedKernel::wilson ? 8.0 * reals : tuning::has_hops(what) ? 96 : 32;
  require_memory("tune: --lattice", what.size,
                 72.0 * arithmetic_bytes(precision) +
                     packed * (precision == Precision::fixed16 ? 2 : arithmetic_bytes(precision)));
  const Lattice valid(what.size, what.lanes);
  what.quark_links = quark_links;
  if (kernel == TunedKernel::wilson) {
    if (quark_links != LinkKind::su3)
      fail_input("tune: --quark-links is for staggered quarks only; Wilson quarks have links in SU(3)");
    if (precision == Precision::fixed16 && what.links == dirac::LinkFormat::minimal)
      fail_input("tune: links of 8 reals are singular in 16-bit precision; use 18 or 12");
    return what;
  }
  if (std::ranges::count(options.given, "--links") > 0 &&
      std::ranges::count(options.kernels, name_of_kernel(TunedKernel::wilson)) == 0)
    fail_input("tune: --links is for the Wilson operator only");
  what.links = dirac::LinkFormat::two_rows;
  if (kernel == TunedKernel::staggered) return what;
  if (vectors != 1) fail_input("tune: --rhs is for the operators of quarks only, not for {}", name_of_kernel(kernel));
  if (precision == Precision::fixed16) fail_input("tune: there are no forces in 16 bits");
  if (!tuning::has_hops(what)) what.links = dirac::LinkFormat::full;
  return what;
}

std::vector<tuning::TuningCase> cases(const TuneOptions& options) {
  std::vector<tuning::TuningCase> all;
  for (const auto& text : options.lattices)
    for (const auto& kernel : options.kernels)
      for (const auto& word : options.precisions)
        for (const int reals : options.links)
          for (const int vectors : options.right_hand_sides)
            for (const auto& kind : options.quark_links)
              all.push_back(checked_case(options, text, option_named("--kernel", tuning::tuned_kernels, kernel).value,
                                         parse_precision("tune", word), reals, vectors,
                                         option_named("--quark-links", tuning::quark_link_names, kind).value));
  return all;
}

void require_valid(const TuneOptions& options) {
  require_range("tune", "lanes", options.lanes, 0, 64);
  require_thread_count("tune", options.threads);
  require_range("tune", "seconds", options.seconds, 1e-9, 3600);
  require_range("tune", "budget", options.budget, 0, 1e6);
  const bool has_input = !options.input.empty();
  if (int(options.list) + int(options.clear) + int(!options.lattices.empty()) + int(has_input) != 1)
    fail_input(
        "tune: give the INPUT of a run or a measurement whose kernels to tune, or a --lattice to tune for, or --list, "
        "or --clear: one of these");
  if (options.json && !options.list) fail_input("tune: --json goes with --list");
  if (!options.only.empty() && !has_input) fail_input("tune: --only goes with an INPUT");
  if (!options.only.empty() && options.only != "kernels" && options.only != "algorithm")
    fail_input("tune: --only: found '{}', expected kernels or algorithm", options.only);
  const auto given = [&](const char* flag) { return std::ranges::find(options.given, flag) != options.given.end(); };
  const bool chooses = has_input && options.only != "kernels";
  if (given("--output") && !chooses) fail_input("tune: --output goes with an INPUT whose algorithm is chosen");
  if (chooses) require_output_file("tune: --output", options.output);
  for (const char* flag : {"--seconds", "--budget", "--verbose"})
    if (given(flag) && (options.list || options.clear || options.only == "algorithm"))
      fail_input("tune: {} is for kernels that are timed", flag);
  for (const char* flag : {"--kernel", "--precision", "--links", "--quark-links", "--rhs", "--lanes", "--threads"})
    if (given(flag) && options.lattices.empty())
      fail_input("tune: {} goes with --lattice{}", flag, has_input ? "; an INPUT says itself what it needs" : "");
}

// Prints what was tried, and writes the input with the best of it.
int choose(const TuneOptions& options, const RunInput& input) {
  const auto console = standard_console();
  ChosenAlgorithm chosen;
  try {
    chosen = choose_algorithm(input, [&](const std::string& text) { console.write(text + "\n"); });
  } catch (const ChoiceStopped& stopped) {
    console.write(fmt::format("{}\n", stopped.what()));
    return stopped.exit_code();
  }
  const auto& best = chosen.result.best;
  if (chosen.result.out_of_budget) console.write("The budget ended before the search did.\n");
  if (!chosen.better) {
    console.write("Nothing is better than the levels of the input by more than 5 %: keep it.\n");
    return 0;
  }
  console.write(fmt::format("Best: {}\n", describe(best.parameters)));
  if (!input.algorithm.automatic)
    console.write(
        fmt::format("An accepted unit of molecular dynamics time takes {:.3g} s, with the input {:.3g} s, by "
                    "all that was measured.\n",
                    best.cost(), chosen.given.cost()));
  const auto text = write_toml(with_own_results(chosen.input, options.output));
  io::on_first_rank(job(), "write the input", [&] { write_text_file(options.output, text); });
  console.write(fmt::format("Written: {}, an input of `trellis run`, whose results will be in {}\n", options.output,
                            parse_run_input(text, options.output).output.directory.string()));
  return 0;
}

// All ranks time each case at once, as they will run at once; what the first rank finds is kept for all.
void tune_all(const TuneOptions& options, const std::vector<tuning::TuningCase>& all) {
  const tuning::TuningCache cache;
  bool first = true;
  for (const auto& what : all) {
    const auto how = tuning::tune(what, {options.seconds, options.budget}, [&](const tuning::TuningStep& step) {
      if (options.verbose)
        fmt::print("  {:<16} {}  {:5.3f} of the best{}\n", step.coordinate, settings_text(what, step.candidate),
                   step.ratio, step.accepted ? ": taken" : "");
    });
    io::on_first_rank(job(), "save a tuning", [&] { cache.store(what, how); });
    if (first || options.verbose) fmt::print("{}", heading());
    first = false;
    fmt::print("{}", line({{}, what, how, "now"}));
    std::fflush(stdout);
  }
}

// Says which kernels the input needs, and tunes them.
void tune_for(const TuneOptions& options, const std::vector<tuning::TuningCase>& all) {
  if (all.empty()) fmt::print("{}: none of its kernels can be tuned\n", options.input);
  for (const auto& what : all) fmt::print("{} needs {}\n", options.input, describe(what));
  std::fflush(stdout);
  tune_all(options, all);
}

int use_threads(const MachineInput& machine) {
  if (machine.threads > 0) set_thread_count(static_cast<int>(machine.threads));
  return concurrency();
}

int tune_measurement(const TuneOptions& options) {
  if (options.only == "algorithm")
    fail_input("tune: {} is an input of `trellis measure`, which has no algorithm to choose", options.input);
  const auto input = read_shared_measure_input(options.input);
  require_devices();
  const int threads = use_threads(input.machine);
  std::vector<tuning::TuningCase> all;
  for (const auto& size : sizes_of(input)) {
    const auto grid = job_grid(size, input.machine, gauge::longest_hop(input.quarks.smearing));
    for (const auto& what :
         different_cases(kernels_of(input, size, grid, lanes_for(grid, size, input.machine), threads)))
      all.push_back(what);
  }
  tune_for(options, all);
  return 0;
}

int tune_run(const TuneOptions& options) {
  const auto input = read_shared_run_input(options.input);
  const bool is_heatbath = input.algorithm.kind == AlgorithmKind::heatbath;
  const bool chooses = options.only == "algorithm" || (options.only.empty() && !is_heatbath);
  if (chooses)
    io::on_first_rank(job(), "look at the output", [&] {
      if (std::filesystem::exists(options.output))
        fail_input("--output: {} exists already; remove it or give another name", options.output);
    });
  require_devices();
  auto counted = input;
  counted.algorithm.automatic = chooses && !is_heatbath;  // the memory of the choice, too
  require_memory(counted);
  if (options.only != "algorithm") {
    const int threads = use_threads(input.machine);
    const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
    tune_for(options, different_cases(kernels_of(input, grid, lanes_for(grid, input.size, input.machine), threads)));
  }
  return chooses ? choose(options, input) : 0;
}

int run(const TuneOptions& options) {
  require_valid(options);
  if (!options.input.empty())
    return is_measure_input(read_shared_text(options.input), options.input) ? tune_measurement(options)
                                                                            : tune_run(options);
  const tuning::TuningCache cache;
  if (options.list) return list(cache, options.json);
  require_devices();
  if (options.clear) {
    const int count = io::from_first_rank(job(), "clear the tunings", [&] { return cache.clear(); });
    fmt::print("{}: {} forgotten\n", cache.file().string(), plural(count, "entry"));
    return 0;
  }
  if (options.threads > 0) set_thread_count(options.threads);
  tune_all(options, cases(options));
  return 0;
}

}  // namespace

void add_tune(const Command& program, Action& action) {
  auto options = std::make_shared<TuneOptions>();
  const auto command = program.add_subcommand("tune",
                                              "Find the fastest settings of kernels on this machine, those that an "
                                              "input needs or others, and save them for later runs; results stay the "
                                              "same");
  command.add_option("INPUT", options->input,
                     "an input of `trellis run` or `measure`: tune the kernels that it needs; for a run, also choose "
                     "the levels, integrators, steps and splitting masses with which an accepted trajectory costs "
                     "least");
  command.add_option("--only", options->only, "for INPUT: only its kernels, or only the algorithm")
      .option_text("kernels|algorithm");
  command.add_option("--output", options->output, "for INPUT: the file to write, the input with what was chosen")
      .capture_default_str();
  command.add_option("--lattice", options->lattices, "sizes x,y,z,t, separated by spaces").delimiter(' ');
  command
      .add_option("--kernel", options->kernels,
                  "for --lattice: wilson, staggered, \"plaquette force\", \"rectangle force\", \"parallelogram "
                  "force\", dynamics (operators and force of a trajectory with staggered quarks)")
      .capture_default_str();
  command.add_option("--precision", options->precisions, "double, single, 16-bit").capture_default_str();
  command.add_option("--links", options->links, "reals per link: 18, 12, 8").capture_default_str();
  command
      .add_option(
          "--quark-links", options->quark_links,
          "what staggered quarks see: su3, fat (one step), long (fat ones, and long ones for three steps: HISQ, "
          "Asqtad)")
      .capture_default_str();
  command.add_option("--rhs", options->right_hand_sides, "right-hand sides").capture_default_str();
  command.add_option("--lanes", options->lanes, "SIMD lanes; 0: the widest that fit").capture_default_str();
  command.add_option("--threads", options->threads, "threads; 0: all available").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each candidate").capture_default_str();
  command.add_option("--budget", options->budget, "seconds to spend on each case").capture_default_str();
  command.add_flag("--verbose", options->verbose, "print each candidate");
  command.add_flag("--list", options->list, "list what was found");
  command.add_flag("--json", options->json, "with --list: as JSON");
  command.add_flag("--clear", options->clear, "forget all that was found");
  command.footer(
      "The results are kept in $TRELLIS_TUNING_CACHE, or $XDG_CACHE_HOME/trellis/tuning.json, or "
      "~/.cache/trellis/tuning.json.\n"
      "Example: trellis tune --lattice 16,16,16,16 --precision single --links 12");
  command.callback([options, command, &action] {
    options->given = command.given();
    keep_each_once(options->lattices, options->kernels, options->precisions, options->links, options->quark_links,
                   options->right_hand_sides);
    action = [options] { return run(*options); };
  });
}

}  // namespace trellis::app
