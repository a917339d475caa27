// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Runs with dynamical quarks: the same bits with any number of threads and lanes and after any stop; clear errors if a
// trajectory cannot be completed.
#include "tests/support/run_test.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class RunQuarks : public test::RunTest {
 protected:
  inline static const std::vector<std::string> files{"c.000002.ildg", "c.000004.ildg", "c.checkpoint", "c.flow.h5"};

  // 2+1 flavours with a splitting mass, a background field and a chemical potential, on smeared links.
  static Changes quarks(const Changes& more = {}) {
    Changes changes{{"steps = 5", "steps = 2\ngauge_steps = 2\ntrajectory_length = 0.5"},
                    {"trajectories = 12", "trajectories = 4"},
                    {"thermalisation = 3", "thermalisation = 1"},
                    {"save_every = 6", "save_every = 2"},
                    {"checkpoint_every = 2", "checkpoint_every = 1"},
                    {"reversibility_every = 4", "reversibility_every = 3"},
                    {"[machine]", R"([smearing]
levels = 1
[background]
bz = 1
[[flavours]]
name = "u"
mass = 0.3
charge = 2
imaginary_mu = 0.2
split_masses = [0.8]
[[flavours]]
name = "s"
mass = 0.6
charge = -1
pseudofermions = 2
[rational]
heatbath_error = 1e-11
[solver]
molecular_dynamics_precision = "mixed"
max_iterations = 10000
[machine])"}};
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
};

// Where memory is short the chain's work space is freed for measurements, and vectors are solved for one by one.
TEST_F(RunQuarks, MeasureWithLittleMemory) {
  const auto measured = quarks({{"[machine]", "[measure.quarks]\nnoise_vectors = 3\nresidual = 1e-8\n[machine]"}});
  ASSERT_EQ(run("whole", measured).code, 0);
  io::test::write_all(at("little.toml"), input("little", measured));
  auto little = read_run_input(at("little.toml"));
  little.output.directory = at("little");
  Console quiet{.write = [](std::string_view) {}, .columns = [] { return 80; }, .clock = [] { return 0.0; }};
  ASSERT_EQ(run_chain(little, "trellis", "trellis run", quiet, {.memory_of_rank = 1.0}), 0);
  EXPECT_NE(text("little/c.log").find("work space is freed while quarks are measured, 1 noise vector at once"),
            std::string::npos);
  EXPECT_EQ(text("whole/c.log").find("work space is freed"), std::string::npos);
  expect_same_results("whole", "little", files);
}

TEST_F(RunQuarks, SayHowOftenTheForceFilterActed) {
  const auto hisq = [](const std::string& filter, const std::string& precision) -> Changes {
    return {
        {"steps = 5", "steps = 2\nprecision = \"" + precision + "\""},
        {"trajectories = 12", "trajectories = 2"},
        {"thermalisation = 3", "thermalisation = 0"},
        {"reversibility_every = 4", "reversibility_every = 0"},
        {"[machine]", "[smearing]\nkind = \"hisq\"\n" + filter + "[[flavours]]\nname = \"l\"\nmass = 0.5\n[machine]"}};
  };
  for (const auto* precision : {"double", "single"}) {
    const auto name = std::string("filtered-") + precision;
    const auto filtered = run(name, hisq("force_filter = 1\n", precision)), exact = run("exact", hisq("", precision));
    ASSERT_EQ(filtered.code, 0) << filtered.err;
    ASSERT_EQ(exact.code, 0) << exact.err;
    const std::string line = "in the forces of 2 trajectories: the force was not exact there";
    for (const auto& said : {filtered.out, text(name + "/c.log")}) {
      const auto at = said.find("of HISQ links, acted on ");
      ASSERT_NE(at, std::string::npos) << said;
      EXPECT_NE(said.find(line, at), std::string::npos) << said;
      EXPECT_EQ(std::strtoll(said.c_str() + at + 24, nullptr, 10) % 1024, 0) << "all links, with any force: " << said;
    }
    for (const auto& said : {exact.out, text("exact/c.log")}) EXPECT_EQ(said.find(line), std::string::npos) << said;
    const auto header = [&](const std::string& table) { return table.substr(0, table.find('\n')); };
    EXPECT_EQ(header(text(name + "/c.csv")), header(text("exact/c.csv")));
    std::filesystem::remove_all(at("exact"));
  }
}

TEST_F(RunQuarks, ThreadsAndLanes) {
  ASSERT_EQ(run("whole", quarks()).code, 0);
  EXPECT_NE(text("whole/c.000002.ildg"), text("whole/c.000004.ildg"));
  const auto table = io::read_csv(at("whole/c.csv"));
  for (const char* column : {"dS_u_1", "dS_u_2", "dS_s"}) EXPECT_NE(table.column(column).back(), 0) << column;
  const auto widest = compiled_lane_counts().back();
  const auto outcome =
      run("wide", quarks({{"threads = 1", "threads = 2"}, {"lanes = 1", fmt::format("lanes = {}", widest)}}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same_results("whole", "wide", files);
}

// Molecular dynamics in single precision is a part of the algorithm like any other.
TEST_F(RunQuarks, InSinglePrecision) {
  const auto single = [](const Changes& more = {}) {
    auto changes = quarks({{"gauge_steps = 2", "gauge_steps = 2\nprecision = \"single\""},
                           {"molecular_dynamics_precision = \"mixed\"\n", ""}});
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  };
  const auto outcome = run("whole", single());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("molecular dynamics in single precision"), std::string::npos) << outcome.out;
  EXPECT_NE(text("whole/c.resolved.toml").find("\nprecision = \"single\""), std::string::npos);
  EXPECT_NE(text("whole/c-kernels.csv").find("update links,single"), std::string::npos) << text("whole/c-kernels.csv");
  const auto back = io::read_csv(at("whole/c.csv")).column("reversibility_links");
  EXPECT_GT(back.at(2), 1e-8);
  EXPECT_LT(back.at(2), 1e-5);
  const auto widest = compiled_lane_counts().back();
  ASSERT_EQ(run("parts", single({{"trajectories = 4", "trajectories = 2"}})).code, 0);
  ASSERT_EQ(
      run("parts", single({{"threads = 1", "threads = 2"}, {"lanes = 1", fmt::format("lanes = {}", widest)}})).code, 0);
  expect_same_results("whole", "parts", files);
  EXPECT_EQ(text("parts/c.log").find("from trajectory"), std::string::npos) << "a change was reported";
  // A chain may go on in the other precision, and says so.
  ASSERT_EQ(run("changed", single({{"trajectories = 4", "trajectories = 2"}})).code, 0);
  const auto changed = run("changed", quarks());
  ASSERT_EQ(changed.code, 0) << changed.err;
  EXPECT_NE(changed.out.find("precision"), std::string::npos) << changed.out;
}

TEST_F(RunQuarks, KilledAtAnyMoment) {
  ASSERT_EQ(run("whole", quarks()).code, 0);
  EXPECT_GT(kill_at_random("killed", quarks(), 6), 0);
  const auto last = call("killed");
  EXPECT_EQ(last.code, 0) << last.err;
  expect_same_results("whole", "killed", files);
}

TEST_F(RunQuarks, ASolverThatDoesNotConvergeStopsTheRunAndLosesNothing) {
  const auto few = quarks({{"max_iterations = 10000", "max_iterations = 3"}});
  expect_error(run("parts", few), 1, {"trajectory 1: CG for the heatbath of term 'u_1'", "after 3 iterations"});
  ASSERT_EQ(run("whole", quarks()).code, 0);
  ASSERT_EQ(run("parts", quarks()).code, 0);
  expect_same_results("whole", "parts", files);
}

TEST_F(RunQuarks, ASpectrumBeyondTheIntervalStopsTheRun) {
  const auto narrow = quarks({{"heatbath_error = 1e-11", "heatbath_error = 1e-11\nlargest_eigenvalue = 2"}});
  expect_error(
      run("parts", narrow), 1,
      {"trajectory 1: term 'u_1': the largest eigenvalue of -D_eo D_oe is", "raise rational.largest_eigenvalue"});
  // Following its advice continues the run.
  const auto raised =
      run("parts", quarks({{"heatbath_error = 1e-11", "heatbath_error = 1e-11\nlargest_eigenvalue = 16"}}));
  EXPECT_EQ(raised.code, 0) << raised.err;
  EXPECT_NE(raised.out.find("from trajectory 1 on: rational.largest_eigenvalue = 16.0 (was 2.0)"), std::string::npos)
      << raised.out;
}

// 1e-11 is beyond double precision for a mass of 0.001: what can be reached is accepted and reported.
TEST_F(RunQuarks, LightQuarksEndWhereRoundingDoes) {
  const Changes light{{"steps = 5", "steps = 3\ngauge_steps = 4"},
                      {"trajectories = 12", "trajectories = 2"},
                      {"thermalisation = 3", "thermalisation = 1"},
                      {"seed = 7", "seed = 2"},
                      {"beta = 4.0", "beta = 3.75"},
                      {"[machine]",
                       "[smearing]\nlevels = 2\n[[flavours]]\nname = \"l\"\nmass = 0.001\ntastes = "
                       "2\n[solver]\nheatbath_residual = 1e-12\nmetropolis_residual = 1e-12\n[machine]"}};
  const auto outcome = run("light", light);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("rounding allows no smaller one"), std::string::npos) << outcome.out;
}

// examples/scaling.toml on a small lattice, whose hot start and light quark are the hardest for single precision:
// solves of forces, all of molecular dynamics, or all solves in it.
TEST_F(RunQuarks, ScalingExampleInSinglePrecision) {
  const auto example = [](const std::string& name, const Changes& more = {}) {
    Changes changes{{"[32, 32, 32, 48]", "[4, 4, 4, 8]"},
                    {"trajectories = 200", "trajectories = 2"},
                    {"thermalisation = 100", "thermalisation = 0"},
                    {"[chain]", "[output]\ndirectory = \"" + name + "\"\nname = \"c\"\n[chain]"}};
    changes.insert(changes.end(), more.begin(), more.end());
    return changed(io::test::read_all(std::string(TRELLIS_EXAMPLES) + "/scaling.toml"), changes);
  };
  const std::string key = "precision = \"single\" # of molecular dynamics",
                    forces = "[solver]\nmolecular_dynamics_precision = \"single\"\n",
                    others = "heatbath_precision = \"single\"\nmetropolis_precision = \"single\"\n";
  for (const auto& [name, more] :
       std::vector<std::pair<std::string, Changes>>{{"forces", {{key, ""}, {"[chain]", forces + "[chain]"}}},
                                                    {"all", {{key, ""}, {"[chain]", forces + others + "[chain]"}}},
                                                    {"dynamics", {}}}) {
    io::test::write_all(at(name + ".toml"), example(name, more));
    const auto outcome = call(name);
    EXPECT_EQ(outcome.code, 0) << name << outcome.err;
    const std::string note = "rounding allows no smaller one";
    const auto first = outcome.out.find(note);
    EXPECT_NE(first, std::string::npos) << name << outcome.out;
    EXPECT_EQ(outcome.out.find(note, first + 1), std::string::npos) << name << outcome.out;
  }
}

}  // namespace
}  // namespace trellis::app
