// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "trellis/plot/svg_frame.hpp"

namespace trellis::plot {
namespace {

constexpr int kLeft = 86, kLeftOnPage = 66, kRight = 18, kTitle = 34, kPanelTop = 30, kPanelBottom = 50,
              kLegendLine = 18;

void include(Range& range, double x) {
  if (!std::isfinite(x)) return;
  range.first = std::min(range.first, x);
  range.second = std::max(range.second, x);
}

// What the panel shows.
std::pair<Range, Range> ranges_of(const Panel& panel) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range x{kInfinity, -kInfinity}, y{kInfinity, -kInfinity};
  for (const auto& series : panel.series) {
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
      if (panel.log_y && !(series.y[i] > 0)) continue;
      include(x, series.x[i]);
      include(y, series.y[i]);
      if (i < series.y_error.size() && std::isfinite(series.y_error[i]) && !panel.log_y) {
        include(y, series.y[i] - series.y_error[i]);
        include(y, series.y[i] + series.y_error[i]);
      }
    }
    if (series.mark == Mark::bar && !panel.log_y) include(y, 0);
  }
  for (const auto& band : panel.bands) {
    include(x, band.x_from);
    include(x, band.x_to);
    include(y, band.y - band.half_width);
    include(y, band.y + band.half_width);
  }
  if (x.first > x.second) x = y = {panel.log_y ? 0.1 : 0, 1};
  if (panel.y_range) {
    y = *panel.y_range;
  } else if (panel.log_y) {
    const double margin = std::pow(std::max(y.second / y.first, 1.5), 0.06);
    y = {y.first / margin, y.second * margin};
  } else {
    y = widened(y, 0.06);
  }
  if (!(y.second - y.first > 1e-9 * std::abs(y.second))) y = widened({y.second, y.second}, 0.06);
  return {panel.x_range ? *panel.x_range : widened(x, 0.01), y};
}

struct LegendEntry {
  enum class Kind { line, dashed, mark, bar, shade, outside } kind;
  std::string label;
  int colour = 4;
  Mark mark = Mark::dot;
  double width() const { return letter_width * static_cast<double>(label.size()) + 36; }
};

std::vector<LegendEntry> entries_of(const Panel& panel, const Frame& f) {
  using Kind = LegendEntry::Kind;
  std::vector<LegendEntry> all;
  if (!panel.shaded.empty() && panel.shaded_until > f.x.first) all.push_back({Kind::shade, panel.shaded});
  for (const auto& s : panel.series)
    if (!s.label.empty()) {
      const auto kind = s.mark == Mark::bar                            ? Kind::bar
                        : s.mark != Mark::line && s.mark != Mark::step ? Kind::mark
                        : s.dashed                                     ? Kind::dashed
                                                                       : Kind::line;
      all.push_back({kind, s.label, s.colour, s.mark});
    }
  for (const auto& b : panel.bands)
    if (!b.label.empty()) all.push_back({Kind::dashed, b.label, b.colour});
  for (const auto& u : panel.uprights)
    if (!u.label.empty()) all.push_back({Kind::dashed, u.label, u.colour});
  if (has_outsiders(panel, f)) all.push_back({Kind::outside, "outside this range"});
  return all;
}

std::string symbol(const LegendEntry& entry, double x, double y) {
  using Kind = LegendEntry::Kind;
  switch (entry.kind) {
    case Kind::mark:
      return draw_mark(entry.mark, entry.colour, x + 10, y - 4);
    case Kind::outside:
      return draw_outsider(entry.colour, x + 10, y - 7, true);
    case Kind::shade:
      return fmt::format(
          "<rect class=\"shade frame\" x=\"{:.1f}\" y=\"{:.1f}\" "
          "width=\"16\" height=\"10\"/>\n",
          x + 2, y - 9);
    case Kind::bar:
      return fmt::format(
          "<rect class=\"f{0} l{0}\" fill-opacity=\"0.35\" x=\"{1:.1f}\" "
          "y=\"{2:.1f}\" width=\"16\" height=\"10\"/>\n",
          entry.colour, x + 2, y - 9);
    case Kind::line:
    case Kind::dashed:
      break;
  }
  return fmt::format("<path class=\"l{}\" stroke-width=\"1.6\"{} d=\"M{:.1f} {:.1f}h18\"/>\n", entry.colour,
                     entry.kind == Kind::dashed ? " stroke-dasharray=\"5 3\"" : "", x + 1, y - 4);
}

// Entries on lines, each [begin, end): to the right of the title if they fit there, otherwise below it.
struct Legend {
  std::vector<LegendEntry> entries;
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  bool beside_title = true, has_title = true;
  int extra_height() const {
    return beside_title ? 0 : kLegendLine * (static_cast<int>(lines.size()) - (has_title ? 0 : 1));
  }
};

Legend legend_of(const Panel& panel, const Frame& f) {
  Legend legend{entries_of(panel, f), {}};
  std::vector<double> widths;
  for (const auto& entry : legend.entries) widths.push_back(entry.width());
  const double width = std::accumulate(widths.begin(), widths.end(), 0.0);
  const double room = f.right - f.left, title = heading_letter_width * static_cast<double>(panel.title.size()) + 20;
  legend.has_title = !panel.title.empty();
  legend.beside_title = width <= room - title;
  if (legend.beside_title) {
    legend.lines = {{0, legend.entries.size()}};
    return legend;
  }
  legend.lines = lines_of(widths, room);
  return legend;
}

