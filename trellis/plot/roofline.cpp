// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trellis/plot/svg_page.hpp"
#include "trellis/plot/ticks.hpp"

namespace trellis::plot {
namespace {

constexpr double line_height = 16;

// A logarithmic axis from pixel `from` to pixel `to`.
struct LogAxis {
  double low, high, from, to;
  double operator()(double value) const { return from + std::log(value / low) / std::log(high / low) * (to - from); }
  double pixels_a_factor_e() const { return (to - from) / std::log(high / low); }
};

// The nearest 1, 2 or 5 times a power of ten that is not above, or not below.
double round_down(double value) { return log_ticks(value / 10, value).back(); }
double round_up(double value) { return log_ticks(value, value * 10).front(); }

bool drawable(const RooflinePoint& p) {
  return std::isfinite(p.intensity) && std::isfinite(p.flops) && p.intensity > 0 && p.flops > 0;
}

std::string axes(const LogAxis& x, const LogAxis& y) {
  std::string out;
  for (const double tick : log_ticks(x.low, x.high)) {
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x(tick), y.to, y.from);
    out += svg_text(x(tick), y.from + 16, "faint", "middle", fmt::format("{:g}", tick));
  }
  for (const double tick : log_ticks(y.low, y.high)) {
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", x.from, y(tick), x.to);
    out += svg_text(x.from - 6, y(tick) + 4, "faint", "end", fmt::format("{:g}", tick * 1e-9));
  }
  out += svg_text((x.from + x.to) / 2, y.from + 36, "text", "middle", "flops / least bytes moved");
  const double middle = (y.from + y.to) / 2;
  out += fmt::format(
      "<text class=\"text\" text-anchor=\"middle\" "
      "transform=\"translate(18 {:.1f}) rotate(-90)\">"
      "GFLOP/s</text>\n",
      middle);
  return out + fmt::format(
                   "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" "
                   "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                   x.from, y.to, x.to - x.from, y.from - y.to);
}

// Labels are drawn after all lines, which may pass them.
struct Roofs {
  std::string lines, labels;
};

// Rising lines end at the highest peak. Labels are above their lines, each further along than the previous one.
Roofs bandwidth_roofs(const Roofline& r, const LogAxis& x, const LogAxis& y, double highest_peak) {
  Roofs out;
  const double angle = std::atan2(y.pixels_a_factor_e(), x.pixels_a_factor_e());  // for lines of slope one
  double along = 0.03;
  for (const Roof& roof : r.bandwidths) {
    const double start = std::max(x.low, y.low / roof.rate);
    const double end = std::min({x.high, highest_peak / roof.rate, y.high / roof.rate});
    if (!(end > start)) continue;
    const double x0 = x(start), y0 = y(start * roof.rate), x1 = x(end), y1 = y(end * roof.rate);
    out.lines += fmt::format(
        "<path class=\"l4\" stroke-width=\"1.6\" d=\"M{:.1f} "
        "{:.1f}L{:.1f} {:.1f}\"/>\n",
        x0, y0, x1, y1);
    const double share = std::min(along, 0.5);
    out.labels += fmt::format(
        "<text class=\"faint halo\" transform=\"translate({:.1f} "
        "{:.1f}) rotate({:.2f})\">{}</text>\n",
        x0 + share * (x1 - x0) + 5 * std::sin(angle), y0 + share * (y1 - y0) - 5 * std::cos(angle),
        angle * 180 / std::acos(-1.0), svg_escaped(roof.label));
    along += 0.05 + letter_width * double(roof.label.size()) / std::hypot(x1 - x0, y1 - y0);
  }
  return out;
}

// Level lines begin where the widest bandwidth reaches them.
Roofs peak_roofs(const Roofline& r, const LogAxis& x, const LogAxis& y, double widest) {
  Roofs out;
  for (const Roof& roof : r.peaks) {
    const double start = widest > 0 ? std::clamp(roof.rate / widest, x.low, x.high) : x.low;
    out.lines += fmt::format(
        "<path class=\"l4\" stroke-width=\"1.6\" d=\"M{:.1f} "
        "{:.1f}H{:.1f}\"/>\n",
        x(start), y(roof.rate), x.to);
    out.labels += svg_text(x.to - 6, y(roof.rate) - 5, "faint halo", "end", roof.label);
  }
  return out;
}

// Positions of labels as close as possible to `wanted`, ascending, at least a line apart and inside [low, high].
std::vector<double> spread(std::vector<double> wanted, double low, double high) {
  for (std::size_t k = 0; k < wanted.size(); ++k)
    wanted[k] = std::max(wanted[k], k == 0 ? low : wanted[k - 1] + line_height);
  for (std::size_t k = wanted.size(); k-- > 0;)
    wanted[k] = std::min(wanted[k], k + 1 == wanted.size() ? high : wanted[k + 1] - line_height);
  return wanted;
}

// Each point's number is in a column at the right, connected to it by a thin line.
std::string points(const std::vector<RooflinePoint>& all, const LogAxis& x, const LogAxis& y,
                   const std::string& labels_of_roofs) {
  std::vector<double> wanted;
  for (const auto& p : all) wanted.push_back(y(p.flops));
  const auto places = spread(wanted, y.to + 8, y.from - 4);
  std::string lines, marks;
  const double column = x.to + 34;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double px = x(all[k].intensity), py = y(all[k].flops);
    lines += fmt::format(
        "<path class=\"l{}\" fill=\"none\" stroke-width=\"0.7\" "
        "stroke-opacity=\"0.55\" d=\"M{:.1f} {:.1f}L{:.1f} "
        "{:.1f}H{:.1f}\"/>\n",
        all[k].colour, px, py, column - 12, places[k], column - 4);
    marks += fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", all[k].colour, px, py);
    marks += svg_text(column, places[k] + 4, "text", "start", fmt::format("{}", k + 1));
  }
  return lines + labels_of_roofs + marks;
}

// What the numbers mean, below the picture in as many columns as fit, read downwards.
struct Key {
  std::size_t columns = 1, rows = 0;
  double column_width = 0;
  double height() const { return rows == 0 ? 0 : line_height * double(rows) + 12; }
};

Key key_of(const std::vector<RooflinePoint>& all, double width) {
  std::size_t longest = 8;
  for (const auto& p : all) longest = std::max(longest, p.label.size());
  Key key;
  key.column_width = letter_width * double(longest) + 50;
  key.columns = std::max<std::size_t>(1, std::size_t(width / key.column_width));
  key.rows = (all.size() + key.columns - 1) / key.columns;
  return key;
}

std::string draw(const Key& key, const std::vector<RooflinePoint>& all, double left, double right, double top) {
  std::string out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto column = k / key.rows, row = k % key.rows;
    const double x = left + key.column_width * double(column), y = top + line_height * double(row + 1);
    out += svg_text(x + 20, y, "text", "end", fmt::format("{}", k + 1));
    out += fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", all[k].colour, x + 30, y - 4);
    out += svg_text(x + 40, y, "text", "start", all[k].label, right - x - 40);
  }
  return out;
}

