// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Presents the measurements: a table, JSON, and a picture with a panel for each kernel that shows nanoseconds per
// work-item versus group size, one line per way.

#include <string>
#include <utility>
#include <vector>

#include "bench/spmd/measure.hpp"

namespace trellis::bench::spmd {

// How many times faster `way` is than `other`, as the geometric mean over the kernels with barriers, at one group size
// or, with 0, at 64, 256 and 1024. Not finite if there is nothing to compare.
struct Mean {
  double ratio = 0;
  int kernels = 0;
  double least = 0;
  std::string least_where;  // "scan 64"
};
Mean mean_speedup(const std::vector<Result>& results, const std::string& way, const std::string& other, int group);

// Of how many kernels with barriers, at each size of the groups, a way is the fastest: of threads, fibers, fission,
// continuations and the best of PoCL, those that were measured. The largest number first.
std::vector<std::pair<std::string, int>> fastest_ways(const std::vector<Result>& results);

std::string text_table(const std::vector<Result>& results);
std::string text_means(const std::vector<Result>& results);
std::string json_report(const std::vector<Result>& results, int threads, bool cpu_time, const std::string& open_cl,
                        const std::string& machine);
std::string svg_figure(const std::vector<Result>& results, const std::string& title);

}  // namespace trellis::bench::spmd
