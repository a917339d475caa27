// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench scaling: kernels on one rank and on more, beside a model of what messages cost.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cstdio>

#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/bench/scaling_options.hpp"
#include "trellis/app/bench/scaling_report.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/paths/different_files.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

void print_introduction(const std::vector<int>& ranks, const std::vector<bench::Wire>& wires) {
  fmt::print(
      "{} per rank. Microseconds per application, median of the slowest rank; GB/s and GFLOP/s of all ranks together.\n"
      "efficiency: against the smallest number of ranks, by ranks; of yardstick: against one rank with all the "
      "threads;\n"
      "both are medians of ratios of samples timed in turn, which on a busy machine differ from ratios of the "
      "medians.\n"
      "model: the larger of computing (as many sites on every rank, without messages) and messages (by the links\n"
      "below), and sums; of model: the measured time over it; waiting for messages and packing: of one more "
      "sample.\n{}",
      tuning::runs_on(), wire_lines(ranks, wires));
}

int run(const ScalingOptions& options) {
  const auto ranks = job();
  require_devices();  // before lattices, which have tables on a GPU, are made to check the series
  const auto all = scaling_series(options, ranks.size());
  require_output_file("bench scaling: --json", options.json);
  require_output_file("bench scaling: --svg", options.svg);
  io::require_different_files({}, {{"--json", options.json}, {"--svg", options.svg}});
  if (options.threads > 0) set_thread_count(options.threads);
  const auto counts = all[0].ranks;
  const auto wires = bench::measure_wires(ranks, counts);
  if (ranks.is_first()) print_introduction(counts, wires);

  std::vector<ScalingResult> results;
  std::string title;
  for (const auto& series : all) {
    results.push_back({series, bench::measure_scaling(ranks, series, wires, {5, options.seconds})});
    if (!ranks.is_first()) continue;
    if (const auto own = scaling_title(series); own != title) {
      title = own;
      fmt::print("\n{}\n{}", title, scaling_heading());
    }
    fmt::print("{}", scaling_lines(results.back()));
    std::fflush(stdout);
  }
  if (!ranks.is_first()) return 0;

  nlohmann::ordered_json out = {{"runs_on", tuning::runs_on()},
                                {"links", nlohmann::ordered_json::array()},
                                {"kernels", nlohmann::ordered_json::array()}};
  for (std::size_t n = 0; n < counts.size(); ++n)
    if (counts[n] > 1) out["links"].push_back(to_json(counts[n], wires[n]));
  for (const auto& result : results)
    for (auto& one : to_json(result)) out["kernels"].push_back(one);
  if (!options.json.empty()) write_text_file(options.json, out.dump(2) + "\n");
  if (!options.svg.empty()) write_text_file(options.svg, scaling_picture(results));
  return 0;
}

}  // namespace

void add_bench_scaling(const Command& bench, Action& action) {
  auto options = std::make_shared<ScalingOptions>();
  const auto command =
      bench.add_subcommand("scaling", "How kernels scale with ranks, strongly and weakly, against a model");
  command.add_option("--kernels", options->kernels, "wilson, staggered, gauge-force, cg")
      .delimiter(',')
      .capture_default_str();
  command.add_option("--precision", options->precisions, "double, single").delimiter(',').capture_default_str();
  command.add_option("--strong", options->strong, "lattices, such as 24x24x24x24,32x32x32x64").delimiter(',');
  command.add_option("--weak", options->weak, "the sites of a rank, such as 12x12x12x12").delimiter(',');
  command.add_option("--ranks", options->ranks, "numbers of ranks; default: powers of two, and all ranks")
      .delimiter(',');
  command.add_option("--grid", options->grid,
                     "used for the number of ranks that it has; default: chosen automatically");
  command.add_option("--threads", options->threads, "threads per rank; 0: the rank's share of the machine")
      .capture_default_str();
  command.add_flag("--no-yardstick", options->no_yardstick,
                   "leave out the comparison with one rank that has all the threads");
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_option("--json", options->json, "a file for all figures");
  command.add_option("--svg", options->svg, "a file for a picture");
  command.footer("Example: mpirun -n 2 trellis bench scaling --strong 24x24x24x24 --kernels wilson,staggered");
  command.callback([options, &action] {
    keep_each_once(options->kernels, options->precisions, options->strong, options->weak);
    action = [options] { return run(*options); };
  });
}

}  // namespace trellis::app
