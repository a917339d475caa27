// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/dslash_against.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "trellis/app/bench/dslash_measure.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/bench/other_program.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

template <class T>
void require_one(const std::string& option, std::vector<T>& values, const T& otherwise) {
  if (values.size() > 1)
    fail_input("bench dslash: --against compares one kernel; {} selects {}", option, values.size());
  if (values.empty()) values.push_back(otherwise);
}

}  // namespace

DslashRun run_against(DslashOptions options) {
  require_one<std::string>("--lattice", options.lattices, "32,32,32,32");
  require_one<std::string>("--precision", options.precisions, "single");
  require_one("--links", options.links, 18);
  // With right-hand sides in the lanes, as many as there are lanes.
  if (options.filling != "right-hand-sides" || !options.right_hand_sides.empty())
    require_one("--rhs", options.right_hand_sides, 1);
  return dslash_runs(options).at(0);
}

int compare_with_program(const DslashOptions& options, bool json) {
  const DslashRun run = run_against(options);
  const auto command = bench::words_of_command(options.against);
  require_devices();
  if (options.threads > 0) set_thread_count(options.threads);
  const DslashSettings settings = settings_of(options, run);

  std::vector<double> ours, theirs;
  std::string program;
  for (int round = 0; round < options.rounds; ++round) {
    // The other program first: if it cannot be run, that is known at once.
    const auto other = bench::figure_in(bench::output_of(command));
    const auto own = measure(options, settings);
    program = other.program;
    theirs.push_back(other.flops);
    ours.push_back(own.flops / own.seconds);
    if (json) continue;
    if (round == 0)
      fmt::print("{}.\nOurs: {} {}, {}, {} vector{}. Theirs: {}, {}.\n{:>6} {:>14} {:>16} {:>14}\n", tuning::runs_on(),
                 to_string(run.size), name_of(run.precision), bench::study::description(settings.run.variant),
                 run.vectors, run.vectors == 1 ? "" : "s", program, options.against, "round", "ours, GFLOP/s",
                 "theirs, GFLOP/s", "ours / theirs");
    fmt::print("{:>6} {:>14.1f} {:>16.1f} {:>14.2f}\n", round + 1, ours.back() * 1e-9, theirs.back() * 1e-9,
               ours.back() / theirs.back());
    std::fflush(stdout);
  }
  const double ratio = tuning::median_ratio(ours, theirs);
  if (!json) {
    fmt::print("{:>6} {:>14.1f} {:>16.1f} {:>14.2f}\n", "median", median(ours) * 1e-9, median(theirs) * 1e-9, ratio);
    return 0;
  }
  nlohmann::ordered_json out = {{"machine", tuning::machine_identity()},
                                {"threads", concurrency()},
                                {"lattice", to_string(run.size)},
                                {"precision", name_of(run.precision)},
                                {"links", int(run.variant.links)},
                                {"rhs", run.vectors},
                                {"variant", bench::study::description(settings.run.variant)},
                                {"tuned", settings.tuned},
                                {"command", options.against},
                                {"program", program},
                                {"rounds", nlohmann::ordered_json::array()}};
  for (std::size_t k = 0; k < ours.size(); ++k)
    out["rounds"].push_back({{"gflops", ours[k] * 1e-9}, {"their_gflops", theirs[k] * 1e-9}});
  out["median_gflops"] = median(ours) * 1e-9;
  out["median_their_gflops"] = median(theirs) * 1e-9;
  out["ratio"] = ratio;
  fmt::print("{}\n", out.dump(2));
  return 0;
}

}  // namespace trellis::app
