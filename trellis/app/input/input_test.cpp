// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/message_of.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

constexpr const char* kSmallest = R"([lattice]
size = [4, 4, 6, 8]
[action]
beta = 6
[chain]
trajectories = 20
)";

TEST(RunInput, DefaultsAreExplicitInTheResolvedInput) {
  EXPECT_EQ(write_toml(parse_run_input(kSmallest, "examples/quenched.toml").resolved), R"([lattice]
size = [4, 4, 6, 8]

[action]
name = "wilson"
beta = 6.0

[start]
kind = "cold"

[algorithm]
kind = "hmc"
trajectory_length = 1.0
reversibility_every = 0
certify = 0.0
integrator = "2mn"
steps = 10
lambda = 0.1931833275037836

[chain]
trajectories = 20
thermalisation = 0
seed = 1
checkpoint_every = 10
save_every = 0
save_precision = "double"
time_budget_minutes = 0.0

[output]
directory = "quenched-results"
name = "quenched"

[measure]
every = 1
observables = []

[machine]
threads = 0
lanes = 0
ranks = "auto"
rank_order = "xyzt"
site_order = "xyzt"
)");
}

// A stop file is a matter of the job, not of what it computes: without the key it is in the folder of the results.
TEST(RunInput, TheStopFileFollowsTheFolderOfResults) {
  const std::string given(kSmallest), asks = given + "stop_file = \"halt\"\n";
  for (const auto& [text, before, after] :
       {std::tuple(given, "quenched-results/stop", "elsewhere/stop"), std::tuple(asks, "halt", "halt")}) {
    const auto input = parse_run_input(text, "quenched.toml");
    EXPECT_EQ(input.chain.stop_file, before);
    auto resolved = write_toml(input.resolved);
    const std::string folder = "\"quenched-results\"";
    resolved.replace(resolved.find(folder), folder.size(), "\"elsewhere\"");
    EXPECT_EQ(parse_run_input(resolved, "quenched.resolved.toml").chain.stop_file, after);
  }
}

constexpr const char* kEverything = R"([lattice]
size = [8, 8, 8, 8]
[action]
name = "symanzik"
beta = 4.5
[start]
kind = "file"
file = "lat.ildg"
[algorithm]
kind = "hmc"
trajectory_length = 0.5
reversibility_every = 7
certify = 0.25
[[algorithm.levels]]
integrator = "2MN"
steps = 4
lambda = 0.2
terms = ["rectangle"]
[[algorithm.levels]]
integrator = "force-gradient"
steps = 3
terms = ["plaquette"]
[chain]
trajectories = 100
thermalisation = 10
seed = 9223372036854775807
checkpoint_every = 5
save_every = 20
save_precision = "single"
time_budget_minutes = 0.5
stop_file = "halt"
[measure]
every = 2
observables = ["polyakov", "topological_charge", "energy"]
[measure.flow]
every = 10
action = "iwasaki"
time_max = 2
time_interval = 0.5
step = 0.02
tolerance = 1e-5
[output]
directory = "out"
name = "x"
[machine]
threads = 2
lanes = 1
ranks = [1, 2, 2, 4]
rank_order = "tzyx"
site_order = "txyz"
)";