constexpr double table_line = 20, table_heading = 56, table_foot = 18;

double height_of(const TablePanel& table) {
  return table_heading + table_line * double(table.rows.size()) + table_foot;
}

std::string draw(const TablePanel& table, double left, double right, double top) {
  std::size_t longest = 8;
  for (const auto& cells : table.rows) longest = std::max(longest, cells[0].size());
  const double first = std::min(letter_width * double(longest) + 16, 0.5 * (right - left));
  const double each = table.columns.size() > 1 ? (right - left - first) / double(table.columns.size() - 1) : 0;
  std::string out = svg_text(left, top + 22, "panel text", "start", table.title, right - left);
  const auto draw_line = [&](const std::vector<std::string>& cells, double y, const char* classes) {
    for (std::size_t k = 0; k < cells.size(); ++k)
      out += k == 0 ? svg_text(left, y, "text", "start", cells[k], first - 8)
                    : svg_text(left + first + each * double(k), y, classes, "end", cells[k], each - 8);
  };
  draw_line(table.columns, top + table_heading - 8, "faint");
  double y = top + table_heading;
  for (const auto& cells : table.rows) {
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, y, right);
    draw_line(cells, y + table_line - 6, "text");
    y += table_line;
  }
  return out;
}

}  // namespace

std::string svg_roofline(const Roofline& roofline, int width, SvgUse use) {
  std::vector<RooflinePoint> all;
  std::copy_if(roofline.points.begin(), roofline.points.end(), std::back_inserter(all), drawable);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.flops > b.flops; });
  const double left = 66, top = use == SvgUse::file ? 44 : 10, right = width - 66;
  const double inner = std::max(width > 800 ? 420.0 : 300.0, line_height * double(all.size()) + 20);
  const Key key = key_of(all, width - left);
  double x_low = 0.5, x_high = 4, y_low = 1e9, y_high = 2e9;
  if (!all.empty()) {
    x_low = y_low = std::numeric_limits<double>::infinity();
    x_high = y_high = 0;
    for (const auto& p : all) {
      x_low = std::min(x_low, p.intensity / 1.6);
      x_high = std::max(x_high, p.intensity * 1.6);
      y_low = std::min(y_low, p.flops / 1.6);
      y_high = std::max(y_high, p.flops * 1.2);
    }
  }
  double highest_peak = 0, widest = 0;
  for (const Roof& roof : roofline.peaks) highest_peak = std::max(highest_peak, roof.rate);
  for (const Roof& roof : roofline.bandwidths) widest = std::max(widest, roof.rate);
  if (highest_peak > 0) y_high = std::max(y_high, highest_peak * 1.2);
  // The ridge point, where bandwidth stops being the limit, is in the picture, with some of each roof.
  if (widest > 0 && highest_peak > 0) {
    x_low = std::min(x_low, 0.25 * highest_peak / widest);
    x_high = std::max(x_high, 1.6 * highest_peak / widest);
  }
  const LogAxis x{round_down(x_low), round_up(x_high), left, right};
  const LogAxis y{round_down(y_low), round_up(y_high), top + inner, top};
  std::string out =
      svg_begin(roofline.title, width, int(top + inner + 52 + key.height()), int(left), int(width - left - 18), use);
  out += axes(x, y);
  const auto bandwidths = bandwidth_roofs(roofline, x, y, highest_peak > 0 ? highest_peak : y.high);
  const auto peaks = peak_roofs(roofline, x, y, widest);
  out += bandwidths.lines + peaks.lines;
  return out + points(all, x, y, bandwidths.labels + peaks.labels) +
         draw(key, all, left - 20, width - 4, top + inner + 44) + "</svg>\n";
}

