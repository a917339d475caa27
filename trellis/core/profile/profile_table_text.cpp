// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Formats the table of profile_table.hpp as lines of text.
#include <fmt/format.h>

#include <algorithm>

#include "trellis/core/profile/profile_table.hpp"

namespace trellis {
namespace {

constexpr std::size_t most_labels = 5;

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::string row(int depth, const std::string& name, std::int64_t calls, double seconds, double whole, double bytes,
                double flops) {
  auto text = fmt::format("  {:<38} {:>9} {:>11.6f} {:>6.1f} %", std::string(std::size_t(2 * depth), ' ') + name, calls,
                          seconds, 100 * ratio(seconds, whole));
  if (bytes > 0 || flops > 0) text += bytes > 0 ? fmt::format(" {:>9.2f}", ratio(bytes, seconds) * 1e-9) : "          ";
  if (flops > 0) text += fmt::format(" {:>9.2f}", ratio(flops, seconds) * 1e-9);
  return text + "\n";
}

std::string size(std::size_t bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = double(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 4) value /= 1024, ++unit;
  return fmt::format("{:.4g} {}", value, units[unit]);
}

}  // namespace

std::string ProfileTable::text() const {
  const auto all = regions();
  const double whole = all[0].seconds;
  auto text = fmt::format(
      "Trellis profile: {:.6f} s; in kernels {:.6f} s ({:.1f} %), dispatched by {} thread{}\n"
      "  {:<38} {:>9} {:>11} {:>8} {:>9} {:>9}\n",
      whole, all[0].kernel_seconds, 100 * ratio(all[0].kernel_seconds, whole), threads(), threads() == 1 ? "" : "s",
      "[region] or kernel", "calls", "seconds", "share", "GB/s", "GFLOP/s");
  const auto kernels_of = [&](const RegionTotals& region) {
    for (const auto& k : region.kernels)
      text += row(region.depth, k.name + (k.single ? ", single" : ""), k.calls, k.seconds, whole, k.bytes, k.flops);
  };
  for (std::size_t r = 1; r < all.size(); ++r) {
    const auto& region = all[r];
    text += row(region.depth - 1, "[" + region.name + "]", region.calls, region.seconds, whole, region.kernel_bytes,
                region.kernel_flops);
    kernels_of(region);
  }
  kernels_of(all[0]);  // outside regions
  text += row(0, "outside kernels", 1, std::max(0.0, whole - all[0].kernel_seconds), whole, 0, 0);
  const auto copied = copies(), allocated = allocations();
  text += "  Of the same time, with the kernels that do it:\n";
  text += row(0, "deep_copy", copied.calls, copied.seconds, whole, copied.bytes, 0);
  text += row(0, "allocation of Views", allocated.calls, allocated.seconds, whole, allocated.bytes, 0);
  for (const auto& space : memory()) {
    text += fmt::format("  {}: {} at most at once, {} now; the largest labels:", space.space, size(space.most),
                        size(space.now));
    for (std::size_t n = 0; n < std::min(most_labels, space.labels.size()); ++n)
      text += fmt::format("{} '{}' {}", n == 0 ? "" : ",", space.labels[n].label, size(space.labels[n].most));
    text += "\n";
  }
  return text;
}

}  // namespace trellis