TEST(RunInput, EveryKeyArrives) {
  const auto input = parse_run_input(kEverything, "in.toml");
  EXPECT_EQ(input.size, (Coordinate{8, 8, 8, 8}));
  EXPECT_EQ(input.action.name, "symanzik");
  EXPECT_DOUBLE_EQ(input.action.c1, -1.0 / 12);
  EXPECT_EQ(input.action.beta, 4.5);
  EXPECT_EQ(input.start.kind, StartKind::file);
  EXPECT_EQ(input.start.file, "lat.ildg");
  EXPECT_EQ(input.algorithm.kind, AlgorithmKind::hmc);
  EXPECT_EQ(input.algorithm.trajectory_length, 0.5);
  EXPECT_EQ(input.algorithm.reversibility_every, 7);
  EXPECT_EQ(input.algorithm.certify, 0.25);
  ASSERT_EQ(input.algorithm.levels.size(), 2U);
  EXPECT_EQ(input.algorithm.levels[0].integrator, "2mn");
  EXPECT_EQ(input.algorithm.levels[0].steps, 4);
  EXPECT_EQ(input.algorithm.levels[0].lambda, 0.2);
  EXPECT_EQ(input.algorithm.levels[0].terms, (std::vector<std::string>{"rectangle"}));
  EXPECT_EQ(input.algorithm.levels[1].integrator, "force_gradient");
  EXPECT_EQ(input.algorithm.levels[1].steps, 3);
  EXPECT_EQ(input.algorithm.levels[1].terms, (std::vector<std::string>{"plaquette"}));
  EXPECT_EQ(input.chain.trajectories, 100);
  EXPECT_EQ(input.chain.thermalisation, 10);
  EXPECT_EQ(input.chain.seed, 9223372036854775807);
  EXPECT_EQ(input.chain.checkpoint_every, 5);
  EXPECT_EQ(input.chain.save_every, 20);
  EXPECT_EQ(input.chain.save_precision, "single");
  EXPECT_EQ(input.chain.time_budget_minutes, 0.5);
  EXPECT_EQ(input.chain.stop_file, "halt");
  EXPECT_EQ(input.measure.every, 2);
  EXPECT_EQ(input.measure.observables, (std::vector<std::string>{"polyakov", "topological_charge", "energy"}));
  ASSERT_TRUE(input.measure.flow);
  EXPECT_EQ(input.measure.flow->every, 10);
  EXPECT_EQ(input.measure.flow->action, "iwasaki");
  EXPECT_EQ(input.measure.flow->c1, -0.331);
  EXPECT_EQ(input.measure.flow->time_max, 2);
  EXPECT_EQ(input.measure.flow->time_interval, 0.5);
  EXPECT_EQ(input.measure.flow->step, 0.02);
  EXPECT_EQ(input.measure.flow->tolerance, 1e-5);
  EXPECT_EQ(input.output.directory, "out");
  EXPECT_EQ(input.output.name, "x");
  EXPECT_EQ(input.machine.threads, 2);
  EXPECT_EQ(input.machine.lanes, 1);
  EXPECT_EQ(input.machine.ranks, (std::array{1, 2, 2, 4}));
  EXPECT_EQ(input.machine.rank_order, (std::array{3, 2, 1, 0}));
  EXPECT_EQ(input.machine.site_order, (std::array{3, 0, 1, 2}));
}

TEST(RunInput, OneLevelHoldsAllTerms) {
  const auto one = parse_run_input(kSmallest, "in.toml");
  ASSERT_EQ(one.algorithm.levels.size(), 1U);
  EXPECT_EQ(one.algorithm.levels[0].terms, (std::vector<std::string>{"plaquette"}));
  const auto improved =
      parse_run_input("[lattice]\nsize=[4,4,4,4]\n[action]\nbeta=1\nc1=-0.1\n[chain]\ntrajectories=1", "in.toml");
  EXPECT_EQ(improved.algorithm.levels[0].terms, (std::vector<std::string>{"plaquette", "rectangle"}));
  EXPECT_EQ(improved.action.name, "");
  EXPECT_EQ(improved.action.c1, -0.1);
}

TEST(RunInput, ResolvedInputResolvesToItself) {
  const std::string heatbath = std::string(kSmallest) + "[algorithm]\nkind=\"heatbath\"\n[measure.flow]\nc1=-0.2\n";
  for (const auto& text : {std::string(kSmallest), std::string(kEverything), heatbath}) {
    const auto once = write_toml(parse_run_input(text, "in.toml").resolved);
    EXPECT_EQ(write_toml(parse_run_input(once, "somewhere/else.resolved.toml").resolved), once);
    // Every key of the input appears in its resolved form.
    for (const auto& [key, value] : flatten(parse_toml(text, "in.toml"))) {
      EXPECT_NE(once.find(key.substr(key.rfind('.') + 1) + " = "), std::string::npos) << key;
    }
  }
}

// The input with every key, with one line replaced, or with more lines at the end of a section.
std::string with(const std::string& line, const std::string& instead) {
  std::string text = kEverything;
  const auto at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), instead);
}

struct Change {
  const char* line;
  const char* instead;
  const char* key;      // named by the message
  const char* message;  // a part of it
};

