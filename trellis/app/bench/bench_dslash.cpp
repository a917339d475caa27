// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench dslash: the Wilson hopping term compared with streaming the same bytes, with the machine's limits and
// with a model of its caches; with --compare, the variants of the performance-portability study.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

#include "trellis/app/bench/dslash_against.hpp"
#include "trellis/app/bench/dslash_figures.hpp"
#include "trellis/app/bench/dslash_measure.hpp"
#include "trellis/app/bench/dslash_report.hpp"
#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/bench/verdict.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/bench/wilson_solvers.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/tuning/processor.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

struct DslashRunOptions : DslashOptions {
  std::string plot;
  bool json = false;
};

// What a line needs besides the kernel's own time. Arrays are as large as the row's fields, up to half a GiB.
DslashRow row_of(const DslashRunOptions& options, const DslashRun& run, const bench::PeakFlops& peak) {
  DslashRow row;
  const DslashSettings settings = settings_of(options, run);
  row.run = settings.run;
  row.tuned = settings.tuned;
  row.peak = run.precision == Precision::double_ ? peak.double_ : peak.single;
  if (!run.why_not.empty()) return row;
  row.figure = measure(options, settings);
  const auto bytes = std::int64_t(std::min(row.figure.bytes, double(512 << 20)));
  row.bandwidth = bench::measure_bandwidth(bytes, {3, options.seconds / 10}).best();
  return row;
}

// Solver iterations for each of the lines they apply to.
nlohmann::ordered_json measure_solvers(const DslashRunOptions& options, const std::vector<DslashRun>& runs) {
  auto out = nlohmann::ordered_json::array();
  if (!options.json)
    fmt::print(
        "\nAn iteration compared with its floor: four hopping terms, plus the vectors that must move, at the "
        "bandwidth of MIX.\n{:<12} {:>9} {:>5} {:>4}  {:<22} {:>10} {:>10} {:>9}\n",
        "lattice", "precision", "links", "rhs", "solver", "ms", "floor ms", "of floor");
  for (const DslashRun& run : runs) {
    if (!run.production || !run.why_not.empty() || run.precision == Precision::fixed16) continue;
    const auto what = run.tuning_case(concurrency());
    auto how = options.no_tune ? tuning::KernelTuning{} : tuning::tuned_or_default(what);
    if (options.has("--stores")) how.settings.stores = run.variant.stores;
    for (const auto& figure : bench::measure_solvers(what, how, {5, options.seconds})) {
      out.push_back({{"lattice", to_string(run.size)},
                     {"precision", name_of(run.precision)},
                     {"links", int(what.links)},
                     {"vectors", what.vectors},
                     {"solver", figure.solver},
                     {"seconds", figure.seconds},
                     {"floor_seconds", figure.floor},
                     {"hops_seconds", figure.hops_seconds}});
      if (options.json) continue;
      fmt::print("{:<12} {:>9} {:>5} {:>4}  {:<22} {:>10.3f} {:>10.3f} {:>9.2f}\n", to_string(run.size),
                 name_of(run.precision), int(what.links), what.vectors, figure.solver, 1e3 * figure.seconds,
                 1e3 * figure.floor, figure.seconds / figure.floor);
      std::fflush(stdout);
    }
  }
  return out;
}

// The best of several: while others use the machine, a short measurement may be disturbed.
bench::PeakFlops measure_peak(double seconds) {
  bench::PeakFlops best;
  for (int k = 0; k < 5; ++k) {
    const auto peak = bench::measure_peak_flops({5, seconds / 10});
    best = {std::max(best.single, peak.single), std::max(best.double_, peak.double_)};
  }
  return best;
}

void print_introduction(const DslashRunOptions& options, const bench::PeakFlops& peak) {
  fmt::print("{}. Fused multiply-adds in registers: double {:.1f}, single {:.1f} GFLOP/s.\n", tuning::runs_on(),
             peak.double_ * 1e-9, peak.single * 1e-9);
  fmt::print(
      "D_eo counts 1320 flops per site and vector; GB/s counts each number once; medians.\n"
      "of MIX: relative to MIX, a loop that only streams the same bytes through the same arrays, timed in turn with "
      "the "
      "kernel.\n"
      "of triad, of peak: relative to the better triad on arrays of that size, and to multiply-adds in registers.\n"
      "The closer the larger of these is to 100 %, the closer the kernel is to this machine's limit.\n"
      "reused: how many of a site's 8 neighbours come from a cache, inferred from the measured speed and the triad.\n"
      "expected: the GFLOP/s that the triad allows if 7 of the 8 did.\n\n");
  fmt::print("{}", options.compare ? "" : dslash_heading());
}

