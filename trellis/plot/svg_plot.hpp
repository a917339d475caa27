// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plots as SVG text: panels stacked with a common width, each with axes, ticks at round numbers, labels and a legend.
// Colours are readable on light and dark pages (the file contains both and follows the viewer's preference) and by
// colour-blind people; marks also differ in shape.
//
// Points that are not finite are left out (a line breaks there). A series with more points than the panel has pixels is
// drawn by the lowest and highest value in each pixel column. With a fixed y range, marks outside it are open triangles
// at the edge.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trellis::plot {

enum class Mark { line, step, dot, cross };

struct Series {
  std::string label = {};  // in the legend; not listed if empty
  Mark mark = Mark::line;
  int colour = 0;  // 0 blue, 1 orange, 2 green, 3 purple, 4 grey
  std::vector<double> x = {}, y = {};
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

struct Panel {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<Series> series = {};
  std::vector<Band> bands = {};
  std::optional<std::pair<double, double>> y_range = {};  // default: fits all points
  double shaded_until = 0;                                // smaller x are shaded (thermalisation), if inside the panel
  int height = 220;
};

// The complete file.
std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, int width = 860);

// Round numbers (1, 2, 5 times a power of ten) that cover [low, high] with at most about `count` steps, all inside it.
std::vector<double> nice_ticks(double low, double high, int count);

// A range for y that contains most of the values: the 1st to 99th percentile, widened by half its length on either
// side, but never beyond the values themselves. Empty if there are no finite values.
std::optional<std::pair<double, double>> robust_range(std::vector<double> values);

}  // namespace trellis::plot
