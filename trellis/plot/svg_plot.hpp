// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plots as SVG text: panels stacked with a common width, each with axes, ticks at round numbers, labels and a legend
// that names every kind of mark, line and shade in it. Colours are readable on light and dark pages (the file contains
// both and follows the viewer's preference) and by colour-blind people; marks also differ in shape.
//
// Points that are not finite are left out (a line breaks there). A series with more points than the panel has pixels is
// drawn by the lowest and highest value in each pixel column; marks whose x does not ascend, by at most one per pixel.
// With a fixed y range, marks outside it are open triangles at the edge, which the legend explains.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/plot/svg_page.hpp"
#include "trellis/plot/ticks.hpp"

namespace trellis::plot {

// step: level until the next x. bar: filled from each x to the next; the last y is not drawn.
enum class Mark { line, step, bar, dot, cross };

struct Series {
  std::string label = {};  // in the legend; not listed if empty
  Mark mark = Mark::line;
  int colour = 0;  // 0 blue, 1 orange, 2 green, 3 purple, 4 grey
  std::vector<double> x = {}, y = {};
  std::vector<double> y_error = {};  // of each point; empty: none. Not thinned: for short series
  bool dashed = false;
};

// A horizontal line with a band, such as a mean with its error, over [x_from, x_to].
struct Band {
  std::string label = {};
  double y = 0;
  double half_width = 0;
  double x_from = 0;
  double x_to = 0;
  int colour = 1;
};

// A vertical line with a band, such as a scale with its error, over the panel's height.
struct Upright {
  std::string label = {};
  double x = 0;
  double half_width = 0;
  int colour = 2;
};

struct Panel {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<Series> series = {};
  std::vector<Band> bands = {};
  std::vector<Upright> uprights = {};
  std::optional<std::pair<double, double>> x_range = {}, y_range = {};  // default: fits all points
  bool whole_x = false, whole_y = false;                                // ticks at whole numbers
  bool log_y = false;                                                   // values that are not above 0 are left out
  double shaded_until = 0;                                              // smaller x are shaded, if inside the panel
  std::string shaded = {};  // what that is, for the legend: "thermalisation"
  int height = 220;
};

// Adds a line, with a mark at each of its points.
void add_marked_line(Panel& panel, Series line, Mark mark = Mark::dot);

// The complete picture. On a page its title is not drawn.
std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, int width = 860,
                     SvgUse use = SvgUse::file);

}  // namespace trellis::plot