std::string svg_bars(const std::string& title, const std::vector<BarPanel>& panels, const std::string& unit,
                     const std::vector<TablePanel>& tables, int width) {
  constexpr double bar = 18, heading = 34, foot = 44;
  std::size_t longest = 8, longest_note = 0;
  double largest = 0;
  int height = 34;
  for (const auto& panel : panels) {
    height += int(heading + bar * double(panel.bars.size()) + foot);
    for (const auto& b : panel.bars) {
      longest = std::max(longest, b.label.size());
      longest_note = std::max(longest_note, b.note.size());
      if (std::isfinite(b.value)) largest = std::max(largest, b.value);
    }
  }
  for (const auto& table : tables) height += int(height_of(table));
  if (!(largest > 0)) largest = 1;
  // Bars have at least a quarter of the width.
  const double left = std::min(18 + letter_width * double(longest), 0.4 * width);
  const double right = std::max(width - 64 - letter_width * double(longest_note), left + 0.25 * width);
  const auto px = [&](double value) { return left + value / largest * (right - left); };
  std::string out = svg_begin(title, width, height, 18, width - 36);
  double top = 34;
  for (const auto& panel : panels) {
    // Above the bars, or further to the left if it is long.
    const double room = width - 4 - 1.1 * letter_width * double(panel.title.size());
    const double begin = std::clamp(room, 18.0, left);
    out += svg_text(begin, top + heading - 12, "panel text", "start", panel.title, width - 4 - begin);
    top += heading;
    const double bottom = top + bar * double(panel.bars.size());
    for (const double tick : nice_ticks(0, largest, 8)) {
      out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", px(tick), top, bottom);
      out += svg_text(px(tick), bottom + 16, "faint", "middle", fmt::format("{:g}", tick + 0.0));
    }
    out += svg_text((left + right) / 2, bottom + 34, "text", "middle", unit);
    for (const auto& b : panel.bars) {
      const double value = std::isfinite(b.value) && b.value > 0 ? b.value : 0;
      out += svg_text(left - 8, top + bar - 5, "text", "end", b.label, left - 12);
      out += fmt::format(
          "<rect class=\"f{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
          "width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
          b.colour, left, top + 3, px(value) - left, bar - 6);
      out += svg_text(px(value) + 6, top + bar - 5, "faint", "start",
                      std::isfinite(b.value) ? fmt::format("{:.1f} {}", b.value, b.note) : b.note,
                      width - 4 - px(value) - 6);
      top += bar;
    }
    top = bottom + foot;
  }
  for (const auto& table : tables) {
    out += draw(table, 18, width - 18, top);
    top += height_of(table);
  }
  return out + "</svg>\n";
}

}  // namespace trellis::plot
