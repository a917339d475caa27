// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/trajectory_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {
namespace {

constexpr int colours = 5;

template <class Value>
plot::Series curve(const std::vector<TrajectoryFigure>& figures, bool strong, std::string label, int colour,
                   const Value& value) {
  plot::Series series{.label = std::move(label), .colour = colour % colours, .dashed = colour >= colours};
  for (const auto& figure : figures) {
    if (figure.strong != strong) continue;
    series.x.push_back(figure.ranks);
    series.y.push_back(value(figure));
  }
  return series;
}

void add_curve(plot::Panel& panel, plot::Series series) {
  if (!series.x.empty()) add_marked_line(panel, std::move(series));
}

template <class Value>
plot::Panel panel_of(const std::vector<TrajectoryFigure>& figures, const char* title, const char* unit, bool log_y,
                     const Value& value) {
  plot::Panel panel{.title = title, .x_label = "ranks", .y_label = unit, .whole_x = true, .log_y = log_y};
  for (const bool strong : {true, false})
    add_curve(panel, curve(figures, strong, strong ? "strong scaling" : "weak scaling", strong ? 0 : 1, value));
  return panel;
}

}  // namespace

std::string trajectory_title(const TrajectoryFigure& figure) {
  return figure.strong ? fmt::format("strong scaling, {}", to_string(figure.lattice))
                       : fmt::format("weak scaling, {} a rank", to_string(figure.local));
}

std::string trajectory_heading() {
  auto text = fmt::format("{:>5} {:>7} {:<9} {:<12} {:>12} {:>10} {:>8} {:>8} {:>10}", "ranks", "threads", "grid",
                          "of a rank", "s/trajectory", "efficiency", "GFLOP/s", "GB/s", "iterations");
  for (int k = 0; k < trajectory_parts; ++k) text += fmt::format("  {}", name_of(TrajectoryPart(k)));
  return text + "\n";
}

std::string trajectory_line(const TrajectoryFigure& f) {
  auto text = fmt::format("{:>5} {:>7} {:<9} {:<12} {:>12.4g} {:>9.0f}% {:>8.1f} {:>8.1f} {:>10.0f}", f.ranks,
                          f.threads, to_string(f.grid), to_string(f.local), f.seconds, 100 * f.efficiency,
                          f.flops / f.seconds * 1e-9, f.bytes / f.seconds * 1e-9, f.iterations);
  for (int k = 0; k < trajectory_parts; ++k)
    text += fmt::format("  {:>{}.1f}%", 100 * f.parts[std::size_t(k)] / f.mean_seconds(),
                        name_of(TrajectoryPart(k)).size() - 1);
  return text + "\n";
}

nlohmann::ordered_json to_json(const TrajectoryFigure& f) {
  nlohmann::ordered_json parts;
  for (int k = 0; k < trajectory_parts; ++k) parts[std::string(name_of(TrajectoryPart(k)))] = f.parts[std::size_t(k)];
  return {{"scaling", f.strong ? "strong" : "weak"},
          {"lattice", to_string(f.lattice)},
          {"ranks", f.ranks},
          {"threads", f.threads},
          {"grid", to_string(f.grid)},
          {"of_a_rank", to_string(f.local)},
          {"lanes", f.lanes},
          {"seconds", f.seconds},
          {"seconds_of_each", f.times},
          {"efficiency", f.efficiency},
          {"flops", f.flops},
          {"bytes", f.bytes},
          {"gflops", f.flops / f.seconds * 1e-9},
          {"gbytes", f.bytes / f.seconds * 1e-9},
          {"iterations", f.iterations},
          {"parts", parts},
          {"plaquette", f.plaquette},
          {"dH", f.dH}};
}

std::string trajectory_picture(const std::string& title, const std::vector<TrajectoryFigure>& figures) {
  std::vector<plot::Panel> panels{
      panel_of(figures, "Speed of all ranks together", "GFLOP/s", true,
               [](const auto& f) { return f.flops / f.seconds * 1e-9; }),
      panel_of(figures, "Bandwidth of all ranks together", "GB/s", true,
               [](const auto& f) { return f.bytes / f.seconds * 1e-9; }),
      panel_of(figures, "Efficiency", "% of one rank's", false, [](const auto& f) { return 100 * f.efficiency; })};
  double best = 1;
  for (const auto& figure : figures) best = std::max(best, figure.efficiency);
  panels.back().y_range = {0, 110 * best};
  for (const bool strong : {true, false}) {
    plot::Panel panel{.title = strong ? "Parts of the time, strong scaling" : "Parts of the time, weak scaling",
                      .x_label = "ranks",
                      .y_label = "s per trajectory",
                      .whole_x = true,
                      .log_y = true};
    for (int k = 0; k < trajectory_parts; ++k)
      add_curve(panel, curve(figures, strong, std::string(name_of(TrajectoryPart(k))), k,
                             [k](const auto& f) { return f.parts[std::size_t(k)]; }));
    if (!panel.series.empty()) panels.push_back(std::move(panel));
  }
  return plot::svg_plot(title, panels, 960);
}

}  // namespace trellis::app
