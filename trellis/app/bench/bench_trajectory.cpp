// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench trajectory INPUT: whole trajectories of an input on one rank and on more.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "trellis/app/bench/trajectory_options.hpp"
#include "trellis/app/bench/trajectory_report.hpp"
#include "trellis/app/bench/trajectory_times.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/io/paths/different_files.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

void print_introduction(const RunInput& input, const TrajectoryOptions& options, const TrajectoryCases& all) {
  fmt::print(
      "{}. {}.\nSeconds per trajectory: median of {} after {} to warm up, on the slowest rank; GFLOP/s and "
      "GB/s of all ranks\ntogether, as kernels declare them; iterations of conjugate gradients per trajectory; then "
      "the parts of the time, averages over ranks.\nNo measurements and no files.\n",
      tuning::runs_on(), describe(input), options.trajectories, options.warm_up);
  for (const auto& note : all.notes) fmt::print("Note: {}.\n", note);
}

// On one rank weak scaling is strong scaling, which was timed before.
const TrajectoryFigure* timed_before(const std::vector<TrajectoryFigure>& figures, const TrajectoryCase& one) {
  const auto found = std::ranges::find_if(figures, [&](const TrajectoryFigure& figure) {
    return one.ranks == 1 && figure.ranks == 1 && figure.lattice == one.input.size;
  });
  return found == figures.end() ? nullptr : &*found;
}

int run(const TrajectoryOptions& options) {
  const auto ranks = job();
  const auto input = read_shared_run_input(options.input);
  require_devices();  // before lattices, which have tables on a GPU, are made
  const auto all = trajectory_cases(options, input, ranks.size());
  require_output_file("bench trajectory: --json", options.json);
  require_output_file("bench trajectory: --svg", options.svg);
  io::require_different_files({{"INPUT", options.input}}, {{"--json", options.json}, {"--svg", options.svg}});
  if (options.threads > 0) set_thread_count(options.threads);
  if (ranks.is_first()) print_introduction(all.cases.front().input, options, all);

  std::vector<TrajectoryFigure> figures;
  std::string title;
  for (const auto& one : all.cases) {
    if (const auto* const before = timed_before(figures, one)) {
      auto same = *before;
      same.strong = one.strong;
      figures.push_back(std::move(same));
    } else {
      figures.push_back(time_trajectories(
          ranks, one, {.warm_up = options.warm_up, .trajectories = options.trajectories, .threads = options.threads}));
    }
    if (!ranks.is_first()) continue;
    compare(figures);
    if (const auto own = trajectory_title(figures.back()); own != title) {
      title = own;
      fmt::print("\n{}\n{}", title, trajectory_heading());
    }
    fmt::print("{}", trajectory_line(figures.back()));
    std::fflush(stdout);
  }
  if (!ranks.is_first()) return 0;

  nlohmann::ordered_json out = {{"runs_on", tuning::runs_on()}, {"input", options.input},
                                {"action", describe(input)},    {"trajectories", options.trajectories},
                                {"warm_up", options.warm_up},   {"figures", nlohmann::ordered_json::array()}};
  for (const auto& figure : figures) out["figures"].push_back(to_json(figure));
  if (!options.json.empty()) write_text_file(options.json, out.dump(2) + "\n");
  if (!options.svg.empty())
    write_text_file(options.svg, trajectory_picture("Trajectories: " + describe(input), figures));
  return 0;
}

}  // namespace

void add_bench_trajectory(const Command& bench, Action& action) {
  auto options = std::make_shared<TrajectoryOptions>();
  const auto command = bench.add_subcommand(
      "trajectory",
      "How whole trajectories of an input scale with ranks, strongly and weakly, and what takes the time");
  command.add_option("INPUT", options->input, "the input of a run, TOML").required();
  command
      .add_option("--scaling", options->scaling,
                  "strong (the input's lattice is cut) or weak (it is each rank's part); default: both")
      .delimiter(',');
  command.add_option("--ranks", options->ranks, "numbers of ranks; default: powers of two, and all ranks")
      .delimiter(',');
  command.add_option("--grid", options->grid,
                     "used for the number of ranks that it has; default: the input's, or chosen automatically");
  command.add_option("--trajectories", options->trajectories, "how many are timed").capture_default_str();
  command.add_option("--warm-up", options->warm_up, "trajectories before those").capture_default_str();
  command.add_option("--threads", options->threads, "threads per rank; 0: as `trellis run` would choose")
      .capture_default_str();
  command.add_option("--json", options->json, "a file for all figures");
  command.add_option("--svg", options->svg, "a file for a picture");
  command.footer("Example: mpirun -n 2 trellis bench trajectory examples/dynamical.toml --trajectories 5");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
