// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/other_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "trellis/core/base/plural.hpp"

namespace trellis::app {
namespace {

constexpr double news_from = 0.2, report_from = 0.1;
constexpr double window_seconds = 5, silent_seconds = 3600;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

void add_thread(std::string_view schedstat, CoreTimes& times) {
  std::istringstream numbers{std::string(schedstat)};
  double running = 0, waiting = 0;  // nanoseconds
  if (!(numbers >> running >> waiting)) return;
  times.running += 1e-9 * running;
  times.waiting += 1e-9 * waiting;
}

void read_machine(std::string_view stat, CoreTimes& times) {
  std::istringstream words{std::string(stat)};
  std::string name;
  // user, nice, system, idle, iowait, irq, softirq, steal
  std::array<double, 8> n{};
  words >> name;
  for (double& one : n)
    if (!(words >> one)) return;
  times.stolen = n[7];
  times.used = n[0] + n[1] + n[2] + n[5] + n[6];
}

CoreTimes core_times() {
  CoreTimes times;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none))
    add_thread(text_of(thread.path() / "schedstat"), times);
  read_machine(text_of("/proc/stat"), times);
  return times;
}

double share_lost(const CoreTimes& from, const CoreTimes& to) {
  // Threads that have ended are no longer counted.
  const auto grown = [](double before, double now) { return std::max(0.0, now - before); };
  const auto share = [](double part, double rest) { return part > 0 ? part / (part + rest) : 0; };
  const double waited = share(grown(from.waiting, to.waiting), grown(from.running, to.running));
  const double stolen = share(grown(from.stolen, to.stolen), grown(from.used, to.used));
  return 1 - (1 - waited) * (1 - stolen);
}

std::optional<double> OtherWork::look() {
  if (since_last_.seconds() < window_seconds) return {};
  const auto before = std::exchange(last_, core_times());
  since_last_ = {};
  return share_lost(before, last_);
}

std::optional<std::string> OtherWork::news(double lost) {
  if (lost < news_from || (said_ && since_said_.seconds() < silent_seconds)) return {};
  said_ = true;
  since_said_ = {};
  return fmt::format(
      "{}: threads waited {:.0f} % of the time for one. Trajectories take longer; no bit changes",
      crowd_.empty() ? "Other work is using the cores" : fmt::format("There are more threads than cores ({})", crowd_),
      100 * lost);
}

std::string crowd_text(int ranks, int threads, int cores) {
  if (cores <= 0 || std::int64_t(ranks) * threads <= cores) return "";
  const auto who = ranks == 1 ? plural(threads, "thread")
                              : fmt::format("{} ranks of this job with {} each", ranks, plural(threads, "thread"));
  return fmt::format("{} share {}", who, plural(cores, "core"));
}

std::string describe_lost(double share, const std::string& crowd) {
  if (share < report_from) return "";
  return fmt::format("threads waited {:.0f} % of the time for a core{}", 100 * share,
                     crowd.empty() ? " used by other work" : ": " + crowd);
}

}  // namespace trellis::app
