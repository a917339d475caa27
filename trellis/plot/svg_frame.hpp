// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One panel of a plot: where values are in pixels, and its content as SVG text. Used by svg_plot() only.

#include "trellis/plot/svg_plot.hpp"
#include "trellis/plot/ticks.hpp"

namespace trellis::plot {

// Data to pixels.
struct Frame {
  double left, right, top, bottom;
  Range x, y;  // with log_y, y is positive
  bool log_y = false;

  double px(double value) const { return left + (value - x.first) / (x.second - x.first) * (right - left); }
  double py(double value) const;
  bool shows(double value) const { return value >= y.first && value <= y.second; }
  // Whether a point can be drawn at all.
  bool has(double of_x, double of_y) const;
};

// Whether some mark of the panel is outside its y range, and so becomes a triangle at the edge.
bool has_outsiders(const Panel& panel, const Frame& f);

std::string draw(const Series& series, const Frame& f);
std::string draw(const Band& band, const Frame& f);
std::string draw(const Upright& upright, const Frame& f);
// One mark, as in the legend.
std::string draw_mark(Mark mark, int colour, double x, double y);
// The triangle for a mark above (or below) the frame, at height y.
std::string draw_outsider(int colour, double x, double y, bool above);

}  // namespace trellis::plot
