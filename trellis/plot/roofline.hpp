// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plots of kernel performance, as SVG text.
//
// The roofline (S. Williams, A. Waterman, D. Patterson, Commun. ACM 52 (2009) 65): speed against flops per byte, both
// logarithmic; a bandwidth is a rising line, a peak a horizontal one, and no kernel can be above. The labels of points
// are numbers in a column at the right, connected by thin lines, so that they never overlap; what the numbers mean is
// below.
//
// Bars: one panel per group, one bar per entry, with its value at its end, or only its note if the value is not finite.
// Tables of text may follow: the first column names the rows.

#include <string>
#include <vector>

#include "trellis/plot/svg_page.hpp"

namespace trellis::plot {

struct Roof {
  std::string label;
  double rate = 0;  // bytes per second, or flops per second
};

struct RooflinePoint {
  std::string label;
  double intensity = 0;  // flops per byte
  double flops = 0;      // per second
  int colour = 0;        // as in svg_page.hpp
};

struct Roofline {
  std::string title;
  std::vector<Roof> bandwidths, peaks;
  std::vector<RooflinePoint> points;
};

std::string svg_roofline(const Roofline& roofline, int width = 1080, SvgUse use = SvgUse::file);

struct Bar {
  std::string label;
  double value = 0;
  std::string note = {};  // printed after the value
  int colour = 0;
};

struct BarPanel {
  std::string title;
  std::vector<Bar> bars;
};

struct TablePanel {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as `columns`
};

std::string svg_bars(const std::string& title, const std::vector<BarPanel>& panels, const std::string& unit,
                     const std::vector<TablePanel>& tables = {}, int width = 900);

}  // namespace trellis::plot