std::string draw(const Legend& legend, const Frame& f) {
  std::string out;
  double y = f.top - 9 - kLegendLine * static_cast<double>(legend.lines.size() - 1);
  for (const auto& [begin, end] : legend.lines) {
    double x = f.left - 2;
    if (legend.beside_title) {
      x = f.right + 8;
      for (const auto& entry : legend.entries) x -= entry.width();
    }
    for (auto i = begin; i < end; ++i) {
      const auto& entry = legend.entries[i];
      out += symbol(entry, x, y) + svg_text(x + 24, y, "text", "start", entry.label, f.right - x - 24);
      x += entry.width();
    }
    y += kLegendLine;
  }
  return out;
}

// The shade, grid, ticks and labels; the frame itself is drawn last.
std::string axes(const Panel& panel, const Frame& f) {
  std::string out;
  if (panel.shaded_until > f.x.first) {
    const double until = f.px(std::min(panel.shaded_until, f.x.second));
    out += fmt::format(
        "<rect class=\"shade\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        f.left, f.top, until - f.left, f.bottom - f.top);
  }
  const int x_count = std::max(2, static_cast<int>((f.right - f.left) / 62));
  const int y_count = std::max(2, static_cast<int>((f.bottom - f.top) / 36));
  const auto x_ticks = nice_ticks(f.x.first, f.x.second, x_count, panel.whole_x);
  const auto y_ticks =
      f.log_y ? log_ticks(f.y.first, f.y.second) : nice_ticks(f.y.first, f.y.second, y_count, panel.whole_y);
  const double x_spacing = nice_spacing(f.x.first, f.x.second, x_count, panel.whole_x),
               y_spacing = nice_spacing(f.y.first, f.y.second, y_count, panel.whole_y);
  const auto largest = [](Range range) { return std::max(std::abs(range.first), std::abs(range.second)); };
  for (const double tick : x_ticks) {
    const double x = f.px(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x, f.top, f.bottom);
    out += svg_text(x, f.bottom + 16, "faint", "middle", tick_text(tick, x_spacing, largest(f.x)));
  }
  for (const double tick : y_ticks) {
    const double y = f.py(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", f.left, y, f.right);
    out += svg_text(f.left - 6, y + 4, "faint", "end",
                    f.log_y ? fmt::format("{:g}", tick) : tick_text(tick, y_spacing, largest(f.y)));
  }
  out += svg_text((f.left + f.right) / 2, f.bottom + 36, "text", "middle", panel.x_label);
  const double middle = (f.top + f.bottom) / 2;
  if (!panel.y_label.empty())
    out += fmt::format(
        "<text class=\"text\" text-anchor=\"middle\" transform=\"translate(18 "
        "{:.1f}) rotate(-90)\">{}</text>\n",
        middle, svg_escaped(panel.y_label));
  return out;
}

// A nested picture, whose edges clip what is in it. (A clipPath needs an id, which must be unique on a page.)
std::string content(const Panel& panel, const Frame& f) {
  auto out = fmt::format(
      "<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" "
      "height=\"{3:.1f}\" viewBox=\"{0:.1f} {1:.1f} "
      "{2:.1f} {3:.1f}\">\n",
      f.left, f.top, f.right - f.left, f.bottom - f.top);
  for (const auto& b : panel.bands) out += draw(b, f);
  for (const auto& u : panel.uprights) out += draw(u, f);
  for (const auto& series : panel.series) out += draw(series, f);
  return out + "</svg>\n";
}

}  // namespace

void add_marked_line(Panel& panel, Series line, Mark mark) {
  Series marks{.mark = mark, .colour = line.colour, .x = line.x, .y = line.y};
  panel.series.push_back(std::move(line));
  panel.series.push_back(std::move(marks));
}

std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, int width, SvgUse use) {
  const int titled = use == SvgUse::file ? kTitle : 0;
  const bool labelled = std::any_of(panels.begin(), panels.end(), [](const auto& p) { return !p.y_label.empty(); });
  const int left = use == SvgUse::file || labelled ? kLeft : kLeftOnPage;
  std::string body;
  double top = titled;
  for (const auto& panel : panels) {
    const auto [x, y] = ranges_of(panel);
    Frame f{.left = static_cast<double>(left),
            .right = static_cast<double>(width - kRight),
            .top = top + kPanelTop,
            .bottom = top + kPanelTop + panel.height,
            .x = x,
            .y = y,
            .log_y = panel.log_y};
    const auto legend = legend_of(panel, f);
    body += svg_text(f.left, f.top - 9, "panel text", "start", panel.title, f.right - f.left);
    f.top += legend.extra_height();
    f.bottom += legend.extra_height();
    body += axes(panel, f) + content(panel, f);
    body += fmt::format(
        "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        f.left, f.top, f.right - f.left, f.bottom - f.top);
    body += draw(legend, f);
    top = f.bottom + kPanelBottom;
  }
  return svg_begin(title, width, static_cast<int>(top), left, width - left - kRight, use) + body + "</svg>\n";
}

}  // namespace trellis::plot