TEST(RunInput, WrongValuesAreNamed) {
  const std::vector<Change> changes{
      // [lattice]
      {"size = [8, 8, 8, 8]", "size = [8, 8, 8]", "lattice.size", "an array of 3 values"},
      {"size = [8, 8, 8, 8]", "size = [8, 8, 8, 7]", "lattice.size", "found the extent 7, expected even ones"},
      {"size = [8, 8, 8, 8]", "size = [8, 8, 8, 0]", "lattice.size", "from 2 to 65536"},
      {"size = [8, 8, 8, 8]", "size = [8, 8, 8, 8.0]", "lattice.size", "found the number 8.0"},
      {"size = [8, 8, 8, 8]", "size = [1024, 1024, 1024, 1024]", "lattice.size", "more than the 2^31"},
      {"size = [8, 8, 8, 8]", "", "lattice.size", "missing"},
      {"size = [8, 8, 8, 8]", "sise = [8, 8, 8, 8]", "lattice.sise", "did you mean 'size'?"},
      {"[lattice]", "[latice]", "latice", "did you mean 'lattice'?"},
      // [action]
      {"name = \"symanzik\"", "name = \"symanzig\"", "action.name", "did you mean \"symanzik\"?"},
      {"name = \"symanzik\"", "name = \"symanzik\"\nc1 = 0", "action.name", "not allowed together with c1"},
      {"name = \"symanzik\"", "c1 = 0.125", "action.c1", "at most 0.124"},
      {"name = \"symanzik\"", "c1 = -10.5", "action.c1", "found the number -10.5"},
      {"name = \"symanzik\"", "name = 1", "action.name", "found the integer 1"},
      {"name = \"symanzik\"", "name = \"one_loop_symanzik\"\nhisq_flavours = 4", "action.u0", "missing"},
      {"name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 0.86", "action.hisq_flavours", "missing"},
      {"name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 0.4\nhisq_flavours = 4", "action.u0",
       "found the number 0.4"},
      {"name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 1.01\nhisq_flavours = 4", "action.u0",
       "found the number 1.01"},
      {"name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 0.9\nhisq_flavours = 17", "action.hisq_flavours",
       "found the integer 17"},
      {"name = \"symanzik\"", "name = \"symanzik\"\nu0 = 0.9", "action.u0", "without name = \"one_loop_symanzik\""},
      {"beta = 4.5", "beta = -1", "action.beta", "found the integer -1"},
      {"beta = 4.5", "beta = \"6\"", "action.beta", "found the string \"6\""},
      {"beta = 4.5", "beta = inf", "action.beta", "found the number inf"},
      {"beta = 4.5", "", "action.beta", "missing"},
      // Not the rectangle, which the level then has in excess.
      {"name = \"symanzik\"", "nmae = \"symanzik\"", "action.nmae", "unknown key; did you mean 'name'"},
      {"beta = 4.5", "beta = 4.5\nkappa = 1", "action.kappa", "unknown key"},
      // [start]
      {"kind = \"file\"", "kind = \"warm\"", "start.kind", "expected one of \"cold\", \"hot\", \"file\""},
      {"kind = \"file\"", "kind = \"hot\"", "start.file", "not allowed with kind = \"hot\""},
      {"kind = \"file\"", "", "start.file", "not allowed with kind = \"cold\""},
      {"file = \"lat.ildg\"", "", "start.file", "missing"},
      {"file = \"lat.ildg\"", "file = \"\"", "start.file", "is empty"},
      {"file = \"lat.ildg\"", "file = 3", "start.file", "found the integer 3"},
      // [algorithm]
      {"kind = \"hmc\"", "kind = \"rhmc\"", "algorithm.kind", "did you mean \"hmc\"?"},
      {"kind = \"hmc\"", "kind = \"heatbath\"", "algorithm.trajectory_length", "not allowed with kind = \"heatbath\""},
      {"kind = \"hmc\"", "overrelaxation_steps = 1", "algorithm.overrelaxation_steps", "with kind = \"hmc\""},
      {"trajectory_length = 0.5", "trajectory_length = 0", "algorithm.trajectory_length", "a number above 0"},
      {"trajectory_length = 0.5", "trajectory_length = 1001", "algorithm.trajectory_length", "at most 1000"},
      {"trajectory_length = 0.5", "trajectory_lenght = 1", "algorithm.trajectory_lenght",
       "did you mean 'trajectory_length'?"},
      {"trajectory_length = 0.5", "steps = 4", "algorithm.steps", "together with [[algorithm.levels]]"},
      {"trajectory_length = 0.5", "integrator = \"2mn\"", "algorithm.integrator", "together with [[algorithm.levels]]"},
      {"trajectory_length = 0.5", "lambda = 0.2", "algorithm.lambda", "together with [[algorithm.levels]]"},
      {"reversibility_every = 7", "reversibility_every = -1", "algorithm.reversibility_every", "found the integer -1"},
      {"reversibility_every = 7", "reversibility_every = 1.5", "algorithm.reversibility_every", "found the number 1.5"},
      {"certify = 0.25", "certify = -0.1", "algorithm.certify", "found the number -0.1"},
      {"certify = 0.25", "certify = 1.5", "algorithm.certify", "at most 1"},
      {"certify = 0.25", "certify = true", "algorithm.certify", "certify"},
      {"certify = 0.25", "precision = \"half\"", "algorithm.precision", "expected one of \"double\", \"single\""},
      {"integrator = \"2MN\"", "integrator = \"3MN\"", "algorithm.levels[0].integrator", "did you mean \"2mn\"?"},
      {"integrator = \"2MN\"", "integrator = \"leapfrog\"", "algorithm.levels[0].lambda",
       "not allowed with integrator = \"leapfrog\""},
      {"steps = 4", "steps = 0", "algorithm.levels[0].steps", "from 1 to 100000"},
      {"steps = 3", "stesp = 3", "algorithm.levels[1].stesp", "did you mean 'steps'?"},
      {"lambda = 0.2", "lambda = 0.6", "algorithm.levels[0].lambda", "at most 0.5"},
      {"lambda = 0.2", "lambda = 0", "algorithm.levels[0].lambda", "above 0"},
      {"terms = [\"rectangle\"]", "terms = []", "algorithm.levels[0].terms", "is empty"},
      {"terms = [\"rectangle\"]", "", "algorithm.levels[0].terms", "missing"},
      {"terms = [\"rectangle\"]", "terms = [\"rectangel\"]", "algorithm.levels[0].terms",
       "did you mean \"rectangle\"?"},
      {"terms = [\"plaquette\"]", "terms = [\"rectangle\"]", "algorithm.levels[1].terms", "already in levels[0]"},
      {"terms = [\"rectangle\"]", "terms = [\"plaquette\", \"plaquette\"]", "algorithm.levels[0].terms", "twice"},
      {"name = \"symanzik\"", "name = \"wilson\"", "algorithm.levels[0].terms", "the action has no term \"rectangle\""},
      // [chain]
      {"[chain]", "[chains]", "chains", "did you mean 'chain'?"},
      {"trajectories = 100", "trajectories = 0", "chain.trajectories", "from 1"},
      {"trajectories = 100", "trajectories = true", "chain.trajectories", "found the flag true"},
      {"trajectories = 100", "", "chain.trajectories", "missing"},
      {"trajectories = 100", "trajectories = 9", "chain.thermalisation", "expected at most trajectories = 9"},
      {"thermalisation = 10", "thermalization = 10", "chain.thermalization", "did you mean 'thermalisation'?"},
      {"thermalisation = 10", "thermalisation = -1", "chain.thermalisation", "found the integer -1"},
      {"seed = 9223372036854775807", "seed = -1", "chain.seed", "at least 0"},
      {"seed = 9223372036854775807", "seed = 1.0", "chain.seed", "found the number 1.0"},
      {"checkpoint_every = 5", "checkpoint_every = 0", "chain.checkpoint_every", "from 1"},
      {"save_every = 20", "save_every = -5", "chain.save_every", "found the integer -5"},
      {"save_precision = \"single\"", "save_precision = \"half\"", "chain.save_precision", "\"double\", \"single\""},
      {"time_budget_minutes = 0.5", "time_budget_minutes = -1", "chain.time_budget_minutes", "at least 0"},
      {"time_budget_minutes = 0.5", "time_budget_hours = 1", "chain.time_budget_hours", "time_budget_minutes"},
      {"stop_file = \"halt\"", "stop_file = \"\"", "chain.stop_file", "is empty"},
      // [measure]
      {"[measure]\nevery = 2", "[measure]\nevery = 0", "measure.every", "from 1"},
      {"[measure]\nevery = 2", "[measure]\nevery = 3", "measure.flow.every",
       "found 10, expected a multiple of measure.every = 3"},
      {"\"energy\"]", "\"enrgy\"]", "measure.observables", "did you mean \"energy\"?"},
      {"\"energy\"]", "\"polyakov\"]", "measure.observables", "twice"},
      {"observables = [", "observable = [", "measure.observable", "did you mean 'observables'?"},
      {"[measure.flow]\nevery = 10", "[measure.flow]\nevery = 0", "measure.flow.every", "from 1"},
      {"action = \"iwasaki\"", "action = \"zeuthen\"", "measure.flow.action", "expected one of"},
      {"action = \"iwasaki\"", "action = \"iwasaki\"\nc1 = 0", "measure.flow.action", "together with c1"},
      {"time_max = 2", "time_max = 0", "measure.flow.time_max", "above 0"},
      {"time_max = 2", "time_max = 0.25", "measure.flow.time_interval", "at most time_max = 0.25"},
      {"time_interval = 0.5", "time_interval = 0", "measure.flow.time_interval", "above 0"},
      {"time_max = 2\ntime_interval = 0.5", "time_max = 0.01\ntime_interval = 0.01", "measure.flow.step",
       "at most time_max = 0.01"},
      {"step = 0.02", "step = 0", "measure.flow.step", "above 0"},
      {"step = 0.02", "step = 1.5", "measure.flow.step", "at most 1"},
      {"tolerance = 1e-5", "tolerance = -1", "measure.flow.tolerance", "at least 0"},
      {"[measure.flow]", "[measure.flwo]", "measure.flwo", "did you mean 'flow'?"},
      // [output], [machine]
      {"directory = \"out\"", "directory = \"\"", "output.directory", "is empty"},
      {"directory = \"out\"", "directory = 1", "output.directory", "found the integer 1"},
      {"name = \"x\"", "name = \"a/b\"", "output.name", "without '/'"},
      {"name = \"x\"", "name = \"\"", "output.name", "without '/'"},
      {"threads = 2", "threads = -1", "machine.threads", "found the integer -1"},
      {"threads = 2", "thread = 2", "machine.thread", "did you mean 'threads'?"},
      {"lanes = 1", "lanes = 3", "machine.lanes", "expected 0 or what this program was compiled for: 1"},
      {"ranks = [1, 2, 2, 4]", "ranks = [1, 2, 2]", "machine.ranks", "an array of 4 integers"},
      {"ranks = [1, 2, 2, 4]", "ranks = [1, 2, 0, 4]", "machine.ranks", "found the integer 0"},
      {"ranks = [1, 2, 2, 4]", "ranks = \"all\"", "machine.ranks", "expected \"auto\" or an array of 4 integers"},
      {"rank_order = \"tzyx\"", "rank_order = \"tzy\"", "machine.rank_order", "the letters of \"xyzt\""},
      {"site_order = \"txyz\"", "site_order = \"txyx\"", "machine.site_order", "the letters of \"xyzt\""},
      {"[machine]", "[fermions]", "fermions", "unknown key; known are lattice, action"},
  };
  for (const auto& [line, instead, key, part] : changes) {
    const auto message =
        test::message_of<InputError>([&, l = line, i = instead] { parse_run_input(with(l, i), "in.toml"); });
    EXPECT_EQ(message.rfind("in.toml", 0), 0U) << message;
    EXPECT_NE(message.find(std::string(" ") + key + ": "), std::string::npos) << instead << "\n" << message;
    EXPECT_NE(message.find(part), std::string::npos) << instead << "\n" << message;
  }
}

