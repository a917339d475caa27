// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/svg_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace trellis::plot {
namespace {

constexpr const char* kStyle =
    R"(  svg .page { fill: #ffffff; } svg .text { fill: #24292f; } svg .faint { fill: #57606a; }
  svg .halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
  svg .frame { stroke: #57606a; fill: none; } svg .grid { stroke: #d8dee4; } svg .shade { fill: #57606a; fill-opacity: 0.10; }
  svg .l0 { stroke: #0969da; } svg .l1 { stroke: #c4570c; } svg .l2 { stroke: #1a7f37; } svg .l3 { stroke: #8250df; } svg .l4 { stroke: #6e7781; }
  svg .f0 { fill: #0969da; } svg .f1 { fill: #c4570c; } svg .f2 { fill: #1a7f37; } svg .f3 { fill: #8250df; } svg .f4 { fill: #6e7781; }
  @media screen and (prefers-color-scheme: dark) {
    svg .page { fill: #0d1117; } svg .text { fill: #e6edf3; } svg .faint { fill: #9198a1; }
    svg .halo { stroke: #0d1117; }
    svg .frame { stroke: #9198a1; } svg .grid { stroke: #2a3038; } svg .shade { fill: #9198a1; }
    svg .l0 { stroke: #58a6ff; } svg .l1 { stroke: #f0883e; } svg .l2 { stroke: #3fb950; } svg .l3 { stroke: #bc8cff; } svg .l4 { stroke: #9198a1; }
    svg .f0 { fill: #58a6ff; } svg .f1 { fill: #f0883e; } svg .f2 { fill: #3fb950; } svg .f3 { fill: #bc8cff; } svg .f4 { fill: #9198a1; }
  }
  svg text { font-family: system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 12px; }
  svg .title { font-size: 15px; font-weight: 600; } svg .panel { font-size: 13px; font-weight: 600; }
)";

// The average width of a letter is at most about 0.62 of the font size.
std::string fitted_title(const std::string& title, int left, double width) {
  const double size = std::min(15.0, width / (0.62 * double(std::max<std::size_t>(1, title.size()))));
  return fmt::format(
      "<text class=\"title text\" style=\"font-size: {:.1f}px\" "
      "x=\"{}\" y=\"24\">{}</text>\n",
      size, left, svg_escaped(title));
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

std::vector<std::pair<std::size_t, std::size_t>> lines_of(const std::vector<double>& widths, double room) {
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  double x = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (lines.empty() || x + widths[i] > room) {
      lines.emplace_back(i, i);
      x = 0;
    }
    x += widths[i];
    lines.back().second = i + 1;
  }
  return lines;
}

std::string svg_text(double x, double y, const char* classes, const char* anchor, const std::string& text,
                     std::optional<double> room) {
  const auto letter = std::string_view(classes).starts_with("panel") ? heading_letter_width : letter_width;
  const bool is_wider = room && letter * double(text.size()) > *room;
  return fmt::format(
      "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
      "text-anchor=\"{}\"{}>{}</text>\n",
      classes, x, y, anchor,
      is_wider ? fmt::format(" textLength=\"{:.1f}\" lengthAdjust=\"spacingAndGlyphs\"", std::max(*room, 1.0)) : "",
      svg_escaped(text));
}

const char* svg_style() { return kStyle; }

std::string svg_begin(const std::string& title, int width, int height, int title_left, int title_width, SvgUse use) {
  const auto begin = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} "
      "{1}\" width=\"{0}\" height=\"{1}\" "
      "role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n",
      width, height, svg_escaped(title));
  if (use == SvgUse::page) return begin;
  return begin +
         fmt::format(
             "<style>\n{}</style>\n<rect class=\"page\" width=\"{}\" "
             "height=\"{}\"/>\n",
             kStyle, width, height) +
         fitted_title(title, title_left, title_width);
}

}  // namespace trellis::plot
