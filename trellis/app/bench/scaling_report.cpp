// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/scaling_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {
namespace {

std::string micro(double seconds) { return fmt::format("{:.1f}", 1e6 * seconds); }

// Cells that mean nothing on one rank are "-".
std::string line(const bench::ScalingSeries& series, const bench::ScalingFigure& f) {
  const bool several = f.ranks > 1;
  const auto cell = [&](const std::string& text) { return several ? text : std::string("-"); };
  return fmt::format(
      "{:<16} {:>5} {:>8} {:<9} {:<12} {:>10} {:>7.1f} {:>8.1f} {:>9.0f}% {:>12} {:>9} {:>10} {:>9} {:>7} {:>10} {:>8} "
      "{:>8} {:>8}\n",
      name_of(series.kernel), f.ranks, f.threads, to_string(f.grid), to_string(f.local), micro(f.seconds),
      f.bytes / f.seconds * 1e-9, f.flops / f.seconds * 1e-9, 100 * f.efficiency,
      f.of_yardstick > 0 ? fmt::format("{:.1f}%", 100 * f.of_yardstick) : "-",
      cell(fmt::format("{:.1f}", f.sent.bytes / 1024)), cell(micro(f.compute)), cell(micro(f.messages)),
      cell(micro(f.sums)), cell(micro(f.model())), cell(fmt::format("{:.2f}", f.seconds / f.model())),
      cell(micro(f.waiting)), cell(micro(f.packing)));
}

constexpr const char* ideal = "ideal";

bool is_force(bench::ScaledKernel kernel) {
  return kernel == bench::ScaledKernel::plaquette_force || kernel == bench::ScaledKernel::symanzik_force;
}

// Forces have separate panels.
int colour_of(bench::ScaledKernel kernel) {
  using bench::ScaledKernel;
  switch (kernel) {
    case ScaledKernel::staggered_hops:
    case ScaledKernel::symanzik_force:
      return 1;
    case ScaledKernel::staggered_operator:
      return 2;
    case ScaledKernel::cg_iteration:
      return 3;
    default:
      return 0;
  }
}

const bench::ScalingFigure& first_of(const ScalingResult& result) {
  return *std::ranges::find_if(result.figures, [](const auto& f) { return !f.yardstick; });
}

// Measured: a line with dots. Ideal: dashed, if there are several numbers of ranks. All share one entry of the legend.
void add_speed(const ScalingResult& result, plot::Panel& panel) {
  const auto& first = first_of(result);
  const int colour = colour_of(result.series.kernel);
  plot::Series measured{std::string(name_of(result.series.kernel)), plot::Mark::line, colour};
  const auto named = [](const plot::Series& series) { return series.label == ideal; };
  plot::Series line{.label = std::ranges::any_of(panel.series, named) ? "" : ideal, .colour = colour, .dashed = true};
  for (const auto& f : result.figures) {
    if (f.yardstick) continue;
    measured.x.push_back(f.ranks);
    measured.y.push_back(f.flops / f.seconds * 1e-9);
    line.x.push_back(f.ranks);
    line.y.push_back(first.flops / first.seconds * 1e-9 * f.ranks / first.ranks);
  }
  const bool several = measured.x.size() > 1;
  add_marked_line(panel, std::move(measured));
  if (several) panel.series.push_back(std::move(line));
}

// Measured: a line with dots. Model: crosses.
void add_efficiency(const ScalingResult& result, plot::Panel& panel) {
  const auto& figures = result.figures;
  const auto& first = first_of(result);
  const int colour = colour_of(result.series.kernel);
  plot::Series measured{std::string(name_of(result.series.kernel)), plot::Mark::line, colour},
      model{"", plot::Mark::cross, colour};
  for (const auto& f : figures) {
    if (f.yardstick) continue;
    measured.x.push_back(f.ranks);
    measured.y.push_back(100 * f.efficiency);
    const double share = result.series.strong ? double(first.ranks) / f.ranks : 1;
    model.x.push_back(f.ranks);
    model.y.push_back(100 * share * first.seconds / f.model());
  }
  add_marked_line(panel, std::move(measured));
  panel.series.push_back(model);
}

}  // namespace

std::string scaling_title(const bench::ScalingSeries& series) {
  return fmt::format("{} scaling, {}{}, {}", series.strong ? "strong" : "weak", to_string(series.size),
                     series.strong ? "" : " a rank", name_of(series.precision));
}

