// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/stop_reason.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/gauge_test_files.hpp"

namespace trellis::app {
namespace {

// A table at whose 20th row all reasons hold, which come in their order.
TEST(ReasonToStop, OfSeveralTheFirst) {
  const io::test::TempFolder folder;
  const auto file = folder.path() / "stop";
  const auto input = parse_run_input(
      "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[chain]\ntrajectories = 100\nthermalisation = 20\n"
      "checkpoint_every = 10\nstop_file = \"" +
          file.string() +
          "\"\nstop_when = { observable = \"plaquette\", error_below = 1, independent_measurements = 20 }\n",
      "i.toml");
  io::CsvData table{.columns = {"trajectory", "dH", "plaquette"}, .values = {{}, {}, {}}};
  for (int n = 1; n <= 60; ++n) {
    table.values[0].push_back(n);
    table.values[1].push_back(5);                       // exp(-5) would have been accepted
    table.values[2].push_back(n % 2 == 0 ? 0.5 : 0.6);  // so that there is an error
  }
  EXPECT_FALSE(reason_to_stop(input, table, 20, false));
  const auto steps = reason_to_stop(input, table, 20, true);
  ASSERT_TRUE(steps && steps->poor_acceptance);
  EXPECT_NEAR(*steps->poor_acceptance, std::exp(-5), 1e-12);
  EXPECT_FALSE(steps->precise);
  EXPECT_EQ(steps->text, "its steps do not fit");

  const auto precise = reason_to_stop(input, table, 60, true);
  ASSERT_TRUE(precise && precise->precise);
  EXPECT_FALSE(precise->poor_acceptance);
  EXPECT_EQ(precise->text.rfind("plaquette = 0.55", 0), 0U) << precise->text;
  EXPECT_FALSE(reason_to_stop(input, table, 59, true)) << "no checkpoint is due";

  EXPECT_FALSE(stop_file_exists(input));
  io::test::write_all(file, "");
  EXPECT_TRUE(stop_file_exists(input));
  for (const int completed : {20, 59, 60}) {
    const auto stop = reason_to_stop(input, table, completed, true);
    ASSERT_TRUE(stop) << completed;
    EXPECT_EQ(stop->text, "the stop file " + file.string());
    EXPECT_FALSE(stop->poor_acceptance || stop->precise) << completed;
  }
}

}  // namespace
}  // namespace trellis::app
