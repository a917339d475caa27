// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench: how fast the kernels are on this machine, and how far from its limit.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/bench/verdict.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/bench/gauge.hpp"
#include "trellis/bench/machine/machine.hpp"
#include "trellis/core/base/precision.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

struct BenchOptions {
  std::vector<std::string> lattices{"16,16,16,16", "32,32,32,32"};
  std::vector<std::string> precisions{"double", "single"};
  int threads = 0, lanes = 0;
  double seconds = 0.2;
  bool json = false;
};

// One line of the table. The floor is the larger of bytes / bandwidth and flops / peak; `limit` names which it is.
struct Row {
  std::string kernel, lattice, precision, limit;
  int lanes = 0;
  double seconds = 0, gbytes = 0, gflops = 0, of_bandwidth = 0, of_peak = 0, of_floor = 0;
};

Row make_row(const bench::KernelFigure& figure, double sites, double bandwidth, double peak) {
  Row row;
  row.kernel = figure.kernel;
  row.seconds = figure.seconds;
  const double bytes = figure.bytes_per_site * sites, flops = figure.flops_per_site * sites;
  row.gbytes = bytes / figure.seconds * 1e-9;
  row.gflops = flops / figure.seconds * 1e-9;
  row.of_bandwidth = bytes / figure.seconds / bandwidth;
  row.of_peak = flops / figure.seconds / peak;
  row.of_floor = std::max(row.of_bandwidth, row.of_peak);
  row.limit = bytes / bandwidth > flops / peak ? "bandwidth" : "flops";
  return row;
}

void require_valid(const BenchOptions& options) {
  require_one_rank("bench");
  for (const auto& precision : options.precisions)
    static_cast<void>(choice("bench", "precision", precision, io::file_precisions));
  require_thread_count("bench", options.threads);
  if (!(options.seconds > 0)) fail_input("bench: --seconds is {}; it must be positive", options.seconds);
  for (const auto& text : options.lattices) {
    const auto size = parse_size(text, "--lattice");
    for (const auto& precision : options.precisions)  // the force of parallelograms needs most, somewhat more than this
      require_memory("bench: --lattice", size, 400.0 * arithmetic_bytes(precision_named(precision)));
    const Lattice lattice(size, options.lanes == 0 ? 1 : options.lanes);
    if (options.lanes == 0) continue;
    for (const auto& precision : options.precisions)
      precision == "double" ? require_lanes<double>(options.lanes) : require_lanes<float>(options.lanes);
  }
}

template <class T>
std::vector<bench::KernelFigure> measure(const Coordinate& size, int lanes, const tuning::TimingParameters& timing) {
  return with_lanes<T>(lanes, [&]<int W>() { return bench::gauge_kernels<T, W>(size, timing); });
}

void print_bandwidth(const std::string& what, const bench::Bandwidth& w) {
  fmt::print(
      "{:<14} {:>8.0f} MiB   copy {:6.1f}   copy streaming {:6.1f}   triad {:6.1f}   triad streaming {:6.1f}   "
      "read {:6.1f}   write {:6.1f}   GB/s\n",
      what, double(w.bytes) / (1 << 20), w.copy * 1e-9, w.copy_streaming * 1e-9, w.triad * 1e-9,
      w.triad_streaming * 1e-9, w.read * 1e-9, w.write * 1e-9);
}

nlohmann::ordered_json bandwidth_json(const bench::Bandwidth& w) {
  return {{"bytes", w.bytes},
          {"copy", w.copy},
          {"copy_streaming", w.copy_streaming},
          {"triad", w.triad},
          {"triad_streaming", w.triad_streaming},
          {"read", w.read},
          {"write", w.write}};
}

