// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/tempering/tempering_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/report/html.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {
namespace {

using plot::Mark, plot::Panel, plot::Series, plot::SvgUse;

std::size_t replicas_of(const io::CsvData& table) {
  std::size_t count = 0;
  while (table.has(fmt::format("walker_{}", count))) ++count;
  return count;
}

// places[walker][row]: the replica at which it was.
std::vector<std::vector<double>> places_of_walkers(const io::CsvData& table, std::size_t count) {
  std::vector<std::vector<double>> places(count, std::vector<double>(table.rows(), 0.0));
  for (std::size_t r = 0; r < count; ++r) {
    const auto& walkers = table.column(fmt::format("walker_{}", r));
    for (std::size_t row = 0; row < walkers.size(); ++row)
      if (const double walker = walkers[row]; walker >= 0 && walker < double(count))
        places[std::size_t(walker)][row] = double(r);
  }
  return places;
}

}  // namespace

TemperingSummary tempering_summary(const io::CsvData& table, std::int64_t cut) {
  TemperingSummary summary;
  const auto count = replicas_of(table);
  if (count < 2) return summary;
  const auto& numbers = table.column("trajectory");
  const auto is_kept = [&](std::size_t row) { return numbers[row] > double(cut); };
  for (std::size_t row = 0; row < numbers.size(); ++row) summary.trajectories += is_kept(row) ? 1 : 0;
  if (summary.trajectories == 0) return summary;
  for (std::size_t r = 0; r + 1 < count; ++r) {
    const auto& swapped = table.column(fmt::format("swapped_{}", r));
    double sum = 0;
    for (std::size_t row = 0; row < swapped.size(); ++row) sum += is_kept(row) ? swapped[row] : 0;
    summary.accepted.push_back(sum / double(summary.trajectories));
  }
  for (const auto& places : places_of_walkers(table, count)) {
    bool from_first = false, at_last = false;
    for (std::size_t row = 0; row < places.size(); ++row) {
      if (!is_kept(row)) continue;
      if (places[row] == double(count - 1)) at_last = from_first;
      if (places[row] != 0) continue;
      summary.round_trips += at_last ? 1 : 0;
      from_first = true;
      at_last = false;
    }
  }
  return summary;
}

std::string tempering_text(const io::CsvData& table, std::int64_t cut) {
  const auto summary = tempering_summary(table, cut);
  if (summary.accepted.empty()) return "";
  const auto [least, most] = std::minmax_element(summary.accepted.begin(), summary.accepted.end());
  const auto pair = least - summary.accepted.begin();
  auto text =
      fmt::format("  {:<20} accepted: {:.3g} (lowest, replicas {} and {}) to {:.3g}; {} in {} trajectories\n", "swaps",
                  *least, pair, pair + 1, *most, plural(summary.round_trips, "round trip"), summary.trajectories);
  if (*most == 0)
    text += fmt::format("  {:<20} none was accepted: the replicas are chains of their own\n", "");
  else if (*least < 0.05 && summary.trajectories >= 100)
    text += fmt::format("  {:<20} fewer than a twentieth is accepted at that pair: move couplings closer there\n", "");
  return text;
}

std::string tempering_figures(const io::CsvData& table, std::int64_t cut) {
  const auto count = replicas_of(table);
  if (count < 2 || table.rows() == 0) return "";
  const auto summary = tempering_summary(table, cut);
  const double shaded = cut > 0 ? double(cut) : -1e300;
  Panel swaps{.title = "Swaps accepted, by their first replica",
              .x_label = "replica",
              .y_range = std::pair(0.0, 1.04),
              .whole_x = true,
              .shaded_until = -1e300,
              .height = 180};
  Series accepted{.mark = Mark::dot, .colour = 2};
  for (std::size_t r = 0; r < summary.accepted.size(); ++r) {
    accepted.x.push_back(double(r));
    accepted.y.push_back(summary.accepted[r]);
  }
  swaps.series.push_back(std::move(accepted));
  constexpr std::size_t shown = 3;
  Panel places{.title = count > shown ? fmt::format("Where the first {} of {} walkers were", shown, count)
                                      : std::string("Where walkers were"),
               .x_label = "trajectory",
               .y_label = "replica",
               .y_range = std::pair(-0.15, double(count) - 0.85),
               .whole_x = true,
               .whole_y = true,
               .shaded_until = shaded,
               .shaded = "thermalisation",
               .height = 180};
  const auto all = places_of_walkers(table, count);
  for (std::size_t walker = 0; walker < std::min(shown, count); ++walker)
    places.series.push_back({.label = fmt::format("walker {}", walker),
                             .mark = Mark::step,
                             .colour = int(walker),
                             .x = table.column("trajectory"),
                             .y = all[walker]});
  return html::figure(plot::svg_plot("Swaps of replicas", {swaps, places}, 580, SvgUse::page),
                      summary.trajectories == 0
                          ? std::string()
                          : fmt::format("{} of all walkers in {} trajectories",
                                        plural(summary.round_trips, "round trip"), summary.trajectories));
}

}  // namespace trellis::app
