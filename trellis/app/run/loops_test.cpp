// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Wilson loops and glueballs in `trellis run`, `measure`, `repair` and `analyse`.
#include <nlohmann/json.hpp>

#include "tests/support/run_test.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class Loops : public test::RunTest {
 protected:
  static constexpr const char* keys =
      "[measure.wilson_loops]\ndirections = [\"100\", \"110\"]\ndistance = 2\ntime = 2\nape_levels = [0, "
      "2]\n[measure.glueballs]\nape_levels = [0, 3]\n";
  test::Outcome run_loops(const std::string& name, Changes changes = {}) const {
    changes.push_back({"[output]", std::string(keys) + "[output]"});
    return run(name, changes);
  }
};

TEST_F(Loops, ARunAndItsFilesHaveTheSameNumbers) {
  const auto outcome = run_loops("a", {{"save_every = 6", "save_every = 4"}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto loops = io::read_csv(at("a/c-wilson-loops.csv"), {"direction"}),
             glueballs = io::read_csv(at("a/c-glueballs.csv"));
  constexpr std::size_t each = 2 * 2 * 2 * 3, slices = 2 * 4;
  ASSERT_EQ(loops.rows(), 6 * each);
  ASSERT_EQ(glueballs.rows(), 6 * slices);
  // The first row of a configuration is its plaquette.
  const auto table = io::read_csv(at("a/c.csv"));
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(loops.column("trajectory")[n * each], 2 * double(n + 1));
    EXPECT_NEAR(loops.column("wilson_loop")[n * each], table.column("plaquette_temporal")[2 * n + 1], 1e-14);
    double sum = 0;
    for (std::size_t t = 0; t < 4; ++t) sum += glueballs.column("scalar")[n * slices + t] / 4;
    EXPECT_NEAR(sum, table.column("plaquette_spatial")[2 * n + 1], 1e-14);
  }
  io::test::write_all(at("m.toml"), "[configurations]\nfiles = [\"a/c.*.ildg\"]\n" + std::string(keys) +
                                        "[output]\ndirectory = \"m\"\nname = \"c\"\n[machine]\nthreads = 1\n");
  const auto measured = call("m", "measure");
  ASSERT_EQ(measured.code, 0) << measured.err;
  const auto again = io::read_csv(at("m/c-wilson-loops.csv"), {"direction"}),
             glueballs_again = io::read_csv(at("m/c-glueballs.csv"));
  ASSERT_EQ(again.rows(), 3 * each);
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t k = 0; k < each; ++k)
      EXPECT_EQ(again.column("wilson_loop")[n * each + k], loops.column("wilson_loop")[(2 * n + 1) * each + k]);
    for (std::size_t k = 0; k < slices; ++k)
      EXPECT_EQ(glueballs_again.column("tensor_2")[n * slices + k],
                glueballs.column("tensor_2")[(2 * n + 1) * slices + k]);
  }
}

TEST_F(Loops, AKilledRunHasTheSameTables) {
  ASSERT_EQ(run_loops("a").code, 0);
  ASSERT_EQ(run_loops("b", {{"trajectories = 12", "trajectories = 6"}}).code, 0);
  // As if killed between two tables.
  const auto rows = text("b/c-glueballs.csv");
  io::test::write_all(at("b/c-glueballs.csv"), rows + "8,0,0,0.5");
  ASSERT_EQ(run_loops("b").code, 0);
  EXPECT_TRUE(text("a/c-wilson-loops.csv") == text("b/c-wilson-loops.csv"));
  EXPECT_TRUE(text("a/c-glueballs.csv") == text("b/c-glueballs.csv"));
  EXPECT_EQ(test::Process({TRELLIS_PROGRAM, "repair", "b", "--dry-run"}, here()).wait().code, 0);
}

TEST_F(Loops, WhatDoesNotFitIsRefusedBeforeTheRun) {
  const auto outcome = run("a", {{"[output]", "[measure.wilson_loops]\ndistance = 3\ntime = 2\n[output]"}});
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.err.find("Wilson loops: 3 steps along 100 are more than half of the lattice"), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(exists("a/c.csv"));
}

TEST_F(Loops, AnalyseFitsThePotential) {
  ASSERT_EQ(run("a", {{"name = \"symanzik\"\nbeta = 4.0", "name = \"wilson\"\nbeta = 5.6"},
                      {"steps = 5\nreversibility_every = 4", "kind = \"heatbath\""},
                      {"trajectories = 12", "trajectories = 80"},
                      {"[measure.flow]\nevery = 4\ntime_max = 0.2\nstep = 0.05\n", ""},
                      {"[output]",
                       "[measure.wilson_loops]\ndirections = [\"100\", \"110\"]\ndistance = 2\ntime = "
                       "2\nape_levels = [1, 4]\n[measure.glueballs]\n[output]"}})
                .code,
            0);
  const auto outcome = test::Process({TRELLIS_PROGRAM, "analyse", "a", "--json"}, here()).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto found = nlohmann::json::parse(outcome.out)[0];
  const auto potential = found["static_potential"];
  ASSERT_EQ(potential["distances"].size(), 4U);
  EXPECT_EQ(potential["distances"][0], 1);
  ASSERT_EQ(potential["times"].size(), 1U);
  const auto time = potential["times"][0];
  for (std::size_t k = 0; k + 1 < 4; ++k) EXPECT_LT(time["potential"][k], time["potential"][k + 1]);
  ASSERT_TRUE(time.contains("fit")) << time["problem"];
  EXPECT_GT(time["fit"]["sigma"], 0);
  std::vector<std::string> glueballs;
  for (const auto& mass : found["masses"]) glueballs.push_back(mass["channel"]);
  EXPECT_EQ(glueballs, (std::vector<std::string>{"glueball 0++", "glueball 2++", "glueball 0-+"}));
  const auto shown = test::Process({TRELLIS_PROGRAM, "analyse", "a", "--loop-time", "1"}, here()).wait();
  for (const auto* part : {"static potential", "a V(r), t = 1", "V_0 - alpha / r + sigma r", "glueball 0++"})
    EXPECT_NE(shown.out.find(part), std::string::npos) << part << " in " << shown.out;
  const auto none = test::Process({TRELLIS_PROGRAM, "analyse", "a", "--loop-time", "2"}, here()).wait();
  EXPECT_NE(none.out.find("there are none of the times 2 and 3"), std::string::npos) << none.out;
  EXPECT_EQ(test::Process({TRELLIS_PROGRAM, "analyse", "a", "--first-distance", "-1"}, here()).wait().code, 2);
  EXPECT_EQ(test::Process({TRELLIS_PROGRAM, "report", "a", "--output", "page.html"}, here()).wait().code, 0);
  EXPECT_NE(text("page.html").find("Fits of the static potential"), std::string::npos);
}

}  // namespace
}  // namespace trellis::app
