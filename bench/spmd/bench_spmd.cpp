// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// bench_spmd: work-group kernels with every way to run their work-items, compared with the same kernels in OpenCL on
// PoCL and, for some, hand-written loops.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "bench/spmd/measure.hpp"
#include "bench/spmd/report.hpp"
#include "examples/program.hpp"
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
  std::string json, svg;
};

template <class T>
bool holds(const std::vector<T>& list, const T& x) {
  return list.empty() || std::find(list.begin(), list.end(), x) != list.end();
}

// Throws an Error that lists `known` unless every one of `given` is among them.
void require_known(const char* what, const std::vector<std::string>& given, const std::vector<std::string>& known) {
  for (const std::string& name : given) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail_input("there is no {} '{}' here: {}", what, name, joined(known, ", "));
    }
  }
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) fail("cannot write '{}'", path);
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const KernelEntry& kernel : kernels()) names.emplace_back(kernel.name);
  return names;
}

void run(const Options& options) {
  if (options.cpu_time && options.threads != 1) fail_input("--cpu-time is for --threads 1");
#if defined(_OPENMP)
  omp_set_num_threads(options.threads);
#else
  if (options.threads != 1) fail_input("this build has one thread: OpenMP was left out");
#endif
  require_known("kernel", options.kernels, kernel_names());
  const bool any_pocl = options.ways.empty() || std::any_of(options.ways.begin(), options.ways.end(),
                                                            [](const auto& way) { return way.starts_with("pocl"); });
  const auto device = any_pocl ? open_cl_device(options.threads) : nullptr;
  std::vector<std::string> ways = way_names(device.get());
  if (!options.ways.empty()) {
    require_known("way", options.ways, ways);
    ways = options.ways;
  }
  const Plan plan{ways, options.seconds, options.items, options.cpu_time};
  std::vector<Result> results;
  for (const KernelEntry& kernel : kernels()) {
    if (!holds(options.kernels, std::string(kernel.name))) continue;
    for (const int group : kernel.groups) {
      if (!holds(options.groups, group)) continue;
      results.push_back(measure(kernel, group, plan, device.get()));
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
  if (results.empty()) fail_input("none of the chosen kernels has groups of {}", joined(options.groups, ", "));
  fmt::print("\n{}", text_means(results));
  if (!options.json.empty()) {
    write_file(options.json,
               json_report(results, options.threads, options.cpu_time, device != nullptr ? device->name() : ""));
  }
  if (!options.svg.empty()) {
    write_file(options.svg, svg_figure(results, fmt::format("Work-group kernels, {} thread{}", options.threads,
                                                            options.threads == 1 ? "" : "s")));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Times work-group kernels with every way to run their work-items, compared with OpenCL on PoCL.\n"
      "All results are checked first. Example:\n"
      "  bench_spmd --kernel reduction,nbody --group 64,256 --seconds 0.5 --svg spmd.svg",
      "bench_spmd");
  app.add_option("--kernel", options.kernels, "Kernels: " + joined(kernel_names(), ", ") + " (default: all)")
      ->delimiter(',');
  app.add_option("--way", options.ways,
                 "Ways: threads, fibers, fission, continuations, pocl-loopvec, ..., by-hand (default: all)")
      ->delimiter(',');
  app.add_option("--group", options.groups, "Work-items per group (32 to 1024, as far as a kernel supports it)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--seconds", options.seconds, "Time for each way in each row")
      ->capture_default_str()
      ->check(examples::positive());
  app.add_option("--threads", options.threads, "Threads, also PoCL's")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  app.add_option("--items", options.items, "Approximate number of work-items, instead of each kernel's own")
      ->check(CLI::Range(Index(1), Index(1) << 26));
  app.add_flag("--cpu-time", options.cpu_time,
               "Measure process time instead of wall-clock time: for one thread on a shared machine");
  app.add_option("--json", options.json, "Write the results to this file");
  app.add_option("--svg", options.svg, "Write a figure to this file");
  return examples::run_program(app, argc, argv, [&] { run(options); });
}
