// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/plot/svg_page.hpp"

namespace trellis::plot {
namespace {

constexpr int kLeft = 86, kRight = 18, kTitle = 34, kPanelTop = 30, kPanelBottom = 50;

using Range = std::pair<double, double>;

Range widened(Range range, double share) {
  double length = range.second - range.first;
  if (!(length > 0)) length = std::max(std::abs(range.first) * 1e-3, 1e-12) / std::max(share, 0.01);
  return {range.first - share * length, range.second + share * length};
}

void include(Range& range, double x) {
  if (!std::isfinite(x)) return;
  range.first = std::min(range.first, x);
  range.second = std::max(range.second, x);
}

// The text of a tick, with as many decimals as this spacing requires.
std::string tick_text(double tick, double spacing, double largest) {
  if (std::abs(tick) < 1e-9 * spacing) tick = 0;
  if (largest >= 1e6 || spacing < 1e-6) return fmt::format("{:.6g}", tick);
  return fmt::format("{:.{}f}", tick, std::max(0, static_cast<int>(std::ceil(-std::log10(spacing) - 1e-9))));
}

// One panel's coordinates: data to pixels.
struct Frame {
  double left, right, top, bottom;
  Range x, y;
  double px(double value) const { return left + (value - x.first) / (x.second - x.first) * (right - left); }
  double py(double value) const { return bottom - (value - y.first) / (y.second - y.first) * (bottom - top); }
};

Frame frame_of(const Panel& panel, double top, int width) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range x{kInfinity, -kInfinity}, y{kInfinity, -kInfinity};
  for (const auto& series : panel.series) {
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
      include(x, series.x[i]);
      include(y, series.y[i]);
    }
  }
  for (const auto& band : panel.bands) {
    include(x, band.x_from);
    include(x, band.x_to);
    include(y, band.y - band.half_width);
    include(y, band.y + band.half_width);
  }
  if (x.first > x.second) x = y = {0, 1};
  y = panel.y_range ? *panel.y_range : widened(y, 0.06);
  if (!(y.second - y.first > 1e-9 * std::abs(y.second))) y = widened({y.second, y.second}, 0.06);
  return {kLeft, static_cast<double>(width - kRight), top + kPanelTop, top + kPanelTop + panel.height, widened(x, 0.01),
          y};
}

std::string axes(const Panel& panel, const Frame& f) {
  std::string out;
  if (panel.shaded_until > f.x.first) {
    const double until = f.px(std::min(panel.shaded_until, f.x.second));
    out += fmt::format("<rect class=\"shade\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", f.left,
                       f.top, until - f.left, f.bottom - f.top);
  }
  const auto x_ticks = nice_ticks(f.x.first, f.x.second, 10), y_ticks = nice_ticks(f.y.first, f.y.second, 6);
  const auto spacing = [](const std::vector<double>& ticks) { return ticks.size() < 2 ? 1.0 : ticks[1] - ticks[0]; };
  const auto largest = [](Range range) { return std::max(std::abs(range.first), std::abs(range.second)); };
  for (const double tick : x_ticks) {
    const double x = f.px(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x, f.top, f.bottom);
    out += svg_text(x, f.bottom + 16, "faint", "middle", tick_text(tick, spacing(x_ticks), largest(f.x)));
  }
  for (const double tick : y_ticks) {
    const double y = f.py(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", f.left, y, f.right);
    out += svg_text(f.left - 6, y + 4, "faint", "end", tick_text(tick, spacing(y_ticks), largest(f.y)));
  }
  out += svg_text((f.left + f.right) / 2, f.bottom + 36, "text", "middle", panel.x_label);
  const double middle = (f.top + f.bottom) / 2;
  out += fmt::format(
      "<text class=\"text\" text-anchor=\"middle\" transform=\"translate(18 {:.1f}) rotate(-90)\">{}</text>\n", middle,
      svg_escaped(panel.y_label));
  out += svg_text(f.left, f.top - 9, "panel text", "start", panel.title);
  return out + fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                           f.left, f.top, f.right - f.left, f.bottom - f.top);
}

// The points of a series that a line must go through: all or, if there are many, the extremes of each pixel column.
std::vector<std::size_t> thinned(const Series& series, const Frame& f) {
  const std::size_t count = std::min(series.x.size(), series.y.size());
  std::vector<std::size_t> keep;
  const auto pixels = static_cast<std::size_t>(f.right - f.left);
  if (count <= 2 * pixels) {
    for (std::size_t i = 0; i < count; ++i) keep.push_back(i);
    return keep;
  }
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin, low = begin, high = begin;
    while (end < count && std::floor(f.px(series.x[end])) == std::floor(f.px(series.x[begin]))) {
      if (series.y[end] < series.y[low]) low = end;
      if (series.y[end] > series.y[high]) high = end;
      ++end;
    }
    end = std::max(end, begin + 1);
    keep.push_back(std::min(low, high));
    if (low != high) keep.push_back(std::max(low, high));
    begin = end;
  }
  return keep;
}

