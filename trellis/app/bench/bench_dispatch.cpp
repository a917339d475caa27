// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench dispatch: what it costs to start a kernel.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/app/command.hpp"
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
  if (options.threads < 0) fail_input("bench dispatch: --threads is {}; it must be at least 1", options.threads);
  if (!(options.seconds > 0)) fail_input("bench dispatch: --seconds is {}; it must be positive", options.seconds);
  if (options.threads > 0) set_thread_count(options.threads);
  const auto figures = bench::dispatch_figures({7, options.seconds});
  nlohmann::ordered_json out = {{"space", DefaultHostExecutionSpace::name},
                                {"threads", concurrency()},
                                {"kernels", nlohmann::ordered_json::array()}};
  if (!options.json)
    fmt::print(
        "{}, {} thread{}. Median microseconds of an empty kernel, timed in turn with hand-written code.\n{:<24} "
        "{:>8} {:>9} {:>9} {:>9}\n",
        DefaultHostExecutionSpace::name, concurrency(), concurrency() == 1 ? "" : "s", "kernel", "length", "Trellis",
        "by hand", "more");
  for (const auto& figure : figures) {
    if (!options.json)
      fmt::print("{:<24} {:>8} {:>9.3f} {:>9.3f} {:>9.3f}\n", figure.kernel, figure.length, figure.seconds * 1e6,
                 figure.by_hand_seconds * 1e6, figure.overhead_seconds * 1e6);
    out["kernels"].push_back({{"kernel", figure.kernel},
                              {"length", figure.length},
                              {"seconds", figure.seconds},
                              {"by_hand_seconds", figure.by_hand_seconds},
                              {"overhead_seconds", figure.overhead_seconds}});
  }
  if (options.json) fmt::print("{}\n", out.dump(2));
  return 0;
}

}  // namespace

void add_bench_dispatch(const Command& bench, Action& action) {
  auto options = std::make_shared<DispatchOptions>();
  const auto command =
      bench.add_subcommand("dispatch", "What an empty kernel costs, compared with hand-written OpenMP");
  command.add_option("--threads", options->threads, "threads; 0: all available").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis bench dispatch --threads 2");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
