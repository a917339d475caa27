// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/svg_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace trellis::plot {
namespace {

bool is_line(const Series& series) { return series.mark == Mark::line || series.mark == Mark::step; }

const char* dashes(const Series& series) { return series.dashed ? " stroke-dasharray=\"6 4\"" : ""; }

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
    if (!f.has(series.x[i], series.y[i])) {
      pen_down = false;
      continue;
    }
    const double x = f.px(series.x[i]), y = f.py(series.y[i]);
    if (pen_down && series.mark == Mark::step) path += fmt::format("H{:.1f}V{:.1f}", x, y);
    if (!pen_down || series.mark == Mark::line) path += fmt::format("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', x, y);
    pen_down = true;
  }
  return fmt::format(
      "<path class=\"l{}\" fill=\"none\" stroke-width=\"1.4\" "
      "stroke-linejoin=\"round\"{} d=\"{}\"/>\n",
      series.colour, dashes(series), path);
}

std::string bars(const Series& series, const Frame& f) {
  std::string path;
  const double base = f.log_y ? f.bottom : std::clamp(f.py(0), f.top, f.bottom);
  for (std::size_t i = 0; i + 1 < std::min(series.x.size(), series.y.size()); ++i)
    if (f.has(series.x[i], series.y[i]) && series.y[i] != 0)
      path += fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}z", f.px(series.x[i]), base, f.py(series.y[i]),
                          f.px(series.x[i + 1]), base);
  return fmt::format(
      "<path class=\"f{0} l{0}\" fill-opacity=\"0.35\" "
      "stroke-width=\"1\" d=\"{1}\"/>\n",
      series.colour, path);
}

std::string error_bar(const Series& series, std::size_t i, const Frame& f) {
  if (i >= series.y_error.size() || !(series.y_error[i] > 0) || !std::isfinite(series.y_error[i])) return "";
  const double low = series.y[i] - series.y_error[i], high = series.y[i] + series.y_error[i];
  if (!f.has(series.x[i], f.log_y ? high : low)) return "";
  const double bottom = f.log_y && !(low > 0) ? f.bottom : f.py(low);
  return fmt::format(
      "<path class=\"l{}\" stroke-width=\"1.2\" d=\"M{:.1f} "
      "{:.1f}V{:.1f}\"/>\n",
      series.colour, f.px(series.x[i]), bottom, f.py(high));
}

std::string marks(const Series& series, const Frame& f) {
  std::string out;
  // Of many marks on top of one another, one is drawn: of a scatter if they share a pixel, of a history if they share
  // three by three, so that what is drawn has the distribution of the points, not that of their extremes.
  const double cell = std::is_sorted(series.x.begin(), series.x.end()) ? 3 : 1;
  std::set<std::pair<long, long>> cells;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!f.has(series.x[i], series.y[i])) continue;
    if (series.x.size() >= 2000 &&
        !cells.emplace(std::lround(f.px(series.x[i]) / cell), std::lround(f.py(series.y[i]) / cell)).second)
      continue;
    const double x = f.px(series.x[i]), y = f.py(series.y[i]);
    if (y < f.top || y > f.bottom)
      out += draw_outsider(series.colour, x, y < f.top ? f.top + 3 : f.bottom - 3, y < f.top);
    else
      out += error_bar(series, i, f) + draw_mark(series.mark, series.colour, x, y);
  }
  return out;
}

}  // namespace

double Frame::py(double value) const {
  const double share =
      log_y ? std::log(value / y.first) / std::log(y.second / y.first) : (value - y.first) / (y.second - y.first);
  return bottom - share * (bottom - top);
}

bool Frame::has(double of_x, double of_y) const {
  return std::isfinite(of_x) && std::isfinite(of_y) && (!log_y || of_y > 0) && of_x >= x.first && of_x <= x.second;
}

bool has_outsiders(const Panel& panel, const Frame& f) {
  for (const auto& series : panel.series) {
    if (is_line(series) || series.mark == Mark::bar) continue;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (f.has(series.x[i], series.y[i]) && !f.shows(series.y[i])) return true;
  }
  return false;
}

std::string draw(const Series& series, const Frame& f) {
  if (series.mark == Mark::bar) return bars(series, f);
  return is_line(series) ? line(series, f) : marks(series, f);
}

std::string draw(const Band& b, const Frame& f) {
  const double left = f.px(b.x_from), right = f.px(b.x_to);
  const auto height = [&](double y) { return f.log_y && !(y > 0) ? f.bottom : std::clamp(f.py(y), f.top, f.bottom); };
  const double top = height(b.y + b.half_width), bottom = height(b.y - b.half_width);
  auto out = fmt::format(
      "<rect class=\"f{}\" fill-opacity=\"0.25\" x=\"{:.1f}\" "
      "y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
      b.colour, left, top, right - left, bottom - top);
  if (!f.shows(b.y)) return out;
  return out + fmt::format(
                   "<path class=\"l{}\" stroke-dasharray=\"5 3\" "
                   "d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
                   b.colour, left, f.py(b.y), right);
}

std::string draw(const Upright& u, const Frame& f) {
  if (!(u.x >= f.x.first && u.x <= f.x.second)) return "";
  const double left = std::max(f.px(u.x - u.half_width), f.left), right = std::min(f.px(u.x + u.half_width), f.right);
  return fmt::format(
             "<rect class=\"f{}\" fill-opacity=\"0.25\" x=\"{:.1f}\" "
             "y=\"{:.1f}\" width=\"{:.1f}\" "
             "height=\"{:.1f}\"/>\n",
             u.colour, left, f.top, right - left, f.bottom - f.top) +
         fmt::format(
             "<path class=\"l{}\" stroke-dasharray=\"2 3\" "
             "stroke-width=\"1.4\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n",
             u.colour, f.px(u.x), f.top, f.bottom);
}

std::string draw_mark(Mark mark, int colour, double x, double y) {
  if (mark == Mark::cross) {
    return fmt::format(
        "<path class=\"l{}\" stroke-width=\"1.6\" d=\"M{:.1f} "
        "{:.1f}l6 6m0 -6l-6 6\"/>\n",
        colour, x - 3, y - 3);
  }
  return fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\"/>\n", colour, x, y);
}

std::string draw_outsider(int colour, double x, double y, bool above) {
  return fmt::format("<path class=\"l{}\" fill=\"none\" d=\"M{:.1f} {:.1f}l4 {}h-8z\"/>\n", colour, x, y,
                     above ? 7 : -7);
}

}  // namespace trellis::plot