std::string line(const Series& series, const Frame& f) {
  std::string path;
  bool pen_down = false;
  for (const auto i : thinned(series, f)) {
    if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) {
      pen_down = false;
      continue;
    }
    const double x = f.px(series.x[i]), y = f.py(series.y[i]);
    if (pen_down && series.mark == Mark::step) path += fmt::format("H{:.1f}V{:.1f}", x, y);
    if (!pen_down || series.mark == Mark::line) path += fmt::format("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', x, y);
    pen_down = true;
  }
  return fmt::format("<path class=\"l{}\" fill=\"none\" stroke-width=\"1.4\" stroke-linejoin=\"round\" d=\"{}\"/>\n",
                     series.colour, path);
}

std::string mark_at(Mark mark, int colour, double x, double y) {
  if (mark == Mark::cross) {
    return fmt::format("<path class=\"l{}\" stroke-width=\"1.6\" d=\"M{:.1f} {:.1f}l6 6m0 -6l-6 6\"/>\n", colour, x - 3,
                       y - 3);
  }
  return fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\"/>\n", colour, x, y);
}

std::string marks(const Series& series, const Frame& f) {
  std::string out;
  for (const auto i : thinned(series, f)) {
    if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
    const double x = f.px(series.x[i]), y = f.py(series.y[i]);
    if (y < f.top || y > f.bottom) {
      const double edge = y < f.top ? f.top + 3 : f.bottom - 3, tall = y < f.top ? 7 : -7;
      out += fmt::format("<path class=\"l{}\" fill=\"none\" d=\"M{:.1f} {:.1f}l4 {:.1f}h-8z\"/>\n", series.colour, x,
                         edge, tall);
    } else {
      out += mark_at(series.mark, series.colour, x, y);
    }
  }
  return out;
}

std::string band(const Band& b, const Frame& f) {
  const double left = f.px(b.x_from), right = f.px(b.x_to);
  const double top = std::clamp(f.py(b.y + b.half_width), f.top, f.bottom);
  const double bottom = std::clamp(f.py(b.y - b.half_width), f.top, f.bottom);
  auto out = fmt::format(
      "<rect class=\"f{}\" fill-opacity=\"0.25\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
      b.colour, left, top, right - left, bottom - top);
  if (b.y < f.y.first || b.y > f.y.second) return out;
  return out + fmt::format("<path class=\"l{}\" stroke-dasharray=\"5 3\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", b.colour,
                           left, f.py(b.y), right);
}

// Right-aligned above the frame; widths are estimated at 6.9 pixels per character.
std::string legend(const Panel& panel, const Frame& f) {
  std::string out;
  double x = f.right;
  const auto entry = [&](const std::string& label, int colour, Mark mark, bool is_line) {
    if (label.empty()) return;
    out += svg_text(x, f.top - 9, "text", "end", label);
    x -= 6.9 * static_cast<double>(label.size()) + 10;
    if (is_line) {
      out += fmt::format("<path class=\"l{}\" stroke-width=\"1.6\" d=\"M{:.1f} {:.1f}h16\"/>\n", colour, x - 12,
                         f.top - 13);
    } else {
      out += mark_at(mark, colour, x - 2, f.top - 13);
    }
    x -= 28;
  };
  for (auto b = panel.bands.rbegin(); b != panel.bands.rend(); ++b) entry(b->label, b->colour, Mark::line, true);
  for (auto s = panel.series.rbegin(); s != panel.series.rend(); ++s) {
    entry(s->label, s->colour, s->mark, s->mark == Mark::line || s->mark == Mark::step);
  }
  return out;
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int count) {
  if (!(high > low) || !std::isfinite(high - low) || count < 1) return {};
  if (high - low < 1e-12 * std::max(std::abs(low), std::abs(high))) return {};  // too few numbers between them
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double spacing = power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
  std::vector<double> ticks;
  const double tolerance = 1e-9;
  const double first = std::ceil(low / spacing - tolerance), last = std::floor(high / spacing + tolerance);
  for (int k = 0; k <= int(last - first); ++k) ticks.push_back((first + k) * spacing);
  return ticks;
}

std::optional<std::pair<double, double>> robust_range(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const double low = values[static_cast<std::size_t>(std::floor(0.01 * last))];
  const double high = values[static_cast<std::size_t>(std::ceil(0.99 * last))];
  const auto wide = widened({low, high}, 0.5), all = widened({values.front(), values.back()}, 0.06);
  return Range{std::max(wide.first, all.first), std::min(wide.second, all.second)};
}

std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, int width) {
  int height = kTitle;
  for (const auto& panel : panels) height += kPanelTop + panel.height + kPanelBottom;
  std::string out = svg_begin(title, width, height, kLeft, width - kLeft - kRight);
  double top = kTitle;
  int number = 0;
  for (const auto& panel : panels) {
    const auto f = frame_of(panel, top, width);
    out += axes(panel, f);
    out += fmt::format(
        "<clipPath id=\"c{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n",
        number, f.left, f.top, f.right - f.left, f.bottom - f.top);
    out += fmt::format("<g clip-path=\"url(#c{})\">\n", number++);
    for (const auto& b : panel.bands) out += band(b, f);
    for (const auto& series : panel.series) {
      out += series.mark == Mark::line || series.mark == Mark::step ? line(series, f) : marks(series, f);
    }
    out += "</g>\n" + legend(panel, f);
    top += kPanelTop + panel.height + kPanelBottom;
  }
  return out + "</svg>\n";
}

}  // namespace trellis::plot
