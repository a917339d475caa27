// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/kernel_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/bench/machine/machine.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

constexpr double kMebi = 1 << 20;
constexpr std::size_t kMostRows = 12;
constexpr double kLeastShare = 0.01;

void sort_longest_first(std::vector<KernelTotals>& kernels) {
  std::sort(kernels.begin(), kernels.end(),
            [](const KernelTotals& a, const KernelTotals& b) { return a.seconds > b.seconds; });
}

// The remaining time.
double outside(const std::vector<KernelTotals>& kernels, double seconds) {
  for (const auto& k : kernels) seconds -= k.seconds;
  return std::max(0.0, seconds);
}

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::string percent(double fraction, int digits) { return fmt::format("{:.{}f} %", 100 * fraction, digits); }

std::string text_row(const std::string& name, double share, std::int64_t calls) {
  return fmt::format("  {:<36} {:>7} {:>9}", name, percent(share, 1), calls);
}

std::string text_row(const KernelTotals& k, double seconds, const MachineLimits& limits) {
  auto row = text_row(k.name + (k.single ? ", single" : ""), ratio(k.seconds, seconds), k.calls);
  const double bytes = ratio(k.bytes, k.seconds), flops = ratio(k.flops, k.seconds);
  if (bytes > 0)
    row += fmt::format(" {:>8.1f} {:>8}", bytes * 1e-9, percent(ratio(bytes, limits.triad), 0));
  else if (flops > 0)
    row += fmt::format(" {:>8} {:>8}", "", "");
  if (flops > 0) row += fmt::format(" {:>9.1f} {:>8}", flops * 1e-9, percent(ratio(flops, limits.peak(k.single)), 0));
  return row + "\n";
}

// Kernel names are free text, table cells are not.
std::string cell(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '"' || c == '\n') c = ' ';
  return text;
}

std::string rates(double amount, double seconds, double limit) {
  if (!(amount > 0) || !(seconds > 0)) return ",";
  return fmt::format("{},{}", amount / seconds * 1e-9, ratio(amount / seconds, limit));
}

}  // namespace

MachineLimits measure_limits(double field_bytes) {
  const tuning::TimingParameters timing{3, 0.002};
  const auto w = bench::measure_bandwidth(std::int64_t(std::clamp(field_bytes, 4 * kMebi, 192 * kMebi)), timing);
  const auto peak = bench::measure_peak_flops(timing);
  return {.threads = kernels_on_host ? concurrency() : 0,
          .array_bytes = double(w.bytes),
          .copy = std::max(w.copy, w.copy_streaming),
          .triad = w.best(),
          .single = peak.single,
          .double_ = peak.double_};
}

std::string kernel_text(std::vector<KernelTotals> kernels, double seconds, const MachineLimits& limits) {
  if (kernels.empty()) return "";
  sort_longest_first(kernels);
  const auto who = limits.threads == 0   ? std::string("the GPU reaches")
                   : limits.threads == 1 ? std::string("1 thread reaches")
                                         : fmt::format("{} threads reach", limits.threads);
  auto text = fmt::format("Kernels; {} {:.1f} GB/s (triad; copy {:.1f}), {:.0f} GFLOP/s ({:.0f} single)\n", who,
                          limits.triad * 1e-9, limits.copy * 1e-9, limits.double_ * 1e-9, limits.single * 1e-9);
  text += fmt::format("  {:<36} {:>7} {:>9} {:>8} {:>8} {:>9} {:>8}\n", "", "time", "calls", "GB/s", "of triad",
                      "GFLOP/s", "of peak");
  std::size_t n = 0;
  while (n < kernels.size() && n < kMostRows && (n == 0 || kernels[n].seconds >= kLeastShare * seconds))
    text += text_row(kernels[n++], seconds, limits);
  if (n < kernels.size()) {
    KernelTotals others;
    for (auto k = n; k < kernels.size(); ++k) {
      others.seconds += kernels[k].seconds;
      others.calls += kernels[k].calls;
    }
    text += text_row(fmt::format("{} others", kernels.size() - n), ratio(others.seconds, seconds), others.calls) + "\n";
  }
  text += fmt::format("  {:<36} {:>7}\n", "outside kernels", percent(ratio(outside(kernels, seconds), seconds), 1));
  text += fmt::format(
      "  GB/s: the minimum bytes that must move, each number once. Above 100 % of the triad, which uses\n"
      "  arrays of {:.0f} MiB, a kernel finds its numbers in a cache.\n",
      limits.array_bytes / kMebi);
  return text;
}

std::string kernel_csv(std::vector<KernelTotals> kernels, double seconds, const MachineLimits& limits) {
  sort_longest_first(kernels);
  std::string text = "kernel,precision,calls,seconds,share,gbytes_per_second,of_bandwidth,gflops_per_second,of_peak\n";
  for (const auto& k : kernels)
    text += fmt::format("{},{},{},{},{},{},{}\n", cell(k.name), k.single ? "single" : "double", k.calls, k.seconds,
                        ratio(k.seconds, seconds), rates(k.bytes, k.seconds, limits.triad),
                        rates(k.flops, k.seconds, limits.peak(k.single)));
  const double rest = outside(kernels, seconds);
  return text + fmt::format("outside kernels,,,{},{},,,,\n", rest, ratio(rest, seconds));
}

}  // namespace trellis::app
