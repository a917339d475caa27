// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trellis::app {
namespace {

TEST(Nearest, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("stesp", "steps"), 1) << "neighbours swapped are one slip";
  EXPECT_EQ(edit_distance("save-every", "save_every"), 0);
  EXPECT_EQ(edit_distance("Beta", "beta"), 0);
  EXPECT_EQ(edit_distance("run", "measure"), 6);
}

TEST(Nearest, Suggestion) {
  const std::vector<std::string> words{"run", "measure", "inspect", "convert"};
  EXPECT_EQ(nearest("rnu", words), "run");
  EXPECT_EQ(nearest("inspct", words), "inspect");
  EXPECT_EQ(nearest("verify", words), "");
  EXPECT_EQ(suggestion("mesure", words), "; did you mean 'measure'?");
  EXPECT_EQ(suggestion("xyz", words), "; known are run, measure, inspect, convert");
  EXPECT_EQ(suggestion("xyz", {}), "");
}

}  // namespace
}  // namespace trellis::app
