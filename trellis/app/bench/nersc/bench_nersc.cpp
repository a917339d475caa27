// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench nersc: the RHMC benchmark of the MILC code at NERSC, from a start that it makes itself.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

#include "trellis/app/bench/nersc/nersc_input.hpp"
#include "trellis/app/bench/nersc/nersc_report.hpp"
#include "trellis/app/bench/trajectory_times.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/paths/different_files.hpp"

namespace trellis::app {
namespace {

struct NerscOptions {
  std::string size, start, first, json;
  std::optional<std::int64_t> warm, settle;
  int threads = 0;
};
constexpr int default_warm = 40, default_settle = 2;

constexpr const char* command_name = "bench nersc";
constexpr std::int64_t most_trajectories = 1000000;

void require_valid(const NerscOptions& options) {
  const auto require_count = [](const char* option, const std::optional<std::int64_t>& count) {
    if (count && (*count < 0 || *count > most_trajectories))
      fail_input("{}: {}: found {}; it must be from 0 to {}", command_name, option, *count, most_trajectories);
  };
  require_count("--warm", options.warm);
  require_count("--settle", options.settle);
  require_thread_count(command_name, options.threads);
  const auto excludes_start = [&](const char* option, bool given) {
    if (given && !options.start.empty())
      fail_input("{}: {} and --start exclude each other: a file is not thermalised", command_name, option);
  };
  excludes_start("--first", !options.first.empty());
  excludes_start("--warm", options.warm.has_value());
  excludes_start("--settle", options.settle.has_value());
  require_output_file("bench nersc: --json", options.json);
  io::require_different_files({{"--start", options.start}}, {{"--json", options.json}});
}

// On all ranks of the job, or on one; checked before work starts.
TrajectoryCase case_of(RunInput input, int ranks) {
  require_memory(input, machine_memory_limit(), ranks);
  const int longest_hop = gauge::longest_hop(input.quarks.smearing);
  const auto grid = ranks == 1 ? comm::ProcessGrid() : job_grid(input.size, input.machine, longest_hop);
  static_cast<void>(lanes_for(grid, input.size, input.machine));  // throws
  return {.strong = true, .ranks = ranks, .grid = grid.extents(), .input = std::move(input)};
}

// Prints each trajectory as soon as it is done.
auto teller(const comm::Communicator& ranks, const std::string& lattice) {
  return [is_first = ranks.is_first(), lattice](const hmc::TrajectoryRecord& record, double seconds) {
    if (!is_first) return;
    fmt::print("{}", nersc_trajectory_line(lattice, record, seconds));
    std::fflush(stdout);
  };
}

int run(const NerscOptions& options) {
  require_valid(options);
  const auto ranks = job();
  NerscRun result{.which = nersc_case(options.size)};
  const auto& size = result.which.size;
  const auto first = nersc_first_lattice(size, options.first);
  const int warm = int(options.warm.value_or(default_warm)), settle = int(options.settle.value_or(default_settle));
  const bool from_file = !options.start.empty(), repeated = !from_file && first != size && warm > 0;
  if (options.settle && !repeated)
    fail_input("{}: --settle: there are no copies to settle: {}", command_name,
               warm == 0 ? "with --warm 0 all links are unit links"
                         : fmt::format("lattice {} is thermalised itself", to_string(size)));
  const auto start = from_file ? std::optional<std::filesystem::path>(options.start) : std::nullopt;
  const int warm_up = repeated ? settle : from_file ? 0 : warm;
  require_devices();
  const auto whole = case_of(nersc_input(size, start, warm_up), ranks.size());
  std::optional<TrajectoryCase> small;
  if (repeated) small = case_of(nersc_input(first, {}, warm), 1);
  if (from_file) static_cast<void>(io::GaugeReader(options.start, {.size = size}, ranks));  // throws
  result.input = whole.input;
  const auto cold = fmt::format("{} from unit links", plural(warm, "trajectory"));
  result.start = from_file ? fmt::format("the links of {}", options.start)
                 : repeated
                     ? fmt::format("{} on {}, repeated until they fill the lattice, then {} of the whole lattice", cold,
                                   to_string(first), plural(settle, "trajectory"))
                     : cold;
  if (ranks.is_first()) fmt::print("{}", nersc_introduction(result));

  TimedWork work{.warm_up = warm_up,
                 .trajectories = int(whole.input.chain.trajectories - whole.input.chain.thermalisation),
                 .threads = options.threads,
                 .measure_quarks = true,
                 .tell = teller(ranks, to_string(size))};
  if (small) {
    auto thermalised = time_trajectories(ranks, *small,
                                         {.warm_up = 0,
                                          .trajectories = warm,
                                          .threads = options.threads,
                                          .keep_links = true,
                                          .tell = teller(ranks, to_string(first))});
    thermalised.links.size = first;
    broadcast(ranks, thermalised.links);
    work.start = std::move(thermalised.links);
  }
  result.figure = time_trajectories(ranks, whole, work);
  if (!ranks.is_first()) return 0;
  fmt::print("{}", nersc_text(result));
  if (!options.json.empty()) write_text_file(options.json, to_json(result).dump(2) + "\n");
  return 0;
}

}  // namespace

void add_bench_nersc(const Command& bench, Action& action) {
  auto options = std::make_shared<NerscOptions>();
  const auto command = bench.add_subcommand(
      "nersc",
      "The RHMC benchmark of MILC's users: two trajectories with 2+1+1 flavours of HISQ quarks, then condensates, with "
      "what takes the time and the published times");
  command
      .add_option("--size", options->size,
                  "small (18x18x18x36), medium (36x36x36x72), large (72x72x72x144), or another lattice X,Y,Z,T")
      .required();
  command.add_option("--start", options->start, "a configuration; default: one that is thermalised here");
  command.add_option("--warm", options->warm,
                     fmt::format("trajectories from unit links, of the lattice --first; default: {}", default_warm));
  command.add_option("--first", options->first,
                     "X,Y,Z,T: the lattice that is thermalised; default: the small one if it divides this one, "
                     "otherwise this one itself");
  command.add_option(
      "--settle", options->settle,
      fmt::format("trajectories of a lattice filled with copies of the first one; default: {}", default_settle));
  command.add_option("--threads", options->threads, "threads per rank; 0: as `trellis run` would choose")
      .capture_default_str();
  command.add_option("--json", options->json, "a file for all numbers");
  command.footer("Example: trellis bench nersc --size small --json nersc.json");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
