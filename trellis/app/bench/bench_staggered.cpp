// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench staggered: the staggered operator, its solvers and its force, compared with streaming the same bytes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/bench/verdict.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/bench/machine/machine.hpp"
#include "trellis/bench/staggered.hpp"
#include "trellis/bench/staggered_groups.hpp"
#include "trellis/core/base/precision.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

struct StaggeredOptions {
  std::vector<std::string> lattices{"16,16,16,16", "24,24,24,24"};
  std::vector<std::string> precisions{"double", "single"};
  std::vector<int> right_hand_sides{1, 4, 8, 16};
  int threads = 0, lanes = 0;
  double seconds = 0.2;
  bool groups = false;
  bool json = false;
};

// What the table says of a figure. The goal is 80 % of MIX's bandwidth or 50 % of the peak, whichever takes
// longer.
struct StaggeredRow {
  double gflops = 0, gbytes = 0, mix_gbytes = 0, of_mix = 0, of_peak = 0, of_goal = 0;

  StaggeredRow(const bench::StaggeredFigure& figure, double peak) {
    const double bandwidth = figure.mix_bytes / figure.mix_seconds;
    gflops = figure.flops / figure.seconds * 1e-9;
    gbytes = figure.bytes / figure.seconds * 1e-9;
    mix_gbytes = bandwidth * 1e-9;
    of_mix = figure.bytes / figure.seconds / bandwidth;
    of_peak = figure.flops / figure.seconds / peak;
    of_goal = std::max(of_mix / 0.8, of_peak / 0.5);
  }
};

void require_valid(const StaggeredOptions& options) {
  require_one_rank("bench staggered");
  for (const auto& precision : options.precisions)
    static_cast<void>(choice("bench staggered", "precision", precision, io::file_precisions));
  if (options.groups && fields_on_host)
    fail_input("bench staggered: --groups is for GPUs; on a CPU: trellis bench spmd --kernel staggered");
  if (options.groups && options.lanes > 1)
    fail_input("bench staggered: --groups has one lane, and --lanes is {}", options.lanes);
  require_thread_count("bench staggered", options.threads);
  if (!(options.seconds > 0)) fail_input("bench staggered: --seconds is {}; it must be positive", options.seconds);
  for (const int count : options.right_hand_sides)
    if (count < 1 || count > 64) fail_input("bench staggered: --rhs is {}; from 1 to 64", count);
  for (const auto& text : options.lattices) {
    const auto size = parse_size(text, "--lattice");
    for (const auto& precision : options.precisions) {  // links, packed for one-link hops, and as fat and long ones
      const double links = options.groups ? 72 + 96 : 72 + 96 + 256;
      require_memory("bench staggered: --lattice", size, links * arithmetic_bytes(precision_named(precision)));
    }
    const Lattice lattice(size, options.lanes == 0 ? 1 : options.lanes);
    if (options.lanes == 0) continue;
    for (const auto& precision : options.precisions)
      precision == "double" ? require_lanes<double>(options.lanes) : require_lanes<float>(options.lanes);
  }
}

// Lanes for this many vectors: those requested, or the best fit.
int lanes_for(const StaggeredOptions& options, const Coordinate& size, int element, int vectors) {
  return options.lanes > 0 ? options.lanes : Lattice::best_lanes(size, element, vectors);
}

template <class T>
std::vector<bench::StaggeredFigure> measure(const StaggeredOptions& options, const Coordinate& size) {
  constexpr int element = sizeof(T);
  const tuning::TimingParameters timing{7, options.seconds};
  std::vector<bench::StaggeredFigure> figures;
  const auto add = [&](const auto& more) { figures.insert(figures.end(), more.begin(), more.end()); };
  for (const int vectors : options.right_hand_sides)
    with_lanes<T>(lanes_for(options, size, element, vectors),
                  [&]<int W>() { add(bench::staggered_hops<T, W>(size, std::span(&vectors, 1), timing)); });
  with_lanes<T>(lanes_for(options, size, element, 1),
                [&]<int W>() { add(bench::staggered_kernels<T, W>(size, options.right_hand_sides, timing)); });
  return figures;
}

// D_eo as a work-group kernel beside the operator's own.
int run_groups(const StaggeredOptions& options) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto print = [&](const std::string& text) {
    if (!options.json) fmt::print("{}", text);
  };
  print(fmt::format(
      "{}. D_eo of the operator and as a work-group kernel, timed in turn; medians.\n{:<14} {:>9} {:>7} {:>6} "
      "{:>10} {:>11} {:>8} {:>9}\n",
      tuning::runs_on(), "lattice", "precision", "vectors", "group", "groups ms", "operator ms", "GFLOP/s",
      "x operator"));
  for (const auto& text : options.lattices)
    for (const auto& precision : options.precisions) {
      const Coordinate size = parse_size(text, "--lattice");
      const tuning::TimingParameters timing{7, options.seconds};
      const auto figures = precision == "double"
                               ? bench::staggered_groups<double>(size, options.right_hand_sides, timing)
                               : bench::staggered_groups<float>(size, options.right_hand_sides, timing);
      for (const auto& figure : figures) {
        print(fmt::format("{:<14} {:>9} {:>7} {:>6} {:>10.3f} {:>11.3f} {:>8.1f} {:>9.2f}\n", to_string(size),
                          precision, figure.vectors, figure.work_items, figure.seconds * 1e3, figure.of_operator * 1e3,
                          figure.flops / figure.seconds * 1e-9, figure.of_operator / figure.seconds));
        rows.push_back({{"lattice", to_string(size)},
                        {"precision", precision},
                        {"vectors", figure.vectors},
                        {"group", figure.work_items},
                        {"seconds", figure.seconds},
                        {"operator_seconds", figure.of_operator},
                        {"flops", figure.flops}});
      }
    }
  if (options.json) fmt::print("{}\n", nlohmann::ordered_json{{"groups", rows}}.dump(2));
  return 0;
}