TEST(RunInput, TermsMustCoverTheAction) {
  auto text = with("terms = [\"rectangle\"]", "terms = [\"plaquette\"]");
  const auto second = text.find("[[algorithm.levels]]\nintegrator = \"force");
  text.erase(second, text.find("[chain]") - second);
  EXPECT_EQ(test::message_of<InputError>([&] { parse_run_input(text, "in.toml"); }),
            "in.toml:14:1: algorithm.levels: no level has the term \"rectangle\" of the action");
}

TEST(RunInput, HeatbathWithRectanglesNeedsRoom) {
  const std::string text = "[lattice]\nsize=[4,4,4,2]\n[action]\nname=\"dbw2\"\nbeta=1\n[chain]\ntrajectories=1\n";
  EXPECT_EQ(test::message_of<InputError>([&] { parse_run_input(text + "[algorithm]\nkind=\"heatbath\"", "in.toml"); }),
            "in.toml:9:6: algorithm.kind: a heatbath with rectangles (c1 = -1.4088) needs extents of at least 4; use "
            "\"hmc\"");
}

TEST(RunInput, OneLoopSymanzik) {
  const std::string text =
      "[lattice]\nsize=[4,4,4,4]\n[action]\nname=\"one_loop_symanzik\"\nbeta=6\nu0=0.86372\nhisq_flavours=4\n"
      "[chain]\ntrajectories=1\n";
  const auto input = parse_run_input(text, "in.toml");
  EXPECT_EQ(input.terms(), (std::vector<std::string>{"plaquette", "rectangle", "parallelogram"}));
  EXPECT_EQ(input.algorithm.levels.at(0).terms, input.terms());
  // The line of the manual.
  const auto weights = input.action.weights();
  EXPECT_EQ(weights.plaquette, 6);
  EXPECT_NEAR(weights.rectangle, -0.16223, 5e-6);
  EXPECT_NEAR(weights.parallelogram, 0.022506, 5e-7);
  EXPECT_EQ(test::message_of<InputError>([&] { parse_run_input(text + "[algorithm]\nkind=\"heatbath\"", "in.toml"); }),
            "in.toml:11:6: algorithm.kind: a heatbath has no parallelograms; use \"hmc\"");
  EXPECT_NE(test::message_of<InputError>([&] {
              parse_run_input(
                  "[lattice]\nsize=[4,4,4,4]\n[action]\nbeta=6\n[chain]\ntrajectories=1\n"
                  "[[algorithm.levels]]\nterms=[\"plaquette\", \"parallelogram\"]\n",
                  "in.toml");
            }).find("only the action \"one_loop_symanzik\" has a term \"parallelogram\""),
            std::string::npos);
}

