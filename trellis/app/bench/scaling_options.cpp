// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/scaling_options.hpp"

#include <algorithm>

#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::app {
namespace {

using bench::ScaledKernel;

struct NamedKernels {
  std::string name;
  std::vector<ScaledKernel> kernels;
};

std::vector<ScaledKernel> kernels_of(const std::string& word) {
  const NamedKernels all[] = {{"wilson", {ScaledKernel::wilson_hops}},
                              {"staggered", {ScaledKernel::staggered_hops, ScaledKernel::staggered_operator}},
                              {"gauge-force", {ScaledKernel::plaquette_force, ScaledKernel::symanzik_force}},
                              {"cg", {ScaledKernel::cg_iteration}}};
  for (const auto& entry : all)
    if (word == entry.name) return entry.kernels;
  const auto known = names_of(all);
  fail_input("bench scaling: --kernels: found '{}'{}", word, suggestion(word, known));
}

}  // namespace

std::vector<int> ranks_to_time(const std::string& command, std::vector<int> ranks, int job_size) {
  if (ranks.empty()) {
    for (int count = 1; count < job_size; count *= 2) ranks.push_back(count);
    ranks.push_back(job_size);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (ranks.front() < 1) fail_input("{}: --ranks: found {}; it must be at least 1", command, ranks.front());
  if (ranks.back() > job_size)
    fail_input("{}: --ranks: found {}, and this job has {}: mpirun -n {} trellis {} ...", command, ranks.back(),
               job_size, ranks.back(), command);
  return ranks;
}

std::optional<Coordinate> grid_to_time(const std::string& command, const std::string& text,
                                       const std::vector<int>& ranks) {
  if (text.empty()) return {};
  const auto grid = parse_four(text, "--grid", "1x1x2x2");
  const int count = grid[0] * grid[1] * grid[2] * grid[3];
  if (std::find(ranks.begin(), ranks.end(), count) == ranks.end())
    fail_input("{}: --grid: {} has {} ranks; the measured numbers are {}", command, text, count, joined(ranks, ", "));
  return grid;
}

std::vector<bench::ScalingSeries> scaling_series(const ScalingOptions& options, int job_size) {
  require_thread_count("bench scaling", options.threads);
  if (!(options.seconds > 0)) fail_input("bench scaling: --seconds: found {}; it must be positive", options.seconds);
  bench::ScalingSeries series;
  series.ranks = ranks_to_time("bench scaling", options.ranks, job_size);
  series.grid = grid_to_time("bench scaling", options.grid, series.ranks);
  series.threads = options.threads > 0 ? options.threads : concurrency();
  series.yardstick = !options.no_yardstick;
  std::vector<bench::ScalingSeries> all;
  const auto add = [&](const std::vector<std::string>& sizes, const char* option, const char* example) {
    for (const auto& size : sizes) {
      series.size = parse_four(size, option, example);
      for (const auto& precision : options.precisions) {
        series.precision = choice("bench scaling", "precision", precision, io::file_precisions);
        for (const int count : series.ranks)  // links, and what a kernel makes of them or adds to
          require_memory(std::string("bench scaling: ") + option, series.lattice_of(count),
                         (72.0 + 32) * arithmetic_bytes(series.precision), count);
        series.require_valid();
        for (const auto& word : options.kernels)
          for (const auto kernel : kernels_of(word)) {
            series.kernel = kernel;
            all.push_back(series);
          }
      }
    }
  };
  const bool neither = options.strong.empty() && options.weak.empty();
  using Sizes = std::vector<std::string>;
  series.strong = true;
  add(neither ? Sizes{fields_on_host ? "24x24x24x24" : "32x32x32x64"} : options.strong, "--strong", "24x24x24x24");
  series.strong = false;
  add(neither ? Sizes{fields_on_host ? "12x12x12x12" : "32x32x32x32"} : options.weak, "--weak", "12x12x12x12");
  return all;
}

}  // namespace trellis::app
