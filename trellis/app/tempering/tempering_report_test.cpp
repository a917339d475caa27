// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/tempering/tempering_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace trellis::app {
namespace {

// Two pairs of three replicas. rows: the walkers at the replicas; swapped: of the pairs.
io::CsvData table_of(const std::vector<std::vector<double>>& rows, const std::vector<std::vector<double>>& swapped) {
  io::CsvData table{.columns = {"trajectory", "swapped_0", "swapped_1", "walker_0", "walker_1", "walker_2"},
                    .values = std::vector<std::vector<double>>(6)};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    table.values[0].push_back(double(row + 1));
    for (std::size_t r = 0; r < 2; ++r) table.values[1 + r].push_back(swapped[row][r]);
    for (std::size_t r = 0; r < 3; ++r) table.values[3 + r].push_back(rows[row][r]);
  }
  return table;
}

TEST(TemperingReport, CountsSwapsAndRoundTrips) {
  // Walker 0 goes from the first replica to the last and back, twice; walker 2 only from the last to the first.
  const auto table = table_of({{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {1, 2, 0}, {1, 0, 2}, {0, 1, 2}, {2, 1, 0}, {0, 1, 2}},
                              {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 1}});
  const auto summary = tempering_summary(table, 0);
  EXPECT_EQ(summary.trajectories, 8);
  EXPECT_EQ(summary.accepted, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(summary.round_trips, 2);
  // Thermalisation does not count: what is left of the first trip is no round trip.
  const auto later = tempering_summary(table, 2);
  EXPECT_EQ(later.trajectories, 6);
  EXPECT_EQ(later.round_trips, 1);
  EXPECT_NE(tempering_text(table, 0).find("2 round trips in 8 trajectories"), std::string::npos)
      << tempering_text(table, 0);
  const auto figures = tempering_figures(table, 0);
  EXPECT_NE(figures.find("<svg"), std::string::npos);
  // Replicas have whole numbers, all of which are inside.
  const auto places = figures.substr(figures.find("Where walkers were"));
  for (const auto* tick : {">0<", ">1<", ">2<"}) EXPECT_NE(places.find(tick), std::string::npos) << tick;
  for (const auto* tick : {">0.0<", ">0.5<", ">1.5<"}) EXPECT_EQ(places.find(tick), std::string::npos) << tick;
}

TEST(TemperingReport, SaysWhereSwapsAreRare) {
  std::vector<std::vector<double>> rows(200, {0, 1, 2}), swapped(200, {0, 0});
  for (std::size_t n = 0; n < 200; n += 4) swapped[n][0] = 1;
  const auto text = tempering_text(table_of(rows, swapped), 0);
  EXPECT_NE(text.find("accepted: 0 (lowest, replicas 1 and 2) to 0.25"), std::string::npos) << text;
  EXPECT_NE(text.find("move couplings closer"), std::string::npos) << text;
}

TEST(TemperingReport, NothingWithoutTempering) {
  const io::CsvData other{.columns = {"trajectory", "plaquette"}, .values = {{1, 2}, {0.5, 0.6}}};
  EXPECT_TRUE(tempering_summary(other, 0).accepted.empty());
  EXPECT_EQ(tempering_text(other, 0), "");
  EXPECT_EQ(tempering_figures(other, 0), "");
  const auto none = table_of({}, {});
  EXPECT_EQ(tempering_text(none, 0), "");
  EXPECT_EQ(tempering_figures(none, 0), "");
}

}  // namespace
}  // namespace trellis::app
