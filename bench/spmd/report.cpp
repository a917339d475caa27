// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "trellis/core/base/joined.hpp"

namespace trellis::bench::spmd {
namespace {

const Measurement* named(const Result& result, const std::string& way) {
  return way == "PoCL" ? result.best_pocl() : result.find(way);
}

double ratio(const Measurement* slow, const Measurement& fast) {
  return slow == nullptr ? std::numeric_limits<double>::quiet_NaN() : slow->ns_per_item() / fast.ns_per_item();
}

std::string text(double number) {
  if (!std::isfinite(number)) return "-";
  return fmt::format("{:.{}f}", number, number < 10 ? 2 : number < 1000 ? 1 : 0);
}

}  // namespace

Mean mean_speedup(const std::vector<Result>& results, const std::string& way, const std::string& other, int group) {
  Mean mean;
  double sum = 0;
  for (const Result& result : results) {
    const bool counts =
        group == 0 ? result.group == 64 || result.group == 256 || result.group == 1024 : result.group == group;
    const Measurement* const fast = named(result, way);
    if (!counts || !result.has_barriers || fast == nullptr) continue;
    const double times = ratio(named(result, other), *fast);
    if (!std::isfinite(times)) continue;
    sum += std::log(times);
    if (mean.kernels++ == 0 || times < mean.least) {
      mean.least = times;
      mean.least_where = fmt::format("{} {}", result.kernel, result.group);
    }
  }
  mean.ratio = mean.kernels > 0 ? std::exp(sum / mean.kernels) : std::numeric_limits<double>::quiet_NaN();
  return mean;
}

std::string text_table(const std::vector<Result>& results) {
  std::string out = fmt::format("{:<17} {:>5}  {:<27} {:>11} {:>8} {:>7} {:>9} {:>8} {:>8}\n", "kernel", "group", "way",
                                "ns an item", "GFLOP/s", "GB/s", "x fibers", "x PoCL", "x hand");
  for (const Result& result : results) {
    for (const Measurement& m : result.measurements) {
      out += fmt::format("{:<17} {:>5}  {:<27} {:>11} {:>8} {:>7} {:>9} {:>8} {:>8}\n", result.kernel, result.group,
                         m.way, text(m.ns_per_item()), m.work.flops > 0 ? text(m.gflops()) : "-", text(m.gigabytes()),
                         text(ratio(result.find("fibers"), m)), text(ratio(result.best_pocl(), m)),
                         text(ratio(result.by_hand(), m)));
    }
  }
  return out;
}

std::string text_means(const std::vector<Result>& results) {
  std::set<int> groups;
  for (const Result& result : results) groups.insert(result.group);
  std::string out = "How many times faster, geometric mean over the kernels with barriers (and the smallest):\n";
  const auto line = [&](const std::string& label, int group) {
    const auto add = [&](const std::string& way, const std::string& other) {
      const Mean mean = mean_speedup(results, way, other, group);
      if (mean.kernels == 0) return;
      out += fmt::format("  groups of {:<15} {:<13} over {:<27} {:>7}  of {} (least {}: {})\n", label, way, other,
                         text(mean.ratio), mean.kernels, text(mean.least), mean.least_where);
    };
    for (const char* const way : {"fission", "continuations", "PoCL"}) {
      for (const char* const other : {"fibers", "PoCL", "fission"}) {
        if (std::string(way) == other || (std::string(way) == "PoCL" && std::string(other) != "fibers")) continue;
        add(way, other);
      }
      for (const std::string& less : ablations_of(way)) add(way, less);
    }
  };
  for (const int group : groups) line(fmt::format("{}", group), group);
  std::vector<int> averaged;
  for (const int group : {64, 256, 1024})
    if (groups.contains(group)) averaged.push_back(group);
  if (averaged.size() > 1) line(joined(averaged, ", "), 0);
  return out;
}

std::string json_report(const std::vector<Result>& results, int threads, bool cpu_time, const std::string& open_cl) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Result& result : results) {
    for (const Measurement& m : result.measurements) {
      rows.push_back({{"kernel", result.kernel},
                      {"barriers", result.has_barriers},
                      {"group", result.group},
                      {"way", m.way},
                      {"items", m.work.items},
                      {"seconds", m.seconds},
                      {"ns_per_item", m.ns_per_item()},
                      {"gflops", m.gflops()},
                      {"gigabytes_per_second", m.gigabytes()}});
    }
  }
  return nlohmann::json{{"program", "trellis bench spmd"},
                        {"threads", threads},
                        {"cpu_time", cpu_time},
                        {"opencl", open_cl},
                        {"rows", rows}}
             .dump(1) +
         "\n";
}

}  // namespace trellis::bench::spmd
