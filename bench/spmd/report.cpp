// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
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

std::vector<std::pair<std::string, int>> fastest_ways(const std::vector<Result>& results) {
  std::vector<std::pair<std::string, int>> all;
  for (const char* const way : {"threads", "fibers", "fission", "continuations", "PoCL"}) all.emplace_back(way, 0);
  for (const Result& result : results) {
    if (!result.has_barriers) continue;
    std::pair<std::string, int>* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (auto& one : all)
      if (const auto* const m = named(result, one.first); m != nullptr && m->ns_per_item() < least) {
        least = m->ns_per_item();
        best = &one;
      }
    if (best != nullptr) ++best->second;
  }
  std::ranges::stable_sort(all, std::greater<>{}, &std::pair<std::string, int>::second);
  return all;
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
  std::string out;
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
  if (out.empty()) return out;
  out = "How many times faster, geometric mean over the kernels with barriers (and the smallest):\n" + out;
  std::vector<std::string> fastest;
  int lines = 0;
  for (const auto& [way, count] : fastest_ways(results)) {
    if (count > 0) fastest.push_back(fmt::format("{} {}", way, count));
    lines += count;
  }
  return out + fmt::format("Fastest of {} lines with barriers: {}\n", lines, joined(fastest, ", "));
}

std::string json_report(const std::vector<Result>& results, int threads, bool cpu_time, const std::string& open_cl,
                        const std::string& machine) {
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
  nlohmann::json fastest = nlohmann::json::object();
  for (const auto& [way, count] : fastest_ways(results)) fastest[way] = count;
  return nlohmann::json{{"program", "trellis bench spmd"},
                        {"machine", machine},
                        {"fastest_with_barriers", fastest},
                        {"threads", threads},
                        {"cpu_time", cpu_time},
                        {"opencl", open_cl},
                        {"rows", rows}}
             .dump(1) +
         "\n";
}

}  // namespace trellis::bench::spmd