int run(const StaggeredOptions& options) {
  require_valid(options);
  require_devices();
  if (options.threads > 0) set_thread_count(options.threads);
  if (options.groups) return run_groups(options);
  const auto measure_peak = [&] { return bench::measure_peak_flops({7, options.seconds}); };
  const bench::PeakFlops peak = measure_peak();
  const BenchWatch watch(peak.double_, [&] { return measure_peak().double_; });
  std::vector<double> of_limit;
  nlohmann::ordered_json out = {{"threads", concurrency()},
                                {"peak_flops", {{"single", peak.single}, {"double", peak.double_}}},
                                {"kernels", nlohmann::ordered_json::array()}};
  if (!options.json) {
    fmt::print("{}. Fused multiply-adds in registers: double {:.1f}, single {:.1f} GFLOP/s.\n", tuning::runs_on(),
               peak.double_ * 1e-9, peak.single * 1e-9);
    fmt::print(
        "GB/s: minimum bytes over time; medians. MIX is a loop that only streams the bytes of D_eo with as many "
        "right-hand sides,\ntimed in turn with each kernel; of MIX: the kernel's bandwidth as a fraction of MIX's. "
        "Goal: 80 % of MIX's bandwidth or\n50 % of the peak, whichever takes longer; 100 % of the goal or more is "
        "good.\n");
  }
  for (const auto& text : options.lattices) {
    const Coordinate size = parse_size(text, "--lattice");
    const std::string name = to_string(size);
    for (const auto& precision : options.precisions) {
      const int element = arithmetic_bytes(precision_named(precision));
      if (!options.json)
        fmt::print("\n{} {}\n{:<18} {:>7} {:>6} {:>10} {:>9} {:>8} {:>9} {:>7} {:>8} {:>8}\n", name, precision,
                   "kernel", "vectors", "lanes", "ms", "GFLOP/s", "GB/s", "MIX GB/s", "of MIX", "of peak", "of goal");
      for (const auto& figure : element == 8 ? measure<double>(options, size) : measure<float>(options, size)) {
        const StaggeredRow row(figure, element == 8 ? peak.double_ : peak.single);
        if (!options.json)
          fmt::print("{:<18} {:>7} {:>6} {:>10.3f} {:>9.1f} {:>8.1f} {:>9.1f} {:>6.0f}% {:>7.0f}% {:>7.0f}%\n",
                     figure.kernel, figure.vectors, figure.lanes, figure.seconds * 1e3, row.gflops, row.gbytes,
                     row.mix_gbytes, 100 * row.of_mix, 100 * row.of_peak, 100 * row.of_goal);
        of_limit.push_back(std::max(row.of_mix, row.of_peak));
        out["kernels"].push_back({{"kernel", figure.kernel},
                                  {"lattice", name},
                                  {"precision", precision},
                                  {"lanes", figure.lanes},
                                  {"vectors", figure.vectors},
                                  {"seconds", figure.seconds},
                                  {"flops", figure.flops},
                                  {"bytes", figure.bytes},
                                  {"gflops", row.gflops},
                                  {"gbytes", row.gbytes},
                                  {"mix_seconds", figure.mix_seconds},
                                  {"mix_gbytes", row.mix_gbytes},
                                  {"of_mix", row.of_mix},
                                  {"of_peak", row.of_peak},
                                  {"of_goal", row.of_goal}});
      }
    }
  }
  const auto last_sentence = verdict(watch.look(), of_limit);
  out["verdict"] = last_sentence.substr(1, last_sentence.size() - 2);
  fmt::print("{}", options.json ? out.dump(2) + "\n" : last_sentence);
  return 0;
}

}  // namespace

void add_bench_staggered(const Command& bench, Action& action) {
  auto options = std::make_shared<StaggeredOptions>();
  const auto command = bench.add_subcommand(
      "staggered", "How close the staggered operator, its solvers and its force come to streaming their bytes");
  command.add_option("--lattice", options->lattices, "sizes x,y,z,t, separated by spaces")
      .capture_default_str()
      .delimiter(' ');
  command.add_option("--precision", options->precisions, "double, single, or both").capture_default_str();
  command.add_option("--rhs", options->right_hand_sides, "right-hand sides of D_eo").capture_default_str();
  command.add_option("--threads", options->threads, "threads; 0: all available").capture_default_str();
  command.add_option("--lanes", options->lanes, "SIMD lanes; 0: the widest that fit").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_flag("--groups", options->groups,
                   "on a GPU, D_eo of several vectors as a work-group kernel beside the operator's, and nothing else");
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis bench staggered --lattice 16,16,16,16 --precision double --rhs 1");
  command.callback([options, &action] {
    keep_each_once(options->lattices, options->precisions, options->right_hand_sides);
    action = [options] { return run(*options); };
  });
}

}  // namespace trellis::app
