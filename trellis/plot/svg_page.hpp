// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all SVG pictures share: the page with its title and colours, and text. Colours are readable on light and dark
// pages (the file contains both and follows the viewer's preference) and by colour-blind people. Classes: page, text,
// faint, panel (a heading) for text, frame and grid for lines, shade for areas, l0 to l4 for strokes and f0 to f4 for
// fills in blue, orange, green, purple, grey; halo: for text that lies on lines, which end around it.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trellis::plot {

// A picture is a file of its own, or part of a page: then the style is the page's (svg_style()), and so is the heading.
enum class SvgUse { file, page };

// The CSS of these classes.
const char* svg_style();

// Everything before the first drawn element; the title is made to fit, or on a page only read aloud. End the picture
// with "</svg>\n".
std::string svg_begin(const std::string& title, int width, int height, int title_left, int title_width,
                      SvgUse use = SvgUse::file);

inline constexpr double letter_width = 6.9;          // pixels, an estimate for most letters
inline constexpr double heading_letter_width = 8.2;  // of the class panel

// With `room`, a text that is estimated to be wider is squeezed to that width.
std::string svg_text(double x, double y, const char* classes, const char* anchor, const std::string& text,
                     std::optional<double> room = {});

// Entries of these widths on lines no wider than `room`, each [begin, end).
std::vector<std::pair<std::size_t, std::size_t>> lines_of(const std::vector<double>& widths, double room);

// Text escaped for XML.
std::string svg_escaped(const std::string& text);

}  // namespace trellis::plot
