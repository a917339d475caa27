// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures of how fast kernels are, as SVG text.
//
// The roofline (S. Williams, A. Waterman, D. Patterson, Commun. ACM 52 (2009) 65): speed against flops a byte, both
// logarithmic; a bandwidth is a rising line, a peak a level one, and no kernel can be above. Points carry their
// labels in a column at the right, joined by thin lines, so that labels never lie on one another.
//
// Bars: a panel a group, a bar an entry, its value at its end.

#include <string>
#include <vector>

namespace trellis::plot {

struct Roof {
  std::string label;
  double rate = 0;  // bytes a second, or flops a second
};

struct RooflinePoint {
  std::string label;
  double intensity = 0;  // flops a byte
  double flops = 0;      // a second
  int colour = 0;        // of svg_page.hpp
};

struct Roofline {
  std::string title;
  std::vector<Roof> bandwidths, peaks;
  std::vector<RooflinePoint> points;
};

std::string svg_roofline(const Roofline& roofline, int width = 1080);

struct Bar {
  std::string label;
  double value = 0;
  std::string note = {};  // after the value
  int colour = 0;
};

struct BarPanel {
  std::string title;
  std::vector<Bar> bars;
};

std::string svg_bars(const std::string& title, const std::vector<BarPanel>& panels, const std::string& unit,
                     int width = 900);

}  // namespace trellis::plot
