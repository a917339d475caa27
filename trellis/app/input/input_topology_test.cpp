// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_topology.hpp"

#include <gtest/gtest.h>

#include "trellis/app/input/input.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

const std::string kWithoutPotential =
    "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nname = \"symanzik\"\nbeta = 4\n[chain]\ntrajectories = 20\n";
const std::string kPeriodic = "[topological_potential]\nform = \"periodic\"\nstrength = -20\n";

TEST(TopologicalPotentialInput, EveryKeyArrives) {
  const auto input =
      parse_run_input(kWithoutPotential + kPeriodic + "period = 0.9\nstout_rho = 0.12\nstout_levels = 3\n", "in.toml");
  const auto found = input.topological_potential->potential();
  EXPECT_EQ(found.potential.form, hmc::ChargePotentialForm::periodic);
  EXPECT_EQ(found.potential.strength, -20);
  EXPECT_EQ(found.potential.period, 0.9);
  EXPECT_EQ(found.stout.rho, 0.12);
  EXPECT_EQ(found.stout.levels, 3);
  const std::vector<std::string> terms{"plaquette", "rectangle", "topological_potential"};
  EXPECT_EQ(input.terms(), terms);
  ASSERT_EQ(input.algorithm.levels.size(), 1u);
  EXPECT_EQ(input.algorithm.levels[0].terms, terms);
  const auto again = parse_run_input(write_toml(input.resolved), "again.toml");
  EXPECT_EQ(write_toml(again.resolved), write_toml(input.resolved));
  const auto table = parse_run_input(
      kWithoutPotential + "[topological_potential]\nform = \"table\"\nspacing = 0.5\nvalues = [0, -1, 2]\n", "in.toml");
  EXPECT_EQ(table.topological_potential->potential().potential.values, (std::vector{0.0, -1.0, 2.0}));
  EXPECT_EQ(table.topological_potential->potential().potential.spacing, 0.5);
}

TEST(TopologicalPotentialInput, HasALevel) {
  const auto with_quarks =
      parse_run_input(kWithoutPotential + kPeriodic + "[[flavours]]\nname = \"l\"\nmass = 0.1\n[solver]\n", "in.toml");
  ASSERT_EQ(with_quarks.algorithm.levels.size(), 2u);
  EXPECT_EQ(with_quarks.algorithm.levels[0].terms, (std::vector<std::string>{"topological_potential", "l"}));
  const auto levels = parse_run_input(kWithoutPotential + kPeriodic +
                                          "[[algorithm.levels]]\nsteps = 3\nterms = [\"topological_potential\"]\n"
                                          "[[algorithm.levels]]\nsteps = 2\nterms = [\"gauge\"]\n",
                                      "in.toml");
  EXPECT_EQ(levels.algorithm.levels[0].terms, std::vector<std::string>{"topological_potential"});
}

TEST(TopologicalPotentialInput, WrongValuesAreNamed) {
  const std::string table = "[topological_potential]\nform = \"table\"\n";
  const std::pair<std::string, std::string> cases[] = {
      {"[topological_potential]\nstrength = 1", "topological_potential.form: missing"},
      {"[topological_potential]\nform = \"cosh\"\nstrength = 1",
       "topological_potential.form: found the string \"cosh\""},
      {"[topological_potential]\nform = \"quadratic\"", "topological_potential.strength: missing"},
      {"[topological_potential]\nform = \"quadratic\"\nstrength = 1\nperiod = 1", "period: not allowed with form"},
      {kPeriodic + "period = 0", "topological_potential.period: found the integer 0"},
      {kPeriodic + "values = [1, 2]", "values: not allowed with form"},
      {table + "values = [1, 2]", "topological_potential.spacing: missing"},
      {table + "spacing = 1\nvalues = [1]", "topological_potential.values: found 1 number, expected 2 to 10000"},
      {table + "spacing = 1\nvalues = [1, 2]\nstrength = 2", "strength: not allowed with form = \"table\""},
      {kPeriodic + "stout_rho = 0.6", "topological_potential.stout_rho: found the number 0.6"},
      {kPeriodic + "stout_levels = 51", "topological_potential.stout_levels: found the integer 51"},
      {kPeriodic + "levels = 5", "topological_potential.levels: unknown key"},
      {kPeriodic + "[algorithm]\nkind = \"heatbath\"", "algorithm.kind: found \"heatbath\", expected \"hmc\""},
      {kPeriodic + "[algorithm]\nkind = \"auto\"", "algorithm.kind: found \"auto\", expected \"hmc\""},
      {kPeriodic + "[algorithm]\nprecision = \"single\"", "algorithm.precision: found \"single\""},
      {kPeriodic + "[[algorithm.levels]]\nsteps = 2\nterms = [\"gauge\"]",
       "no level has the term \"topological_potential\" of the action"},
      {"[[algorithm.levels]]\nterms = [\"gauge\", \"topological_potential\"]", "found \"topological_potential\""}};
  for (const auto& [more, part] : cases) try {
      parse_run_input(kWithoutPotential + more + "\n", "in.toml");
      ADD_FAILURE() << "accepted: " << more;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\n" << part;
    }
}

}  // namespace
}  // namespace trellis::app
