// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/plot/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trellis::plot {
namespace {

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

TEST(SvgPlot, TicksOfNumbersThatDifferByRoundingAreNone) {
  EXPECT_TRUE(nice_ticks(100, 100 * (1 + 1e-15), 6).empty());
  EXPECT_FALSE(nice_ticks(100, 100.001, 6).empty());
}

TEST(NiceTicks, AreRoundAndInside) {
  EXPECT_EQ(nice_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(nice_ticks(-1.2, 1.1, 4), (std::vector<double>{-1, 0, 1}));
  const auto fine = nice_ticks(0.5931, 0.5948, 6);
  ASSERT_EQ(fine.size(), 3U);
  EXPECT_NEAR(fine[0], 0.5935, 1e-12);
  EXPECT_NEAR(fine[2], 0.5945, 1e-12);
  EXPECT_TRUE(nice_ticks(1, 1, 5).empty());
  EXPECT_TRUE(nice_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
}

TEST(RobustRange, IgnoresAFewOutliers) {
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
  values[3] = 1e6;
  const auto range = robust_range(values);
  ASSERT_TRUE(range);
  EXPECT_LT(range->second, 3);
  EXPECT_GT(range->second, 1);
  EXPECT_LT(range->first, -1);
  EXPECT_FALSE(robust_range({std::nan("")}));
}

// A text that is too wide for its place has a stated width.
TEST(SvgPlot, LongTextsStayInThePicture) {
  const std::string longest(200, 'm');
  Panel panel{.title = longest, .x_label = "x", .y_label = "y"};
  panel.series.push_back({"short", Mark::line, 0, {1, 2}, {1, 2}});
  EXPECT_EQ(count_of(svg_plot("title", {panel}), "textLength=\"756.0\""), 1U);
  panel.series[0].label = longest;
  panel.title = "short";
  EXPECT_EQ(count_of(svg_plot("title", {panel}), "textLength=\"734.0\""), 1U);
  panel.series[0].label = "short";
  EXPECT_EQ(count_of(svg_plot("title", {panel}), "textLength"), 0U);
}

TEST(SvgPlot, HoldsWhatWasGiven) {
  Panel panel{.title = "a < b & c", .x_label = "trajectory", .y_label = "dH"};
  panel.series.push_back({"accepted", Mark::dot, 0, {1, 2, 3, 4}, {0.1, std::nan(""), 0.3, 9}});
  panel.series.push_back({"rejected", Mark::cross, 1, {5}, {0.2}});
  panel.y_range = {0, 1};
  panel.shaded_until = 2;
  panel.shaded = "thermalisation";
  const auto svg = svg_plot("title", {panel});
  EXPECT_EQ(count_of(svg, ">thermalisation<"), 1U);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<circle"), 2U + 1U) << "two dots inside and one in the legend; NaN is left out";
  EXPECT_EQ(count_of(svg, "h-8z"), 1U + 1U) << "the one outside is a triangle at the edge, and in the legend";
  EXPECT_EQ(count_of(svg, ">outside this range<"), 1U);
  EXPECT_EQ(count_of(svg, "class=\"shade\""), 1U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(SvgPlot, LongTitlesGetSmallerLetters) {
  const auto size = [](std::size_t letters) {
    const auto svg = svg_plot(std::string(letters, 'x'), {}, 860);
    return std::stod(svg.substr(svg.find("font-size: ", svg.find("</style>")) + 11));
  };
  EXPECT_EQ(size(20), 15);
  EXPECT_LT(size(120) * 120 * 0.6, 760);
  EXPECT_GT(size(120), 8);
}

TEST(SvgPlot, LinesBreakAtWhatIsNotANumber) {
  Panel panel;
  panel.series.push_back({"", Mark::line, 0, {1, 2, 3, 4, 5}, {1, 2, std::nan(""), 2, 1}});
  const auto svg = svg_plot("t", {panel});
  const auto path = svg.substr(svg.find("stroke-linejoin"));
  const auto data = path.substr(0, path.find("/>"));
  EXPECT_EQ(count_of(data, "M"), 2U);
  EXPECT_EQ(count_of(data, "L"), 2U);
}

TEST(SvgPlot, ManyPointsStaySmallAndKeepTheExtremes) {
  Series series;
  for (int i = 0; i < 1000000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 555555 ? 1000 : std::sin(i));
  }
  const auto svg = svg_plot("t", {{.series = {series}}});
  EXPECT_LT(svg.size(), 60000U);
  EXPECT_NE(svg.find(">1000<"), std::string::npos) << "the axis reaches the one high point";
}

TEST(SvgPlot, ManyMarksStayFew) {
  Series ascending{.mark = Mark::dot}, scattered{.mark = Mark::dot};
  for (int i = 0; i < 100000; ++i) {
    ascending.x.push_back(i);
    ascending.y.push_back(std::sin(double(i) * i));
    scattered.x.push_back(std::sin(i));
    scattered.y.push_back(std::sin(double(i) * i * 0.5));
  }
  const auto of = [](const Series& series) { return count_of(svg_plot("t", {{.series = {series}}}, 300), "<circle"); };
  EXPECT_LE(of(ascending), 67U * 75);  // three by three pixels share one
  EXPECT_GT(of(ascending), 2000U);     // and not only the extremes are left
  EXPECT_LE(of(scattered), 196U * 220);
  EXPECT_GT(of(scattered), 10000U);
}

TEST(SvgPlot, EmptyAndConstantPanels) {
  const auto svg = svg_plot(
      "t", {{}, {.series = {{"", Mark::step, 0, {1, 2}, {0.5, 0.5}}}}, {.series = {{"", Mark::dot, 0, {1}, {0}}}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<svg"), 1U + 3U);
}

// The height of the part of the picture that a legend takes is added to it.
TEST(SvgPlot, LongLegendsAreBelowTheTitle) {
  const auto height = [](const std::string& svg) { return std::stod(svg.substr(svg.find("height=\"") + 8)); };
  Panel panel{.title = "forces"};
  for (const std::string label : {"a", "b", "c"}) panel.series.push_back({label, Mark::line, 0, {1, 2}, {1, 2}});
  const auto brief = svg_plot("t", {panel}, 420);
  for (auto& series : panel.series) series.label = "some label " + series.label;
  const auto longer = svg_plot("t", {panel}, 420);
  EXPECT_EQ(height(longer), height(brief) + 2 * 18) << "one line holds two of them";
  for (const auto& series : panel.series) EXPECT_EQ(count_of(longer, ">" + series.label + "<"), 1U);
}

TEST(SvgPlot, BarsErrorsAndUprights) {
  Panel panel;
  panel.series.push_back({"histogram", Mark::bar, 0, {0, 1, 2}, {3, 4, 0}});
  panel.series.push_back({.mark = Mark::dot, .colour = 1, .x = {0, 1}, .y = {1, 2}, .y_error = {0.5, std::nan("")}});
  panel.uprights = {{"t0", 1.5, 0.1}, {"far", 1e9, 0}};
  panel.x_range = {0, 2};
  const auto svg = svg_plot("t", {panel});
  const auto bars = svg.substr(svg.find("<path class=\"f0 l0\""));
  EXPECT_EQ(count_of(bars.substr(0, bars.find("/>")), "z"), 2U);
  EXPECT_EQ(count_of(svg, "stroke-width=\"1.2\""), 1U) << "one error bar";
  EXPECT_EQ(count_of(svg, "stroke-dasharray=\"2 3\""), 1U) << "one upright inside the picture";
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgPlot, LogarithmicPanels) {
  Panel panel{.log_y = true};
  panel.series.push_back({"", Mark::line, 0, {1, 2, 3, 4}, {1, 0, 1000, -1}});
  const auto svg = svg_plot("t", {panel});
  for (const auto* tick : {">1<", ">10<", ">100<", ">1000<"}) EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(SvgPlot, LogarithmicAxesOfLessThanADecadeHaveTicks) {
  Panel panel{.log_y = true};
  panel.series.push_back({"", Mark::line, 0, {1, 2}, {2257, 3833}});
  const auto svg = svg_plot("t", {panel});
  for (const auto* tick : {">2500<", ">3000<", ">3500<"}) EXPECT_NE(svg.find(tick), std::string::npos) << tick;
}

TEST(SvgPlot, PartOfAPageHasNeitherStyleNorHeading) {
  const Panel panel{.series = {{"", Mark::line, 0, {1, 2}, {1, 2}}}};
  const auto svg = svg_plot("a < b", {panel}, 400, SvgUse::page);
  EXPECT_EQ(svg.find("<style>"), std::string::npos);
  EXPECT_EQ(svg.find(" id="), std::string::npos) << "ids of several pictures on a page would clash";
  EXPECT_EQ(count_of(svg, "a &lt; b"), 2U) << "the title, and its label for screen readers";
}

TEST(SvgPage, EntriesThatDoNotFitBeginANewLine) {
  using Lines = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(lines_of({}, 100), Lines{});
  EXPECT_EQ(lines_of({40, 60}, 100), (Lines{{0, 2}}));
  EXPECT_EQ(lines_of({40, 61, 30, 20}, 100), (Lines{{0, 1}, {1, 3}, {3, 4}}));
  EXPECT_EQ(lines_of({400, 1}, 100), (Lines{{0, 1}, {1, 2}}));
}

}  // namespace
}  // namespace trellis::plot