TEST(InputBoundary, WithParallelogramsNothingIsKnownOfEta) {
  const std::string action =
      "[action]\nname=\"one_loop_symanzik\"\nbeta=6\nu0=0.86372\nhisq_flavours=4\n[start]\nkind=\"hot\"\n[algorithm]\n"
      "kind=\"hmc\"\nsteps=3\n[chain]\ntrajectories=1\nseed=1\n";
  EXPECT_TRUE(parse_run_input("[lattice]\nsize=[4,4,4,4]\nboundary=\"open\"\n" + action, "in.toml")
                  .boundary.has_parallelograms);
  const std::string functional =
      "[lattice]\nsize=[4,4,4,4]\nboundary=\"schroedinger_functional\"\ntime_extent=3\nphi=[0.0,0.0]\n"
      "phi_prime=[0.0,0.0]\n" +
      action;
  EXPECT_EQ(parse_run_input(functional, "in.toml").boundary.rectangles, gauge::BoundaryRectangles::orbifold);
  const auto message = test::message_of<InputError>(
      [&] { parse_run_input(functional + "[measure]\nobservables=[\"eta_derivative\"]\n", "in.toml"); });
  EXPECT_NE(message.find("measure.observables: \"eta_derivative\" is that of a Schroedinger functional without "
                         "parallelograms"),
            std::string::npos)
      << message;
}

