// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pieces of HTML pages in one style, readable on light and dark screens and on paper, without scripts and without
// external resources. What they return is also well-formed XML. Texts are escaped here; what is called html is
// not.

#include <string>
#include <utility>
#include <vector>

#include "trellis/app/analyse/analysis.hpp"

namespace trellis::app::html {

std::string escaped(const std::string& text);

// <tag>text</tag>
std::string element(const std::string& tag, const std::string& text);

// A complete page. refresh: after how many seconds a browser loads it again; 0: never.
std::string page(const std::string& title, int refresh, const std::string& html);

// With a heading that links can name.
std::string section(const std::string& id, const std::string& heading, const std::string& html);

// Cells other than the first are aligned like numbers; those of the last column are texts if its heading is empty.
std::string table(const std::string& caption, const ResultTable& table);

// Names and values, one per line.
std::string facts(const std::vector<std::pair<std::string, std::string>>& all);

// A picture (SVG) with a caption below it.
std::string figure(const std::string& svg, const std::string& caption);
// Several, side by side as far as the window is wide enough.
std::string figures(const std::vector<std::string>& all);

// Text as it is, with its line breaks.
std::string preformatted(const std::string& text);

}  // namespace trellis::app::html
