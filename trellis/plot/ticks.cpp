// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trellis::plot {

double nice_spacing(double low, double high, int count, bool whole) {
  if (!(high > low) || !std::isfinite(high - low) || count < 1) return 0;
  if (high - low < 1e-12 * std::max(std::abs(low), std::abs(high))) return 0;  // too few numbers between them
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double spacing = power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
  return whole ? std::max(spacing, 1.0) : spacing;
}

std::vector<double> nice_ticks(double low, double high, int count, bool whole) {
  const double spacing = nice_spacing(low, high, count, whole);
  if (spacing == 0) return {};
  std::vector<double> ticks;
  const double tolerance = 1e-9;
  const double first = std::ceil(low / spacing - tolerance), last = std::floor(high / spacing + tolerance);
  for (int k = 0; k <= int(last - first); ++k) ticks.push_back((first + k) * spacing);
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks;
  const bool few = high / low < 3000;
  for (int decade = int(std::floor(std::log10(low))); decade <= int(std::floor(std::log10(high * 1.0001))); ++decade)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10, decade);
      if ((few || digit == 1) && tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push_back(tick);
    }
  if (ticks.size() >= 3) return ticks;
  const auto evenly = nice_ticks(low, high, 4);
  return evenly.size() > ticks.size() ? evenly : ticks;
}

std::string tick_text(double tick, double spacing, double largest) {
  if (std::abs(tick) < 1e-9 * spacing) tick = 0;
  if (largest >= 1e6 || spacing < 1e-6) return fmt::format("{:.6g}", tick);
  return fmt::format("{:.{}f}", tick, std::max(0, static_cast<int>(std::ceil(-std::log10(spacing) - 1e-9))));
}

Range widened(Range range, double share) {
  double length = range.second - range.first;
  if (!(length > 0)) length = std::max(std::abs(range.first) * 1e-3, 1e-12) / std::max(share, 0.01);
  return {range.first - share * length, range.second + share * length};
}

std::optional<Range> robust_range(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const double low = values[static_cast<std::size_t>(std::floor(0.01 * last))];
  const double high = values[static_cast<std::size_t>(std::ceil(0.99 * last))];
  const auto wide = widened({low, high}, 0.5), all = widened({values.front(), values.back()}, 0.06);
  return std::pair(std::max(wide.first, all.first), std::min(wide.second, all.second));
}

}  // namespace trellis::plot
