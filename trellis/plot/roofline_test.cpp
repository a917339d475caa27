// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/roofline.hpp"

#include <gtest/gtest.h>

#include <map>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <set>

namespace trellis::plot {
namespace {

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const auto result = document.load_string(svg.c_str());
  EXPECT_TRUE(result) << result.description();
  EXPECT_STREQ(document.document_element().name(), "svg");
  return document;
}

// Numbers of points: texts that begin at the right-hand column.
std::vector<double> label_heights(const pugi::xml_document& document) {
  std::vector<double> heights;
  const double width = document.document_element().attribute("width").as_double();
  for (const auto& text : document.document_element().children("text"))
    if (text.attribute("x").as_double() > width - 50) heights.push_back(text.attribute("y").as_double());
  std::sort(heights.begin(), heights.end());
  return heights;
}

TEST(RooflinePlot, LabelsNeverLieOnOneAnother) {
  Roofline r{.title = "a < b & c", .bandwidths = {{"w", 5e10}, {"v", 6e10}}, .peaks = {{"p", 2e11}}, .points = {}};
  for (int k = 0; k < 30; ++k) r.points.push_back({"point <" + std::to_string(k) + ">", 1.7, 5e10 + k, k % 3});
  const auto document = parsed(svg_roofline(r));
  const auto heights = label_heights(document);
  ASSERT_EQ(heights.size(), 30U);
  const double height = document.document_element().attribute("height").as_double();
  for (std::size_t k = 1; k < heights.size(); ++k) EXPECT_GT(heights[k] - heights[k - 1], 13);
  EXPECT_GT(heights.front(), 30);
  EXPECT_LT(heights.back(), height);
  // Each point, and its entry in the key below, where no two texts are in the same place.
  int circles = 0;
  for (const auto& circle : document.document_element().children("circle")) {
    ++circles;
    EXPECT_LT(circle.attribute("cx").as_double(), 1020);
  }
  EXPECT_EQ(circles, 60);
  std::set<std::pair<double, double>> places;
  int entries = 0;
  for (const auto& text : document.document_element().children("text")) {
    if (!std::string(text.child_value()).starts_with("point <")) continue;
    ++entries;
    EXPECT_LT(text.attribute("y").as_double(), height);
    EXPECT_TRUE(places.emplace(text.attribute("x").as_double(), text.attribute("y").as_double()).second);
  }
  EXPECT_EQ(entries, 30);
}

// Lines of other roofs and of points end around the labels of roofs: they are drawn later, with a halo.
TEST(RooflinePlot, LabelsOfRoofsLieAboveLines) {
  const Roofline r{.title = "t",
                   .bandwidths = {{"narrow", 5e10}, {"wide", 6e10}},
                   .peaks = {{"low", 1.8e11}, {"high", 2e11}},
                   .points = {{"a", 8, 1.8e11, 0}, {"b", 1, 5e10, 1}}};
  const auto svg = svg_roofline(r);
  const auto last_line = svg.rfind("<path");
  for (const auto* label : {">narrow<", ">wide<", ">low<", ">high<"}) {
    const auto at = svg.find(label);
    ASSERT_NE(at, std::string::npos) << label;
    EXPECT_GT(at, last_line) << label;
    const auto begin = svg.rfind("<text", at);
    EXPECT_NE(svg.substr(begin, at - begin).find(" halo\""), std::string::npos) << label;
  }
}

TEST(RooflinePlot, LongLabelsLeaveThePictureItsWidth) {
  const Roofline r{.title = "t",
                   .bandwidths = {{"w", 5e10}},
                   .peaks = {{"p", 2e11}},
                   .points = {{std::string(90, 'x'), 1.7, 5e10, 0}}};
  const auto document = parsed(svg_roofline(r));
  double frame = 0;
  for (const auto& rect : document.document_element().children("rect"))
    if (std::string(rect.attribute("class").value()) == "frame") frame = rect.attribute("width").as_double();
  EXPECT_GT(frame, 0.85 * document.document_element().attribute("width").as_double());
}

TEST(RooflinePlot, DrawsWhatIsThere) {
  const double nan = std::nan("");
  EXPECT_EQ(svg_roofline({}).find("nan"), std::string::npos);
  parsed(svg_roofline({}));
  const Roofline odd{.title = "t",
                     .bandwidths = {{"w", 1e9}},
                     .peaks = {{"p", 1e12}},
                     .points = {{"a", nan, 1e9, 0}, {"b", 1, 0, 0}, {"c", 1e-3, 1e15, 0}}};
  const auto svg = svg_roofline(odd);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(label_heights(parsed(svg)).size(), 1U);
}

TEST(RooflinePlot, BarsAreAsLongAsTheirValues) {
  const auto document = parsed(svg_bars(
      "bars", {{"one", {{"a", 10, "x", 0}, {"b", 20, "", 1}}}, {"two", {{"c & d", std::nan(""), "", 0}}}}, "u"));
  std::vector<double> widths;
  for (const auto& rect : document.document_element().children("rect"))
    if (std::string(rect.attribute("class").value()).starts_with("f"))
      widths.push_back(rect.attribute("width").as_double());
  ASSERT_EQ(widths.size(), 3U);
  EXPECT_NEAR(widths[1], 2 * widths[0], 0.2);
  EXPECT_EQ(widths[2], 0);
  parsed(svg_bars("none", {}, "u"));
}

TEST(RooflinePlot, LongTextsStayInThePicture) {
  const std::string longest(150, 'm');
  const auto document = parsed(svg_bars("bars", {{longest, {{longest, 10, longest, 0}, {"b", 20, "", 1}}}}, "u",
                                        {{longest, {"", longest, "right"}, {{longest, "1.5", longest}}}}));
  const double width = document.document_element().attribute("width").as_double();
  std::size_t squeezed = 0;
  for (const auto& text : document.document_element().children("text")) {
    if (std::string(text.text().get()).size() < longest.size()) continue;
    ++squeezed;
    const double x = text.attribute("x").as_double(), length = text.attribute("textLength").as_double();
    const double begin = std::string(text.attribute("text-anchor").value()) == "end" ? x - length : x;
    EXPECT_GT(length, 0);
    EXPECT_GE(begin, 0);
    EXPECT_LE(begin + length, width);
  }
  EXPECT_EQ(squeezed, 7U);
  for (const auto& rect : document.document_element().children("rect"))
    EXPECT_GE(rect.attribute("width").as_double(), 0);
}

TEST(RooflinePlot, TablesFollowBars) {
  const auto document =
      parsed(svg_bars("bars", {{"one", {{"a", 10, "x", 0}, {"b", std::nan(""), "not there", 0}}}}, "u",
                      {{"a table", {"", "left", "right"}, {{"p & q", "1.5", "-"}, {"r", "2", "3"}}}}));
  std::map<std::string, double> heights;
  for (const auto& text : document.document_element().children("text"))
    heights[text.text().get()] = text.attribute("y").as_double();
  for (const auto* cell : {"not there", "a table", "left", "right", "p & q", "1.5", "-", "2", "3"})
    EXPECT_EQ(heights.count(cell), 1U) << cell;
  EXPECT_EQ(heights["p & q"], heights["1.5"]);
  EXPECT_GT(heights["r"], heights["p & q"]);
  EXPECT_GT(heights["a table"], heights["u"]);
  EXPECT_LT(heights["3"], document.document_element().attribute("height").as_double());
}

}  // namespace
}  // namespace trellis::plot
