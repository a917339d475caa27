// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `run --check` and `measure --check` find what would stop a job, and write nothing.
#include "tests/support/run_test.hpp"

namespace trellis::app {
namespace {

class Check : public test::RunTest {
 protected:
  test::Outcome check(const std::string& subcommand, const std::string& name, const Changes& changes = {}) const {
    if (subcommand == "run") io::test::write_all(at(name + ".toml"), input(name, changes));
    return test::Process({TRELLIS_PROGRAM, subcommand, "--check", name + ".toml"}, here()).wait();
  }
  static void expect_says(const test::Outcome& outcome, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const auto& part : parts)
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  }
};

TEST_F(Check, OfARun) {
  expect_says(check("run", "a"), {"beta = 4, 4x4x4x4", "12, 3 of them thermalisation", "plaquette, rectangle",
                                  " GB of ", "Nothing is wrong with this input. Nothing was written.\n"});
  EXPECT_FALSE(exists("a"));
  expect_error(check("run", "a", {{"beta = 4.0", "beta = -4.0"}}), 2, {"action.beta"});
  expect_error(check("run", "a", {{"kind = \"hot\"", "kind = \"file\"\nfile = \"none.ildg\""}}), 2,
               {"start.file: none.ildg: cannot open"});
  expect_error(check("run", "a", {{"size = [4, 4, 4, 4]", "size = [4096, 4096, 64, 64]"}}), 2, {"lattice.size"});
  expect_error(check("run", "a", {{"directory = \"a\"", "directory = \"a.toml/b\""}}), 2, {"output.directory"});
  expect_says(check("run", "a", {{"[algorithm]", "[[flavours]]\nname = \"l\"\nmass = 0.5\n[algorithm]"}}),
              {"term 'l': 1 pseudofermion"});
  EXPECT_FALSE(exists("a"));
  // 150 TB of configurations
  const Changes endless{{"trajectories = 12", "trajectories = 1000000000"}, {"save_every = 6", "save_every = 1"}};
  expect_says(check("run", "a", endless),
              {"NOT ENOUGH for all configurations",
               "Nothing is wrong with this input, but the disk will be full before its end. Nothing was written.\n"});
}

// The figure of the line "disk".
double gigabytes_needed(const std::string& out) {
  const auto at = out.find("disk ");
  EXPECT_NE(at, std::string::npos) << out;
  return std::stod(out.substr(out.find_first_not_of(' ', at + 5)));
}

TEST_F(Check, OfARunThatContinues) {
  const double all = gigabytes_needed(check("run", "a").out);
  ASSERT_EQ(run("a").code, 0);
  const double left = gigabytes_needed(check("run", "a").out);  // the third checkpoint, while it is written
  EXPECT_GT(left, 0);
  EXPECT_LT(left, 0.3 * all);
  const auto before = everything("a");
  expect_says(check("run", "a", {{"trajectories = 12", "trajectories = 20"}, {"steps = 5", "steps = 6"}}),
              {"after trajectory 12 of 20, from a/c.checkpoint", "algorithm.steps = 6 (was 5)"});
  expect_error(check("run", "a", {{"beta = 4.0", "beta = 4.1"}}), 2, {"action.beta = 4.0, the input now says 4.1"});
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"a/c.*.ildg\"]\n[measure]\nobservables = [\"energy\"]\n");
  expect_says(check("measure", "m"), {"2 files of 4x4x4x4", "energy_temporal", "Nothing was written."});
  EXPECT_FALSE(exists("m-results"));
  io::test::write_all(at("m.toml"), "[configurations]\nfiles = [\"a/x.*.ildg\"]\n[measure]\nobservables = []\n");
  expect_error(check("measure", "m"), 2, {"nothing to measure"});
  EXPECT_EQ(everything("a"), before);
}

TEST_F(Check, ARunThatContinuesWarnsOfAFullDisk) {
  const auto first = run("a");
  ASSERT_EQ(first.code, 0);
  EXPECT_EQ(first.err.find("will be full"), std::string::npos) << first.err;
  const auto endless = run("a", {{"trajectories = 12", "trajectories = 1000000000"},
                                 {"save_every = 6", "save_every = 1\ntime_budget_minutes = 0.0001"}});
  EXPECT_EQ(endless.code, 3) << endless.err;
  EXPECT_NE(endless.err.find("the disk will be full before its end"), std::string::npos) << endless.err;
}

}  // namespace
}  // namespace trellis::app