TEST(RunInput, LanesMustDivideTheLattice) {
  const std::string text = "[lattice]\nsize=[2,2,2,2]\n[action]\nbeta=1\n[chain]\ntrajectories=1\n[machine]\nlanes=8";
  const auto message = test::message_of<InputError>([&] { parse_run_input(text, "in.toml"); });
  EXPECT_TRUE(message.find("does not divide into 8 blocks") != std::string::npos ||
              message.find("compiled for") != std::string::npos)
      << message;
}

constexpr const char* kMeasure = R"([configurations]
files = ["a/*.ildg", "b"]
[measure]
observables = ["energy"]
)";

TEST(MeasureInput, ReadsAndResolvesToItself) {
  const auto input = parse_measure_input(std::string(kMeasure) + "[measure.flow]\ntolerance = 1e-6\n", "look.toml");
  EXPECT_EQ(input.files, (std::vector<std::string>{"a/*.ildg", "b"}));
  EXPECT_FALSE(input.size);
  EXPECT_EQ(input.measure.observables, (std::vector<std::string>{"energy"}));
  ASSERT_TRUE(input.measure.flow);
  EXPECT_EQ(input.output.directory, "look-results");
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(write_toml(parse_measure_input(once, "other.toml").resolved), once);
  const auto sized = parse_measure_input("[configurations]\nfiles=['x']\nsize=[4,4,4,8]\n[measure.flow]", "in.toml");
  EXPECT_EQ(*sized.size, (Coordinate{4, 4, 4, 8}));
}

