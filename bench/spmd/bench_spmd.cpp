// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What `trellis bench spmd` starts: work-group kernels with every way to run their work-items, compared with the same
// kernels in OpenCL on PoCL and, for some, hand-written loops. It is a program of its own because clang compiles its
// kernels, and because it checks them against the oracle, which `trellis` does not contain.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "bench/spmd/measure.hpp"
#include "bench/spmd/report.hpp"
#include "examples/program.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace {

using namespace trellis;
using namespace trellis::bench::spmd;

struct Options {
  std::vector<std::string> kernels, ways;
  std::vector<int> groups;
  double seconds = 0.3;
  int threads = 1;
  Index items = 0;
  bool cpu_time = false;
  bool ablation = false;
  bool json = false;
  std::string plot, machine;
};

template <class T>
bool holds(const std::vector<T>& list, const T& x) {
  return list.empty() || std::find(list.begin(), list.end(), x) != list.end();
}

// Throws an InputError with the nearest of `known`, or all of them, unless every one of `given` is among them.
void require_known(const char* what, const std::vector<std::string>& given, const std::vector<std::string>& known) {
  for (const std::string& name : given) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const bool typo = !app::nearest(name, known).empty();
      fail_input("there is no {} '{}' here{}", what, name,
                 typo ? app::suggestion(name, known) : ": " + joined(known, ", "));
    }
  }
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) fail("cannot write {}: {}", path, std::strerror(errno));
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const KernelEntry& kernel : variant::kernels()) names.emplace_back(kernel.name);
  return names;
}

// Throws an Error if the kernels were not compiled without analyses of the plugin.
void require_ablated_kernels(const std::string& for_what) {
  if (ablated_kernels().empty())
    fail_input(
        "{} needs the compiler plugin and a build with TRELLIS_SPMD_ABLATION=ON (the default; this one is without): "
        "cmake -DTRELLIS_SPMD_ABLATION=ON build/release, and build again",
        for_what);
}

// The ways to measure, of those there are; with --ablation each of the plugin's is followed by its ablations.
std::vector<std::string> chosen_ways(const Options& options, std::vector<std::string> ways) {
  if (!options.ways.empty()) {
    std::vector<std::string> known = ways;
    for (const std::string& way : ways) {
      const auto less = ablations_of(way);
      known.insert(known.end(), less.begin(), less.end());
    }
    for (const std::string& way : options.ways)
      if (way.starts_with("fission-no-") || way.starts_with("continuations-no-"))
        require_ablated_kernels("--way " + way);
    require_known("way", options.ways, known);
    ways = options.ways;
  }
  if (!options.ablation) return ways;
  std::vector<std::string> all;
  for (const std::string& way : ways) {
    if (std::find(all.begin(), all.end(), way) == all.end()) all.push_back(way);
    for (const std::string& less : ablations_of(way))
      if (std::find(all.begin(), all.end(), less) == all.end()) all.push_back(less);
  }
  require_ablated_kernels("--ablation");
  if (std::all_of(ways.begin(), ways.end(), [](const auto& way) { return ablations_of(way).empty(); }))
    fail_input("--ablation is for fission and continuations: {} are measured here", joined(ways, ", "));
  return all;
}

// The kernels to measure. Not all are compiled without analyses of the plugin.
std::vector<std::string> chosen_kernels(const Options& options, const std::vector<std::string>& ways,
                                        const std::vector<std::string>& all_ways) {
  require_known("kernel", options.kernels, kernel_names());
  const bool ablates = std::any_of(ways.begin(), ways.end(), [&](const auto& way) { return !holds(all_ways, way); });
  if (!ablates) return options.kernels.empty() ? kernel_names() : options.kernels;
  const auto ablated = ablated_kernels();
  for (const std::string& name : options.kernels)
    if (!holds(ablated, name))
      fail_input("kernel '{}' is not compiled without analyses of the plugin, as --ablation needs; these are: {}", name,
                 joined(ablated, ", "));
  return options.kernels.empty() ? ablated : options.kernels;
}

void run(const Options& options) {
  if (options.cpu_time && options.threads != 1) fail_input("--cpu-time is for --threads 1");
#if defined(_OPENMP)
  omp_set_num_threads(options.threads);
#else
  if (options.threads != 1) fail_input("this build has one thread: OpenMP was left out");
#endif
  const bool any_pocl = options.ways.empty() || std::any_of(options.ways.begin(), options.ways.end(),
                                                            [](const auto& way) { return way.starts_with("pocl"); });
  const auto device = any_pocl ? open_cl_device(options.threads) : nullptr;
  const auto all_ways = way_names(device.get());
  const Plan plan{chosen_ways(options, all_ways), options.seconds, options.items, options.cpu_time};
  const auto kernels = chosen_kernels(options, plan.ways, all_ways);
  std::vector<Result> results;
  for (const KernelEntry& kernel : variant::kernels()) {
    if (!holds(kernels, std::string(kernel.name))) continue;
    for (const int group : kernel.groups) {
      if (!holds(options.groups, group)) continue;
      results.push_back(measure(kernel, group, plan, device.get()));
      if (options.json) continue;
      const std::string table = text_table({results.back()});
      if (results.size() == 1) {
        fmt::print("{} thread{}; {}; {}\n{}", options.threads, options.threads == 1 ? "" : "s",
                   options.cpu_time ? "process time" : "wall-clock time",
                   device != nullptr ? device->name() : "without OpenCL", table);
      } else {
        fmt::print("{}", table.substr(table.find('\n') + 1));
      }
      std::fflush(stdout);
    }
  }
  if (!results.empty() && std::ranges::all_of(results, [](const Result& r) { return r.measurements.empty(); }))
    fail_input("none of the chosen kernels has any of the chosen ways");
  if (results.empty()) fail_input("none of the chosen kernels has groups of {}", joined(options.groups, ", "));
  if (options.json) {
    fmt::print("{}", json_report(results, options.threads, options.cpu_time, device != nullptr ? device->name() : "",
                                 options.machine));
  } else if (const auto means = text_means(results); !means.empty()) {
    fmt::print("\n{}", means);
  }
  if (!options.plot.empty()) {
    const auto where = options.machine.empty() ? "" : " of " + options.machine;
    write_file(options.plot, svg_figure(results, fmt::format("Work-group kernels, {} thread{}{}", options.threads,
                                                             options.threads == 1 ? "" : "s", where)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("What `trellis bench spmd` starts; its help describes the options.", "trellis");
  app.add_option("--kernel", options.kernels)->delimiter(',');
  app.add_option("--way", options.ways)->delimiter(',');
  app.add_option("--group", options.groups)->delimiter(',')->check(CLI::Range(1, 1024));
  app.add_option("--seconds", options.seconds)->check(examples::positive());
  app.add_option("--threads", options.threads)->check(CLI::Range(1, 1024));
  app.add_option("--items", options.items)->check(CLI::Range(Index(1), Index(1) << 26));
  app.add_flag("--cpu-time", options.cpu_time);
  app.add_flag("--ablation", options.ablation);
  app.add_flag("--json", options.json);
  app.add_option("--plot", options.plot);
  app.add_option("--machine", options.machine);
  return examples::run_program(app, argc, argv, [&] { run(options); });
}