std::string scaling_heading() {
  return fmt::format(
      "{:<16} {:>5} {:>8} {:<9} {:<12} {:>10} {:>7} {:>8} {:>10} {:>12} {:>9} {:>10} {:>9} {:>7} {:>10} {:>8} "
      "{:>8} {:>8}\n",
      "kernel", "ranks", "threads", "grid", "of a rank", "us", "GB/s", "GFLOP/s", "efficiency", "of yardstick",
      "KiB sent", "computing", "messages", "sums", "model", "of model", "waiting", "packing");
}

std::string scaling_lines(const ScalingResult& result) {
  std::string lines;
  for (const auto& figure : result.figures) lines += line(result.series, figure);
  return lines;
}

std::string wire_lines(const std::vector<int>& ranks, const std::vector<bench::Wire>& wires) {
  std::string lines;
  for (std::size_t n = 0; n < wires.size(); ++n) {
    if (ranks[n] == 1) continue;
    lines += fmt::format("{} ranks, {}:", ranks[n], wires[n].transport);
    const auto add = [&](const char* where, const std::optional<bench::LinkDescription>& link) {
      if (link)
        lines +=
            fmt::format(" {} {:.2f} us per message, {:.1f} GB/s;", where, 1e6 * link->latency, 1e-9 * link->bandwidth);
    };
    add("inside a machine", wires[n].links.inside);
    add("between machines", wires[n].links.across);
    lines += fmt::format(" {:.2f} us per sum.\n", 1e6 * wires[n].sum_seconds);
  }
  return lines;
}

nlohmann::ordered_json to_json(const ScalingResult& result) {
  auto lines = nlohmann::ordered_json::array();
  for (const auto& f : result.figures) {
    nlohmann::ordered_json one = {{"kernel", name_of(result.series.kernel)},
                                  {"precision", name_of(result.series.precision)},
                                  {"scaling", result.series.strong ? "strong" : "weak"},
                                  {"lattice", to_string(f.lattice)},
                                  {"ranks", f.ranks},
                                  {"threads", f.threads},
                                  {"yardstick", f.yardstick},
                                  {"grid", to_string(f.grid)},
                                  {"of_a_rank", to_string(f.local)},
                                  {"lanes", f.lanes},
                                  {"seconds", f.seconds},
                                  {"flops", f.flops},
                                  {"bytes", f.bytes},
                                  {"gbytes", f.bytes / f.seconds * 1e-9},
                                  {"gflops", f.flops / f.seconds * 1e-9},
                                  {"efficiency", f.efficiency}};
    if (f.of_yardstick > 0) one["of_yardstick"] = f.of_yardstick;
    if (f.ranks > 1) {
      one["sent_bytes"] = f.sent.bytes;
      one["sent_messages"] = f.sent.messages;
      one["computing_seconds"] = f.compute;
      one["message_seconds"] = f.messages;
      one["sum_seconds"] = f.sums;
      one["model_seconds"] = f.model();
      one["waiting_seconds"] = f.waiting;
      one["packing_seconds"] = f.packing;
    }
    lines.push_back(std::move(one));
  }
  return lines;
}

nlohmann::ordered_json to_json(int ranks, const bench::Wire& wire) {
  nlohmann::ordered_json out = {{"ranks", ranks}, {"transport", wire.transport}, {"sum_seconds", wire.sum_seconds}};
  const auto add = [&](const char* name, const std::optional<bench::LinkDescription>& link) {
    if (link) out[name] = {{"latency", link->latency}, {"bandwidth", link->bandwidth}};
  };
  add("inside", wire.links.inside);
  add("across", wire.links.across);
  return out;
}

std::string scaling_picture(const std::vector<ScalingResult>& results) {
  std::vector<plot::Panel> panels;
  for (const bool forces : {false, true}) {
    std::string title;
    for (const auto& result : results) {
      if (is_force(result.series.kernel) != forces) continue;
      if (const auto own = scaling_title(result.series); own != title) {
        title = own;
        panels.push_back({.title = own + ": all ranks together",
                          .x_label = "ranks",
                          .y_label = "GFLOP/s",
                          .whole_x = true,
                          .log_y = true,
                          .height = 170});
        panels.push_back({.title = own + ": efficiency",
                          .x_label = "ranks",
                          .y_label = "% of one rank's",
                          .whole_x = true,
                          .height = 170});
      }
      add_speed(result, panels.end()[-2]);
      add_efficiency(result, panels.back());
    }
  }
  return plot::svg_plot("Measured (lines), by the model (crosses)", panels, 960);
}

}  // namespace trellis::app
