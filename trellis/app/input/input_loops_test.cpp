// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_loops.hpp"

#include <gtest/gtest.h>

#include "trellis/app/input/input.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

const std::string kWithoutLoops =
    "[lattice]\nsize = [8, 8, 8, 8]\n[action]\nbeta = 6\n[chain]\ntrajectories = 20\n[measure]\nevery = 2\n";

TEST(LoopInput, EveryKeyArrives) {
  const auto input = parse_run_input(
      kWithoutLoops +
          "[measure.wilson_loops]\nevery = 4\ndirections = [\"110\", \"210\"]\ndistance = 2\ntime = 3\nape_alpha = "
          "0.7\nape_levels = [2, 10]\ntime_links = \"hyp\"\nhyp_alpha = [1, 1, 0.5]\n[measure.glueballs]\nevery = "
          "6\nape_alpha = 0.3\nape_levels = [5]\n",
      "in.toml");
  const auto& loops = *input.measure.wilson_loops;
  EXPECT_EQ(loops.every, 4);
  EXPECT_EQ(loops.directions, (std::vector<std::string>{"110", "210"}));
  EXPECT_EQ(loops.distance, 2);
  EXPECT_EQ(loops.time, 3);
  EXPECT_EQ(loops.ape_alpha, 0.7);
  EXPECT_EQ(loops.ape_levels, (std::vector<std::int64_t>{2, 10}));
  EXPECT_EQ(loops.time_links, "hyp");
  EXPECT_EQ(loops.hyp_alpha, (std::vector{1.0, 1.0, 0.5}));
  const auto& glueballs = *input.measure.glueballs;
  EXPECT_EQ(glueballs.every, 6);
  EXPECT_EQ(glueballs.ape_alpha, 0.3);
  EXPECT_EQ(glueballs.ape_levels, std::vector<std::int64_t>{5});
  const auto again = parse_run_input(write_toml(input.resolved), "again.toml");
  EXPECT_EQ(write_toml(again.resolved), write_toml(input.resolved));
}

TEST(LoopInput, WrongValuesAreNamed) {
  const std::pair<std::string, std::string> cases[] = {
      {"[measure.wilson_loops]\ndirections = []", "measure.wilson_loops.directions: is empty"},
      {"[measure.wilson_loops]\ndirections = [\"101\"]", "measure.wilson_loops.directions: found"},
      {"[measure.wilson_loops]\ndistance = 0", "measure.wilson_loops.distance: found the integer 0"},
      {"[measure.wilson_loops]\ntime = 2000", "measure.wilson_loops.time: found the integer 2000"},
      {"[measure.wilson_loops]\ndirections = [\"100\", \"210\"]\ndistance = 3",
       "in.toml:11:12: measure.wilson_loops.distance: Wilson loops: 3 steps along 210 are more than half"},
      {"[measure.wilson_loops]\ndirections = [\"210\"]", "in.toml:9:10: measure.wilson_loops.distance: "},
      {"[measure.wilson_loops]\ntime = 5",
       "in.toml:10:8: measure.wilson_loops.time: Wilson loops: the largest time is 5"},
      {"[measure.wilson_loops]\nape_alpha = 1.5", "measure.wilson_loops.ape_alpha: found the number 1.5"},
      {"[measure.wilson_loops]\nape_levels = []", "measure.wilson_loops.ape_levels: is empty"},
      {"[measure.wilson_loops]\nape_levels = [4, 4]", "larger than the one before it"},
      {"[measure.wilson_loops]\nape_levels = [-1]", "measure.wilson_loops.ape_levels: found"},
      {"[measure.wilson_loops]\nape_levels = 3", "measure.wilson_loops.ape_levels: found"},
      {"[measure.wilson_loops]\nhyp_alpha = [1, 1, 0.5]", "not allowed without time_links = \"hyp\""},
      {"[measure.wilson_loops]\ntime_links = \"hyp\"\nhyp_alpha = [1, 1]", "found 2 numbers, expected three"},
      {"[measure.wilson_loops]\nevery = 3", "expected a multiple of measure.every = 2"},
      {"[measure.glueballs]\nape_levels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]", "at most 16"},
      {"[measure.glueballs]\nlevels = [0]", "measure.glueballs.levels: unknown key"}};
  for (const auto& [more, part] : cases) try {
      parse_run_input(kWithoutLoops + more + "\n", "in.toml");
      ADD_FAILURE() << "accepted: " << more;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\n" << part;
    }
}

}  // namespace
}  // namespace trellis::app
