// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/reconsider.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trellis::app {
namespace {

TEST(PoorAcceptance, OfTheLastHalfOfThermalisation) {
  RunInput input;
  input.chain.trajectories = 100;
  input.chain.thermalisation = 40;
  io::CsvData table{.columns = {"trajectory", "dH"}, .values = {{}, {}}};
  for (int n = 1; n <= 60; ++n) {
    table.values[0].push_back(n);
    // Poor at first, and after thermalisation; of the half that counts one in four.
    table.values[1].push_back(n <= 20 || n > 40 ? 50 : n % 4 == 0 ? 50 : -50);
  }
  EXPECT_FALSE(poor_acceptance(input, table, 40));
  for (double& dH : table.values[1]) dH += dH == -50 ? 50 + std::log(2) : 0;  // the others by half
  ASSERT_TRUE(poor_acceptance(input, table, 40));
  EXPECT_NEAR(*poor_acceptance(input, table, 40), 0.75 / 2, 1e-12);
  EXPECT_FALSE(poor_acceptance(input, table, 39));
  EXPECT_FALSE(poor_acceptance(input, table, 41));
  table.values[1][30] = std::nan("");
  EXPECT_TRUE(poor_acceptance(input, table, 40));
  input.start.trajectory = 40;  // nothing was thermalised here
  EXPECT_FALSE(poor_acceptance(input, table, 40));
  input.start.trajectory = 0;
  input.chain.thermalisation = 18;  // too few
  EXPECT_FALSE(poor_acceptance(input, table, 18));
}

}  // namespace
}  // namespace trellis::app
