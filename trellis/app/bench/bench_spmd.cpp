// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench spmd: work-group kernels with every way to run their work-items on a CPU. They are a program of their
// own, which this command starts.
#include <sys/wait.h>

#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/bench/child_program.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

constexpr const char* kernels_program = "trellis_bench_spmd";

struct SpmdOptions {
  std::vector<std::string> kernels, ways;
  std::vector<int> groups;
  double seconds = 0.3;
  int threads = 1;
  std::int64_t items = 0;
  bool cpu_time = false, ablation = false, json = false;
  std::string plot;
};

std::vector<std::string> arguments_of(const SpmdOptions& options) {
  std::vector<std::string> arguments{"--seconds", fmt::format("{}", options.seconds), "--threads",
                                     fmt::format("{}", options.threads)};
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {name, value});
  };
  std::vector<std::string> groups;
  for (const int group : options.groups) groups.push_back(fmt::format("{}", group));
  add("--kernel", joined(options.kernels, ","));
  add("--way", joined(options.ways, ","));
  add("--group", joined(groups, ","));
  add("--items", options.items > 0 ? fmt::format("{}", options.items) : "");
  add("--plot", options.plot);
  add("--machine", tuning::processor());
  if (options.cpu_time) arguments.emplace_back("--cpu-time");
  if (options.ablation) arguments.emplace_back("--ablation");
  if (options.json) arguments.emplace_back("--json");
  return arguments;
}

int run(const SpmdOptions& options) {
  require_one_rank("bench spmd");
  if (!(options.seconds > 0)) fail_input("bench spmd: --seconds is {}; it must be positive", options.seconds);
  if (options.threads < 1 || options.threads > 1024)
    fail_input("bench spmd: --threads is {}; it must be from 1 to 1024", options.threads);
  if (options.items < 0) fail_input("bench spmd: --items is {}; it must be 0 or more", options.items);
  require_output_file("bench spmd: --plot", options.plot);
  const auto program = bench::path_of_part(kernels_program);
  if (program.empty())
    fail_input(
        "bench spmd: its kernels are a target of their own, and {} is not beside this program, nor in ../lib/trellis. "
        "In "
        "the source folder: cmake --build build/release --target bench_spmd; then use build/release/bin/trellis, or "
        "install again",
        kernels_program);
  auto command = arguments_of(options);
  command.insert(command.begin(), program.string());
  const int status = bench::wait_for_program(bench::start_program(command));
  if (WIFSIGNALED(status)) fail("bench spmd: {} was ended by signal {}", program.string(), WTERMSIG(status));
  return WEXITSTATUS(status);
}

}  // namespace

void add_bench_spmd(const Command& bench, Action& action) {
  auto options = std::make_shared<SpmdOptions>();
  const auto command = bench.add_subcommand(
      "spmd",
      "Time work-group kernels on a CPU with every way to run their work-items: threads, fibers and, if clang 19 "
      "compiled them, loop fission and continuations; compared with the same kernels in OpenCL on PoCL, if there is "
      "one, with kernels in two scopes and with hand-written loops. All results are checked first");
  command
      .add_option("--kernel", options->kernels,
                  "reduction, nbody, dgemm, scan, transpose, histogram, stencil, dslash, sort, fft, alignment, lu, "
                  "spmv, md, mandelbrot, axpy, polynomial, copy, mul, add, triad, dot, staggered, syrk, syr2k, "
                  "covariance, correlation, gemm, 2mm, 3mm, atax, bicg, mvt, gesummv, neural, floyd_warshall, "
                  "gauss_jordan, gram_schmidt, radix_sort, segmented_sum, scalar_product, local_memory, kmeans, "
                  "regression_error, regression_line, sobel3, sobel5, sobel7, median, convolution, md5, convolution3d, "
                  "maxwell, breadth_first, special_functions, separated by commas; default: all")
      .delimiter(',');
  command
      .add_option(
          "--way", options->ways,
          "threads, fibers, fission, continuations, pocl-loopvec, ..., hierarchical, by-hand, production; default: all "
          "there are, without those of --ablation (fission-no-uniform, ...)")
      .delimiter(',');
  command.add_option("--group", options->groups, "work-items of a group, 32 to 1024, as far as a kernel supports them")
      .delimiter(',');
  command.add_option("--seconds", options->seconds, "time for each way in each line").capture_default_str();
  command.add_option("--threads", options->threads, "threads, also PoCL's").capture_default_str();
  command.add_option("--items", options->items, "about how many work-items; 0: each kernel's own number")
      .capture_default_str();
  command.add_flag("--cpu-time", options->cpu_time,
                   "measure the time of the process instead of the clock's: for one thread on a shared machine");
  command.add_flag(
      "--ablation", options->ablation,
      "also time the plugin's ways without its analysis of uniform values, of contiguous ones, and of both");
  command.add_flag("--json", options->json, "print JSON");
  command.add_option("--plot", options->plot, "an SVG picture: times of a work-item by size of the groups");
  command.footer("Example: trellis bench spmd --kernel reduction,nbody --group 64,256 --plot spmd.svg");
  command.callback([options, &action] {
    keep_each_once(options->kernels, options->ways, options->groups);
    action = [options] { return run(*options); };
  });
}

}  // namespace trellis::app
