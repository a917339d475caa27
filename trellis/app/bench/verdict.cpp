// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/verdict.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::app {
namespace {

constexpr double most_others = 0.1, most_drift = 0.15, most_of_limit = 1.3, least_of_limit = 0.2;

double own_cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

BenchWatch::BenchWatch(double first_peak, std::function<double()> peak)
    : first_peak_(first_peak), peak_(std::move(peak)), begin_(core_times()), cpu_seconds_(own_cpu_seconds()) {}

Disturbance BenchWatch::look() const {
  Disturbance found{.lost = own_.share()};
  // /proc/stat counts in ticks, over all cores of the machine.
  const double ticks = double(::sysconf(_SC_CLK_TCK)), cores = double(::sysconf(_SC_NPROCESSORS_ONLN));
  const double all = (core_times().used - begin_.used) / ticks, own = own_cpu_seconds() - cpu_seconds_;
  const double seconds = watch_.seconds();
  if (seconds > 0 && cores > 0) found.others = std::clamp((all - own) / (cores * seconds), 0.0, 1.0);
  const double last = peak_();
  if (first_peak_ > 0 && last > 0) found.drift = std::max(first_peak_, last) / std::min(first_peak_, last) - 1;
  return found;
}

std::string verdict(const Disturbance& found, const std::vector<double>& of_limit) {
  const double middle = of_limit.empty() ? 1 : median(of_limit);
  std::vector<std::string> reasons;
  if (const auto lost = describe_lost(found.lost); !lost.empty()) reasons.push_back(lost);
  if (found.others >= most_others)
    reasons.push_back(fmt::format("other processes used {:.0f} % of the machine's cores", 100 * found.others));
  if (found.drift > most_drift)
    reasons.push_back(fmt::format("the peak changed by {:.0f} % while the benchmark ran", 100 * found.drift));
  const auto quiet = fmt::format("other processes used {:.0f} % of the cores, the peak changed by {:.0f} %",
                                 100 * found.others, 100 * found.drift);
  if (middle > most_of_limit) {
    // A GPU's loops that only move bytes are no limit for kernels of a few microseconds, which start back to back.
    if (reasons.empty() && !kernels_on_host)
      return fmt::format(
          "\nNo limit is known for this lattice: half of the kernels are beyond {:.0f} % of what was measured beside "
          "them, and nothing disturbed them ({}).\nTake one that the GPU's caches do not hold.\n",
          100 * middle, quiet);
    reasons.push_back(fmt::format("half of the kernels are beyond {:.0f} % of the measured limit", 100 * middle));
  }
  if (!reasons.empty())
    return fmt::format("\nThe machine is busy: do not trust these figures ({}).\n", joined(reasons, "; "));
  const auto* const what = kernels_on_host ? "CPU" : "GPU";
  if (middle < least_of_limit)
    return fmt::format(
        "\nSlow for this {}: half of the kernels reach less than {:.0f} % of what it allows, and nothing "
        "disturbed them ({}).\nFewer threads, another lattice or `trellis tune` may help; see docs/performance.md.\n",
        what, 100 * least_of_limit, quiet);
  return fmt::format("\nNormal for this {}: the median kernel reaches {:.0f} % of what it allows ({}).\n", what,
                     100 * middle, quiet);
}

}  // namespace trellis::app