int run(const BenchOptions& options) {
  require_valid(options);
  require_devices();
  if (options.threads > 0) set_thread_count(options.threads);
  const tuning::TimingParameters timing{5, options.seconds};
  const bench::PeakFlops peak = bench::measure_peak_flops(timing);
  const BenchWatch watch(peak.double_, [&] { return bench::measure_peak_flops(timing).double_; });
  std::vector<double> of_limit;
  nlohmann::ordered_json out = {{"threads", concurrency()},
                                {"peak_flops", {{"single", peak.single}, {"double", peak.double_}}},
                                {"lattices", nlohmann::ordered_json::array()},
                                {"kernels", nlohmann::ordered_json::array()}};
  if (!options.json) {
    fmt::print("{}. Fused multiply-adds in registers: double {:.1f}, single {:.1f} GFLOP/s.\n", tuning::runs_on(),
               peak.double_ * 1e-9, peak.single * 1e-9);
    fmt::print(
        "Bandwidths are medians on arrays as large as the fields of each row. A kernel's GB/s: its minimum bytes "
        "over its time.\n");
  }
  for (const auto& text : options.lattices) {
    const Coordinate size = parse_size(text, "--lattice");
    const double sites = double(size[0]) * size[1] * size[2] * size[3];
    const std::string name = to_string(size);
    for (const auto& precision : options.precisions) {
      const int element = arithmetic_bytes(precision_named(precision));
      const int lanes = options.lanes > 0 ? options.lanes : Lattice::best_lanes(size, element);
      const auto bandwidth = bench::measure_bandwidth(std::int64_t(sites) * 104 * element, timing);
      const auto figures = element == 8 ? measure<double>(size, lanes, timing) : measure<float>(size, lanes, timing);
      if (!options.json) {
        fmt::print("\n");
        print_bandwidth(fmt::format("{} {}", name, precision), bandwidth);
        fmt::print("{:<20} {:>5} {:>10} {:>9} {:>8} {:>12} {:>9}   {}\n", "kernel", "lanes", "ms", "GFLOP/s", "GB/s",
                   "of bandwidth", "of peak", "limited by");
      }
      nlohmann::ordered_json entry = bandwidth_json(bandwidth);
      entry["lattice"] = name;
      entry["precision"] = precision;
      out["lattices"].push_back(entry);
      for (const auto& figure : figures) {
        const Row row = make_row(figure, sites, bandwidth.best(), element == 8 ? peak.double_ : peak.single);
        if (!options.json)
          fmt::print("{:<20} {:>5} {:>10.3f} {:>9.1f} {:>8.1f} {:>11.0f}% {:>8.0f}%   {}\n", row.kernel, lanes,
                     row.seconds * 1e3, row.gflops, row.gbytes, 100 * row.of_bandwidth, 100 * row.of_peak, row.limit);
        of_limit.push_back(row.of_floor);
        out["kernels"].push_back({{"kernel", row.kernel},
                                  {"lattice", name},
                                  {"precision", precision},
                                  {"lanes", lanes},
                                  {"seconds", row.seconds},
                                  {"flops_per_site", figure.flops_per_site},
                                  {"bytes_per_site", figure.bytes_per_site},
                                  {"gflops", row.gflops},
                                  {"gbytes", row.gbytes},
                                  {"of_bandwidth", row.of_bandwidth},
                                  {"of_peak", row.of_peak},
                                  {"of_floor", row.of_floor},
                                  {"limited_by", row.limit}});
      }
    }
  }
  const auto last_sentence = verdict(watch.look(), of_limit);
  out["verdict"] = last_sentence.substr(1, last_sentence.size() - 2);
  fmt::print("{}", options.json ? out.dump(2) + "\n" : last_sentence);
  return 0;
}

}  // namespace

void add_bench(const Command& program, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  const auto command = program.add_subcommand(
      "bench",
      "Measure the machine's bandwidth and peak, and how close the gauge kernels come to them (bench staggered: the "
      "staggered operator and its solvers; bench dslash: the Wilson operator; bench dispatch: starting a kernel; bench "
      "files: configurations on disk; bench machine: a description of the machine for trellis plan; bench scaling: "
      "kernels on several ranks; bench trajectory: trajectories of an input on several ranks; bench nersc: the "
      "RHMC benchmark of MILC's users; bench compare: such results of several machines; bench spmd: work-group kernels "
      "on CPUs)");
  command.add_option("--lattice", options->lattices, "sizes x,y,z,t, separated by spaces")
      .capture_default_str()
      .delimiter(' ');
  command.add_option("--precision", options->precisions, "double, single, or both").capture_default_str();
  command.add_option("--threads", options->threads, "threads; 0: all available").capture_default_str();
  command.add_option("--lanes", options->lanes, "SIMD lanes; 0: the widest that fit").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis bench --lattice 16,16,16,16 --precision double");
  add_bench_staggered(command, action);
  add_bench_dslash(command, action);
  add_bench_dispatch(command, action);
  add_bench_files(command, action);
  add_bench_machine(command, action);
  add_bench_scaling(command, action);
  add_bench_trajectory(command, action);
  add_bench_nersc(command, action);
  add_bench_compare(command, action);
  add_bench_spmd(command, action);
  command.callback([command, options, &action] {
    keep_each_once(options->lattices, options->precisions);
    if (!command.has_subcommand()) action = [options] { return run(*options); };
  });
}

}  // namespace trellis::app
