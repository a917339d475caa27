// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/svg_page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trellis::plot {
namespace {

constexpr const char* kStyle = R"(<style>
  .page { fill: #ffffff; } .text { fill: #24292f; } .faint { fill: #57606a; }
  .frame { stroke: #57606a; fill: none; } .grid { stroke: #d8dee4; } .shade { fill: #57606a; fill-opacity: 0.10; }
  .l0 { stroke: #0969da; } .l1 { stroke: #c4570c; } .l2 { stroke: #1a7f37; } .l3 { stroke: #8250df; } .l4 { stroke: #6e7781; }
  .f0 { fill: #0969da; } .f1 { fill: #c4570c; } .f2 { fill: #1a7f37; } .f3 { fill: #8250df; } .f4 { fill: #6e7781; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .text { fill: #e6edf3; } .faint { fill: #9198a1; }
    .frame { stroke: #9198a1; } .grid { stroke: #2a3038; } .shade { fill: #9198a1; }
    .l0 { stroke: #58a6ff; } .l1 { stroke: #f0883e; } .l2 { stroke: #3fb950; } .l3 { stroke: #bc8cff; } .l4 { stroke: #9198a1; }
    .f0 { fill: #58a6ff; } .f1 { fill: #f0883e; } .f2 { fill: #3fb950; } .f3 { fill: #bc8cff; } .f4 { fill: #9198a1; }
  }
  text { font-family: system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 12px; }
  .title { font-size: 15px; font-weight: 600; } .panel { font-size: 13px; font-weight: 600; }
</style>
)";

// The average width of a letter is at most about 0.62 of the font size.
std::string fitted_title(const std::string& title, int left, double width) {
  const double size = std::min(15.0, width / (0.62 * double(std::max<std::size_t>(1, title.size()))));
  return fmt::format("<text class=\"title text\" style=\"font-size: {:.1f}px\" x=\"{}\" y=\"24\">{}</text>\n", size,
                     left, svg_escaped(title));
}

}  // namespace

std::string svg_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string svg_text(double x, double y, const char* classes, const char* anchor, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", classes, x, y,
                     anchor, svg_escaped(text));
}

std::string svg_begin(const std::string& title, int width, int height, int title_left, int title_width) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "role=\"img\">\n<title>{2}</title>\n{3}<rect class=\"page\" width=\"{0}\" height=\"{1}\"/>\n",
             width, height, svg_escaped(title), kStyle) +
         fitted_title(title, title_left, title_width);
}

}  // namespace trellis::plot
