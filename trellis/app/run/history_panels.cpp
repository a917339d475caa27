// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/history_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "trellis/analysis/statistics.hpp"

namespace trellis::app {
namespace {

constexpr const char* kShaded = "thermalisation";

// Fewer kept values say too little about the range.
std::optional<std::pair<double, double>> range_of(const std::vector<double>& kept, const std::vector<double>& all) {
  return plot::robust_range(kept.size() < 5 ? all : kept);
}

// Below the panel if there is no thermalisation, so that nothing is shaded.
double shaded_until(std::int64_t cut) { return cut > 0 ? double(cut) : std::numeric_limits<double>::lowest(); }

}  // namespace

plot::Panel history_panel(const std::string& title, const std::vector<History>& chains, double mean, double error,
                          const std::string& counted_in) {
  plot::Panel panel{.title = title, .x_label = counted_in, .whole_x = true};
  std::vector<double> kept, all;
  double first = 0, last = 0;
  bool same_cut = true;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const auto& chain = chains[i];
    constexpr std::array colours{0, 2, 3, 4};  // the mean is orange
    plot::Series series{.label = chain.label,
                        .mark = plot::Mark::line,
                        .colour = colours[i % colours.size()],
                        .dashed = i >= colours.size()};
    for (std::size_t k = 0; k < chain.values.size(); ++k) {
      if (!std::isfinite(chain.values[k])) continue;
      series.x.push_back(chain.numbers[k]);
      series.y.push_back(chain.values[k]);
      all.push_back(chain.values[k]);
      if (chain.numbers[k] > double(chain.cut)) kept.push_back(chain.values[k]);
      last = std::max(last, chain.numbers[k]);
    }
    same_cut = same_cut && chain.cut == chains[0].cut;
    first = i == 0 ? double(chain.cut) : std::min(first, double(chain.cut));
    panel.series.push_back(std::move(series));
  }
  panel.y_range = range_of(kept, all);
  panel.shaded_until = shaded_until(same_cut && !chains.empty() ? chains[0].cut : 0);
  panel.shaded = kShaded;
  if (std::isfinite(mean) && last > first)
    panel.bands = {{.label = "mean " + analysis::with_error(mean, error),
                    .y = mean,
                    .half_width = std::isfinite(error) ? error : 0,
                    .x_from = first,
                    .x_to = last}};
  return panel;
}

plot::Panel energy_panel(const io::CsvData& table, std::int64_t cut) {
  const auto &trajectory = table.column("trajectory"), &dH = table.column("dH"), &accepted = table.column("accepted");
  plot::Series yes{.label = "accepted", .mark = plot::Mark::dot, .colour = 0},
      no{.label = "rejected", .mark = plot::Mark::cross, .colour = 1};
  std::vector<double> kept;
  for (std::size_t i = 0; i < dH.size(); ++i) {
    auto& to = accepted[i] != 0 ? yes : no;
    to.x.push_back(trajectory[i]);
    to.y.push_back(dH[i]);
    if (trajectory[i] > double(cut)) kept.push_back(dH[i]);
  }
  if (no.x.empty()) no.label.clear();
  plot::Panel panel{.title = "dH, the energy change of each trajectory", .x_label = "trajectory", .whole_x = true};
  // Energy changes during thermalisation may be orders of magnitude larger: they get a mark at the edge.
  panel.y_range = range_of(kept, dH);
  panel.shaded_until = shaded_until(cut);
  panel.shaded = kShaded;
  panel.series = {std::move(yes), std::move(no)};
  return panel;
}

}  // namespace trellis::app
