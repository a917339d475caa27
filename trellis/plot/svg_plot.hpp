// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plots as SVG text: panels stacked over a common width, each with axes, ticks at round numbers, labels and a legend.
// Colours are readable on a light and on a dark page (the file carries both and follows the viewer's preference) and
// to colour-blind eyes; marks differ in shape too.
//
// Points that are not finite are left out (a line breaks there). A series of more points than the panel has pixels is
// drawn by the lowest and highest of each pixel. Of a fixed y range, marks outside are open triangles at the edge.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trellis::plot {

enum class Mark { line, step, dot, cross };

struct Series {
  std::string label = {};  // in the legend; empty: not listed
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
  std::optional<std::pair<double, double>> y_range = {};  // else all points fit
  double shaded_until = 0;                                // x below is shaded (thermalisation), when inside the panel
  int height = 220;
};

// The whole file.
std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, int width = 860);

// Round numbers (1, 2, 5 times a power of ten) that cover [low, high] with at most about `count` steps, all inside it.
std::vector<double> nice_ticks(double low, double high, int count);

// A range for y that holds the middle of the values: the 1st to 99th percentile, widened by half its length on either
// side, but never beyond the values themselves. Nothing when there are no finite values.
std::optional<std::pair<double, double>> robust_range(std::vector<double> values);

}  // namespace trellis::plot