TEST(MeasureInput, TheOtherCommandsInputIsRecognised) {
  EXPECT_EQ(test::message_of<InputError>([] { parse_run_input(kMeasure, "in.toml"); }),
            "in.toml:1:1: configurations: this is an input of `trellis measure`, not of `trellis run`");
  EXPECT_EQ(
      test::message_of<InputError>([] { parse_measure_input("[lattice]\nsize = [4, 4, 4, 4]\n[measure]", "in.toml"); }),
      "in.toml:1:1: lattice: this is an input of `trellis run`, not of `trellis measure`");
}

TEST(MeasureInput, WrongValuesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"[measure]\nobservables=['energy']", "in.toml: configurations: missing; expected a table: [configurations]"},
      {"[configurations]\nfiles=[]\n[measure]",
       "in.toml:2:7: configurations.files: is empty; expected names or patterns"},
      {"[configurations]\nfiles='x'\n[measure]", "in.toml:2:7: configurations.files: found the string \"x\""},
      {"[configurations]\nfiles=['x']\n", "in.toml: measure: missing"},
      {"[configurations]\nfiles=['x']\n[measure]", "in.toml:3:2: measure.observables: nothing to measure"},
      {"[configurations]\nfiles=['x']\nsize=[3,4,4,4]\n[measure]", "configurations.size: found the extent 3"},
      {std::string(kMeasure) + "every=2", "in.toml:5:1: measure.every: not allowed here: every file is measured"},
      {std::string(kMeasure) + "[measure.flow]\nevery=2", "in.toml:6:1: measure.flow.every: not allowed here"},
      {std::string(kMeasure) + "[chain]\nseed=1",
       "in.toml:5:2: chain: unknown key; known are configurations, gauge_fixing, measure"},
  };
  for (const auto& [text, part] : cases) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

TEST(ExpandFiles, NaturalOrder) {
  const auto folder = std::filesystem::temp_directory_path() / ("trellis_glob_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const auto* name : {"lat.10", "lat.9", "lat.2b", "other", "lat.010x"}) std::ofstream(folder / name) << "x";
  const auto at = [&](const char* name) { return (folder / name).string(); };
  const std::vector<std::filesystem::path> expected{at("other"), at("lat.2b"), at("lat.9"), at("lat.10"),
                                                    at("lat.010x")};
  EXPECT_EQ(expand_files({at("other"), at("lat.*"), at("lat.9")}), expected);
  EXPECT_EQ(test::message_of<InputError>([&] { expand_files({at("none*")}); }), at("none*") + ": no file matches");
  EXPECT_EQ(test::message_of<InputError>([&] { expand_files({at("none")}); }), at("none") + ": there is no such file");
  EXPECT_EQ(test::message_of<InputError>([&] { expand_files({at("run-results/c.*.ildg")}); }),
            at("run-results/c.*.ildg") + ": no file matches; there is no folder " + at("run-results") +
                ": start the run that makes it first");
  std::filesystem::remove_all(folder);
}

TEST(ExpandFiles, AFileIsMeantBeforeAPattern) {
  const auto folder = std::filesystem::temp_directory_path() / ("trellis_brackets_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto at = [&](const char* name) { return (folder / name).string(); };
  for (const auto* name : {"lat[1]", "lat1", "lat2"}) std::ofstream(at(name)) << "x";
  const std::vector<std::filesystem::path> literal{at("lat[1]")}, matching{at("lat2")};
  EXPECT_EQ(expand_files({at("lat[1]"), at("lat[1]")}), literal);
  EXPECT_EQ(expand_files({at("lat[2]")}), matching);
  std::filesystem::remove_all(folder);
}

TEST(SamePhysics, AKeyThatIsGoneIsNotGiven) {
  const auto texts =
      changed_tuning(parse_toml("[algorithm]\nprecision = \"single\"\n", "before"), parse_toml("[algorithm]\n", "now"));
  EXPECT_EQ(texts, std::vector<std::string>{"algorithm.precision is not given (was \"single\")"});
}

}  // namespace
}  // namespace trellis::app
