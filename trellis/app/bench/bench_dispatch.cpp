// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench dispatch: what it costs to start a kernel in the default execution space.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/bench/dispatch.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

struct DispatchOptions {
  int threads = 0;
  double seconds = 0.5;
  bool json = false;
};

int run(const DispatchOptions& options) {
  require_one_rank("bench dispatch");
  require_thread_count("bench dispatch", options.threads);
  if (!(options.seconds > 0)) fail_input("bench dispatch: --seconds is {}; it must be positive", options.seconds);
  using Space = DefaultExecutionSpace;
  if (options.threads > 0 && !kernels_on_host)
    fail_input("bench dispatch: --threads is for kernels on the host; those of this program run in {}", Space::name);
  if (options.threads > 0) set_thread_count(options.threads);
  const auto figures = bench::dispatch_figures({7, options.seconds});
  nlohmann::ordered_json out = {
      {"space", Space::name}, {"threads", Space::concurrency()}, {"kernels", nlohmann::ordered_json::array()}};
  if (!options.json)
    fmt::print("{}, {} thread{}. Median microseconds of an empty kernel{}.\n{:<24} {:>8} {:>9}{}\n", Space::name,
               Space::concurrency(), Space::concurrency() == 1 ? "" : "s",
               kernels_on_host ? ", timed in turn with hand-written code" : ", of many launches in succession",
               "kernel", "length", "Trellis", kernels_on_host ? fmt::format(" {:>9} {:>9}", "by hand", "more") : "");
  for (const auto& figure : figures) {
    const auto& by_hand = figure.by_hand;
    if (!options.json)
      fmt::print(
          "{:<24} {:>8} {:>9.3f}{}\n", figure.kernel, figure.length, figure.seconds * 1e6,
          by_hand ? fmt::format(" {:>9.3f} {:>9.3f}", by_hand->seconds * 1e6, by_hand->overhead_seconds * 1e6) : "");
    auto& entry = out["kernels"].emplace_back(
        nlohmann::ordered_json{{"kernel", figure.kernel}, {"length", figure.length}, {"seconds", figure.seconds}});
    if (!by_hand) continue;
    entry["by_hand_seconds"] = by_hand->seconds;
    entry["overhead_seconds"] = by_hand->overhead_seconds;
  }
  if (options.json) fmt::print("{}\n", out.dump(2));
  return 0;
}

}  // namespace

void add_bench_dispatch(const Command& bench, Action& action) {
  auto options = std::make_shared<DispatchOptions>();
  const auto command = bench.add_subcommand(
      "dispatch", "What an empty kernel costs where kernels run; on a CPU, compared with hand-written OpenMP");
  command.add_option("--threads", options->threads, "threads of a CPU; 0: all available").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis bench dispatch --threads 2");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
