// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/spmd/report.hpp"
#include "trellis/plot/svg_page.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr int columns = 3, panel_width = 330, panel_height = 240, legend_top = 52, legend_line = 18;
constexpr double left = 52, right = 12, above = 28, below = 34;  // of a panel

struct Line {
  const char* way;
  int colour;
  const char* dash;
};
constexpr Line lines[] = {{"threads", 4, "2 3"}, {"fibers", 4, ""},        {"PoCL", 1, ""},
                          {"fission", 2, ""},    {"continuations", 0, ""}, {"hierarchical", 0, "2 3"},
                          {"by hand", 3, "5 3"}};

struct Axes {
  double x0, y0, width, height;   // pixels
  double first, last, low, high;  // log2 of groups, log10 of nanoseconds
  double x(double group) const { return x0 + (std::log2(group) - first) / (last - first) * width; }
  double y(double ns) const { return y0 + height - (std::log10(ns) - low) / (high - low) * height; }
};

const Measurement* named(const Result& result, const std::string& way) {
  if (way == "PoCL") return result.best_pocl();
  return way == "by hand" ? result.by_hand() : result.find(way);
}

std::string frame(const Axes& axes) {
  std::string out;
  for (int decade = static_cast<int>(std::ceil(axes.low)); decade <= axes.high; ++decade) {
    const double y = axes.y(std::pow(10.0, decade));
    out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", axes.x0,
                       axes.x0 + axes.width, y, y);
    out += plot::svg_text(axes.x0 - 5, y + 4, "faint", "end", fmt::format("{:g}", std::pow(10.0, decade)));
  }
  for (int group = 32; group <= 1024; group *= 2) {
    out += plot::svg_text(axes.x(group), axes.y0 + axes.height + 16, "faint", "middle", fmt::format("{}", group));
  }
  return out + fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                           axes.x0, axes.y0, axes.width, axes.height);
}

std::string panel(const std::vector<Result>& results, const std::string& kernel, double x, double y) {
  double least = 1e300, most = 0;
  for (const Result& result : results) {
    if (result.kernel != kernel) continue;
    for (const Measurement& m : result.measurements) {
      least = std::min(least, m.ns_per_item());
      most = std::max(most, m.ns_per_item());
    }
  }
  Axes axes{x + left, y + above, panel_width - left - right, panel_height - above - below, 4.8, 10.2, 0, 0};
  axes.low = std::floor(std::log10(least * 0.9));
  axes.high = std::max(axes.low + 1, std::ceil(std::log10(most * 1.1)));
  std::string out = plot::svg_text(x + left, y + above - 8, "panel text", "start", kernel) + frame(axes);
  for (const Line& line : lines) {
    std::string path;
    for (const Result& result : results) {
      const Measurement* const m = result.kernel == kernel ? named(result, line.way) : nullptr;
      if (m == nullptr) continue;
      const double px = axes.x(result.group), py = axes.y(m->ns_per_item());
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", px, py);
      out += fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", line.colour, px, py);
    }
    out += fmt::format("<path class=\"l{}\" fill=\"none\" stroke-width=\"1.6\" stroke-dasharray=\"{}\" d=\"{}\"/>\n",
                       line.colour, line.dash, path.empty() ? "M0 0" : path);
  }
  return out;
}

struct Legend {
  std::string svg;
  int lines = 0;
};

// Of the ways that there are, on as many lines as it takes.
Legend legend_of(const std::vector<Result>& results, double from, double to) {
  const std::string heading = "ns per work-item versus group size:";
  std::vector<const Line*> shown{nullptr};  // the heading comes first
  std::vector<std::string> labels{heading};
  std::vector<double> widths{260};
  for (const Line& line : lines) {
    if (std::none_of(results.begin(), results.end(), [&](const Result& r) { return named(r, line.way) != nullptr; }))
      continue;
    const std::string way = line.way;
    labels.push_back(way == "PoCL" ? "PoCL's best method" : way == "by hand" ? "by hand, or in production" : way);
    shown.push_back(&line);
    widths.push_back(45 + 6.6 * static_cast<double>(labels.back().size()));
  }
  Legend legend;
  for (const auto& [begin, end] : plot::lines_of(widths, to - from)) {
    double x = from;
    const int y = legend_top + legend_line * legend.lines++;
    for (auto n = begin; n < end; x += widths[n++]) {
      if (shown[n] != nullptr)
        legend.svg += fmt::format(
            "<line class=\"l{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"{}\" "
            "y2=\"{}\"/>\n",
            shown[n]->colour, shown[n]->dash, x, x + 22, y - 4, y - 4);
      legend.svg += shown[n] != nullptr ? plot::svg_text(x + 27, y, "text", "start", labels[n])
                                        : plot::svg_text(x, y, "faint", "start", labels[n]);
    }
  }
  return legend;
}

}  // namespace

std::string svg_figure(const std::vector<Result>& results, const std::string& title) {
  std::vector<std::string> names;
  for (const Result& result : results) {
    if (std::find(names.begin(), names.end(), result.kernel) == names.end()) names.push_back(result.kernel);
  }
  const int rows = (static_cast<int>(names.size()) + columns - 1) / columns;
  const int width = columns * panel_width;
  const auto legend = legend_of(results, 16, width - 16);
  const int top = legend_top + legend_line * legend.lines, height = top + rows * panel_height;
  std::string out = plot::svg_begin(title, width, height, 16, width - 32) + legend.svg;
  for (std::size_t n = 0; n < names.size(); ++n) {
    out += panel(results, names[n], static_cast<double>(n % columns) * panel_width,
                 top + static_cast<double>(n / columns) * panel_height);
  }
  return out + "</svg>\n";
}

}  // namespace trellis::bench::spmd