int run(const DslashRunOptions& options) {
  require_one_rank("bench dslash");
  require_valid(options);
  if (options.has("--against")) return compare_with_program(options, options.json);
  require_output_file("bench dslash: --plot", options.plot);
  const auto runs = options.compare ? comparison_runs(options) : dslash_runs(options);
  require_devices();
  if (options.threads > 0) set_thread_count(options.threads);
  const bench::PeakFlops peak = measure_peak(options.seconds);
  const BenchWatch watch(peak.double_, [&] { return measure_peak(options.seconds).double_; });
  if (!options.json) print_introduction(options, peak);

  std::vector<DslashRow> rows;
  double baseline = 0;
  std::string group;
  for (const DslashRun& one : runs) {
    rows.push_back(row_of(options, one, peak));
    const DslashRow& row = rows.back();
    if (options.json) continue;
    if (options.compare) {
      const auto title =
          fmt::format("{} {}, links of {} reals", to_string(one.size), name_of(one.precision), int(one.variant.links));
      if (title != group) {
        fmt::print("{}{}\n{}", group.empty() ? "" : "\n", title, comparison_heading());
        group = title;
        baseline = 0;
      }
      if (one.variant.filling == bench::study::Filling::scalar && one.why_not.empty())
        baseline = std::max(baseline, row.flops());
      fmt::print("{}", comparison_line(row, baseline));
    } else {
      fmt::print("{}", dslash_line(row));
    }
    std::fflush(stdout);
  }
  if (options.compare && !options.json) fmt::print("{}", markdown(study_tables(rows)));
  const auto solvers = options.solvers ? measure_solvers(options, runs) : nlohmann::ordered_json{};
  std::vector<double> of_limit;
  for (const DslashRow& row : rows)
    if (row.run.why_not.empty()) of_limit.push_back(std::max(row.figure.of_mix, row.flops() / row.peak));
  const auto last_sentence = verdict(watch.look(), of_limit);
  if (options.json) {
    nlohmann::ordered_json out = {{"machine", tuning::machine_identity()},
                                  {"threads", concurrency()},
                                  {"peak_flops", {{"single", peak.single}, {"double", peak.double_}}},
                                  {"kernels", nlohmann::ordered_json::array()}};
    for (const DslashRow& row : rows) out["kernels"].push_back(to_json(row));
    if (options.solvers) out["solvers"] = solvers;
    out["verdict"] = last_sentence.substr(1, last_sentence.size() - 2);
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}", last_sentence);
  }
  if (!options.plot.empty() && job().is_first()) {
    const std::string where =
        fmt::format("{}, {} thread{}", tuning::processor(), concurrency(), concurrency() == 1 ? "" : "s");
    plot::Roofline roofline = roofline_of(rows, peak);
    roofline.title = "Wilson Dslash on " + where;
    write_text_file(options.plot, options.compare ? plot::svg_bars("Wilson Dslash, the study's variants, on " + where,
                                                                   study_figures(rows), "GFLOP/s", study_tables(rows))
                                                  : plot::svg_roofline(roofline));
  }
  return 0;
}

}  // namespace

void add_bench_dslash(const Command& bench, Action& action) {
  auto options = std::make_shared<DslashRunOptions>();
  const auto command = bench.add_subcommand(
      "dslash", "How close the Wilson Dslash comes to streaming its bytes and to the machine's limits");
  command.add_option("--lattice", options->lattices, "sizes x,y,z,t, separated by spaces; default: 16^4 and 32^4")
      .delimiter(' ');
  command.add_option("--precision", options->precisions, "double, single, 16-bit; default: all");
  command.add_option("--links", options->links, "reals per link: 18, 12, 8; default: 18 and 12");
  command.add_option("--rhs", options->right_hand_sides,
                     "right-hand sides; default: 1, and 8 and 16 in single precision");
  command.add_option("--lanes", options->lanes, "SIMD lanes; 0: the widest that fit, on a GPU one for several vectors")
      .capture_default_str();
  command.add_option("--filling", options->filling, "of the lanes: virtual-nodes, right-hand-sides, scalar")
      .capture_default_str();
  command.add_option("--complex", options->complex, "split or interleaved real and imaginary parts")
      .capture_default_str();
  command.add_option("--layout", options->layout, "of sites: right, left, tiled").capture_default_str();
  command.add_option("--neighbours", options->neighbours, "table or computed").capture_default_str();
  command.add_option("--traversal", options->traversal, "flat, team, blocked").capture_default_str();
  command
      .add_option("--tile", options->tile,
                  "of --traversal blocked: extents in x/2, y, z, t of a virtual node; 0: all of it")
      .capture_default_str();
  command.add_option("--team", options->team_size, "of --traversal team: threads of a team; 0: what suits the machine")
      .capture_default_str();
  command
      .add_option("--least-blocks", options->least_blocks,
                  "on a GPU: how many blocks of 128 threads a multiprocessor must hold; 0: the compiler chooses")
      .capture_default_str();
  command.add_option("--stores", options->stores, "by-size, cached, streaming").capture_default_str();
  command.add_option("--threads", options->threads, "threads; 0: all available").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_flag(
      "--tune", options->tune,
      "tune each line before timing it, and save the result for later runs; of variants, teams and blocks");
  command.add_flag("--no-tune", options->no_tune, "ignore earlier tuning");
  command.add_flag("--compare", options->compare,
                   "the study's figures: scalar, right-hand sides, virtual nodes; layouts and complex forms");
  command.add_flag("--solvers", options->solvers,
                   "also time iterations of CG and BiCGStab, compared with the least time of their hops and vectors");
  command.add_option("--against", options->against,
                     "another program's benchmark, run in turn with one kernel of ours: a command in quotes, without a "
                     "shell (KokkosDslash, QPhiX, Grid, QUDA's dslash_test)");
  command.add_option("--rounds", options->rounds, "of --against").capture_default_str();
  command.add_option("--plot", options->plot,
                     "an SVG picture: rooflines, or the study's figures and tables with --compare");
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis bench dslash --lattice 16,16,16,16 --precision single --plot roofline.svg");
  command.callback([command, options, &action] {
    options->given = command.given();
    keep_each_once(options->lattices, options->precisions, options->links, options->right_hand_sides);
    action = [options] { return run(*options); };
  });
}

}  // namespace trellis::app
