// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The choice of an algorithm, as a user meets it: `[algorithm] kind = "auto"` and `trellis tune INPUT`. What is chosen
// depends on times; that it is an ordinary chain does not.
#include <signal.h>
#include <stdlib.h>

#include <cmath>

#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/results/folder_lock.hpp"
#include "trellis/app/tune/chosen_input.hpp"
#include "trellis/hmc/integrator.hpp"

namespace trellis::app {
namespace {

class ChooseAlgorithm : public test::RunTest {
 protected:
  static Changes automatic(const Changes& more = {}) {
    Changes changes{{"steps = 5\nreversibility_every = 4",
                     "kind = \"auto\"\ntrajectory_length = 0.5\ntuning_trajectories = 14\nreversibility_every = 2"},
                    {"trajectories = 12", "trajectories = 4"},
                    {"thermalisation = 3", "thermalisation = 1"},
                    {"save_every = 6", "save_every = 2"},
                    {"checkpoint_every = 2", "checkpoint_every = 1"}};
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
  static Changes with_quarks(const Changes& more = {}) {
    auto changes = automatic({{"[machine]", R"([smearing]
levels = 1
[[flavours]]
name = "l"
mass = 0.05
tastes = 2
[[flavours]]
name = "s"
mass = 0.6
[machine])"}});
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
};

const std::vector<std::string> kept_files{"c.000002.ildg", "c.000004.ildg", "c.checkpoint"};

TEST_F(ChooseAlgorithm, TheRunIsAnOrdinaryOneWithTheChosenAlgorithm) {
  const auto outcome = run("chosen", with_quarks());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Chosen: "), std::string::npos) << outcome.out;
  const auto resolved = text("chosen/c.resolved.toml");
  const auto input = parse_run_input(resolved, "resolved");
  EXPECT_FALSE(input.algorithm.automatic);
  EXPECT_EQ(input.solver.heatbath_precision, "mixed");
  EXPECT_EQ(input.solver.molecular_dynamics_precision, "16-bit");
  EXPECT_EQ(input.solver.metropolis_precision, "mixed");
  EXPECT_EQ(input.algorithm.reversibility_every, 2);
  EXPECT_NE(text("chosen/c.log").find("acceptance"), std::string::npos) << "the log says what was tried";
  // Its resolved input gives the same bits without any choice.
  io::test::write_all(at("again.toml"), changed(resolved, {{"directory = \"chosen\"", "directory = \"again\""}}));
  const auto again = call("again");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out.find("Chosen: "), std::string::npos);
  expect_same_results("chosen", "again", kept_files);
}

// The choice does not touch the precision of molecular dynamics.
TEST_F(ChooseAlgorithm, InSinglePrecision) {
  const auto outcome = run("single", with_quarks({{"kind = \"auto\"", "kind = \"auto\"\nprecision = \"single\""}}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto resolved = text("single/c.resolved.toml");
  EXPECT_EQ(parse_run_input(resolved, "resolved").algorithm.precision, "single");
  EXPECT_EQ(parse_run_input(resolved, "resolved").solver.molecular_dynamics_precision, "16-bit");
  io::test::write_all(at("again.toml"), changed(resolved, {{"directory = \"single\"", "directory = \"again\""}}));
  ASSERT_EQ(call("again").code, 0);
  expect_same_results("single", "again", kept_files);
}

TEST_F(ChooseAlgorithm, AChainThatContinuesKeepsWhatWasChosen) {
  ASSERT_EQ(run("parts", automatic({{"trajectories = 4", "trajectories = 2"}})).code, 0);
  const auto chosen = parse_run_input(text("parts/c.resolved.toml"), "resolved").algorithm;
  // Even if the resolved input is lost: the checkpoint has it.
  std::filesystem::remove(at("parts/c.resolved.toml"));
  const auto more = run("parts", automatic());
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.out.find("keeps its algorithm"), std::string::npos) << more.out;
  const auto kept = parse_run_input(text("parts/c.resolved.toml"), "resolved").algorithm;
  ASSERT_EQ(kept.levels.size(), chosen.levels.size());
  for (std::size_t i = 0; i < kept.levels.size(); ++i) {
    EXPECT_EQ(kept.levels[i].integrator, chosen.levels[i].integrator);
    EXPECT_EQ(kept.levels[i].steps, chosen.levels[i].steps);
    EXPECT_EQ(kept.levels[i].lambda, chosen.levels[i].lambda);
    EXPECT_EQ(kept.levels[i].terms, chosen.levels[i].terms);
  }
  EXPECT_EQ(text("parts/c.log").find("from trajectory"), std::string::npos) << "a change was reported";
}

// As in a chain whose levels are the input's own: what may change is reported, what may not is refused by name.
TEST_F(ChooseAlgorithm, AChainThatContinuesHasTheOtherKeysOfItsInput) {
  const auto with = [&](const std::string& more, const std::string& length = "0.5") {
    return with_quarks({{"kind = \"auto\"\ntrajectory_length = 0.5", "kind = \"auto\"\ntrajectory_length = " + length},
                        {"[machine]", more + "[machine]"}});
  };
  auto begun = with("");
  begun.push_back({"trajectories = 4", "trajectories = 2"});
  ASSERT_EQ(run("parts", begun).code, 0);
  expect_error(run("parts", with("", "0.25")), 2, {"algorithm.trajectory_length", "0.25"});
  auto split = with_quarks({{"mass = 0.05", "mass = 0.05\nsplit_masses = [0.123]"}});
  expect_error(run("parts", split), 2, {"split_masses", "0.123"});
  const auto more =
      run("parts", with("[rational]\nlargest_eigenvalue = 15.5\n[solver]\nmolecular_dynamics_residual = 1e-8\n"
                        "molecular_dynamics_precision = \"double\"\n"));
  ASSERT_EQ(more.code, 0) << more.err;
  for (const char* change : {"from trajectory 3 on: rational.largest_eigenvalue = 15.5 (was 16.0)",
                             "from trajectory 3 on: solver.molecular_dynamics_residual = 1e-08",
                             "from trajectory 3 on: solver.molecular_dynamics_precision = \"double\" (was \"16-bit\")"})
    EXPECT_NE(more.out.find(change), std::string::npos) << more.out;
  EXPECT_EQ(more.out.find("on: algorithm."), std::string::npos) << more.out;
  EXPECT_EQ(parse_run_input(text("parts/c.resolved.toml"), "resolved").rational.largest_eigenvalue, 15.5);
}

// Three leapfrog steps are far too long. The same chain goes on with kind = "auto", which keeps them until the end of
// thermalisation.
TEST_F(ChooseAlgorithm, StepsThatDoNotFitAreChosenAgainAfterThermalisation) {
  const auto chain = [](const std::string& algorithm, const std::string& trajectories, const std::string& more = "") {
    return Changes{
        {"steps = 5\nreversibility_every = 4", algorithm},
        {"trajectories = 12\nthermalisation = 3", "trajectories = " + trajectories + "\nthermalisation = 200\n" + more},
        {"every = 2", "every = 100"},
        {"every = 4", "every = 100"},
        {"save_every = 6", "save_every = 10"}};
  };
  const std::string by_hand = "integrator = \"leapfrog\"\nsteps = 3\ntrajectory_length = 0.7",
                    automatic = "kind = \"auto\"\ntrajectory_length = 0.7\ntuning_trajectories = 14";
  ASSERT_EQ(run("a", chain(by_hand, "201")).code, 0);  // until after thermalisation, where it is too late
  EXPECT_EQ(run("a", chain(automatic, "202")).out.find("do not fit"), std::string::npos);
  ASSERT_EQ(run("b", chain(by_hand, "210", "time_budget_minutes = 0.0005")).code, 3);
  const auto outcome = run("b", chain(automatic, "210"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* line :
       {"The chain that is there keeps its algorithm", "After 200 trajectories of thermalisation, of whose last half ",
        "Choosing its steps again, from the links that it has reached, in at most 14 trajectories",
        "Chosen: ", "Continuing after trajectory 200 of 210", "from trajectory 201 on: algorithm.",
        "Finished: all 210 trajectories"})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << outcome.out;
  EXPECT_NE(text("b/c.log").find("do not fit"), std::string::npos);
  EXPECT_EQ(parse_run_input(text("b/c.resolved.toml"), "resolved").algorithm.trajectory_length, 0.7);
  EXPECT_EQ(run("b", chain(automatic, "211")).out.find("Chosen"), std::string::npos);
  const auto reproduced =
      test::Process({TRELLIS_PROGRAM, "reproduce", "b/c.000210.ildg", "--from", "b/c.000200.ildg"}, here()).wait();
  EXPECT_EQ(reproduced.code, 0) << reproduced.out << reproduced.err;
}

TEST_F(ChooseAlgorithm, ChoosesAgainWhenAsked) {
  const auto asked = [&](const char* name) {
    return test::Process({TRELLIS_PROGRAM, "run", "--choose-again", std::string(name) + ".toml"}, here()).wait();
  };
  io::test::write_all(at("a.toml"), input("a", with_quarks()));
  expect_error(asked("a"), 2, {"--choose-again: there is no chain yet in a"});
  io::test::write_all(at("fixed.toml"), input("fixed"));
  expect_error(asked("fixed"), 2, {"--choose-again goes with algorithm.kind = \"auto\" only"});
  EXPECT_FALSE(exists("a") || exists("fixed"));
  ASSERT_EQ(run("a", with_quarks({{"trajectories = 4", "trajectories = 2"}})).code, 0);
  const auto masses = parse_run_input(text("a/c.resolved.toml"), "resolved").quarks.flavours[0].split_masses;
  io::test::write_all(at("a.toml"), input("a", with_quarks()));
  const auto outcome = asked("a");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Choosing its steps again"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Continuing after trajectory 2 of 4"), std::string::npos) << outcome.out;
  EXPECT_EQ(parse_run_input(text("a/c.resolved.toml"), "resolved").quarks.flavours[0].split_masses, masses);
}

TEST_F(ChooseAlgorithm, ChoosesNothingForAChainThatIsComplete) {
  const auto asked = [&] { return test::Process({TRELLIS_PROGRAM, "run", "--choose-again", "a.toml"}, here()).wait(); };
  ASSERT_EQ(run("a", automatic()).code, 0);
  const auto before = everything("a");
  const auto complete = asked();
  EXPECT_EQ(complete.code, 0) << complete.err;
  EXPECT_NE(complete.out.find("Nothing is chosen again: the chain has no trajectories left"), std::string::npos)
      << complete.out;
  EXPECT_NE(complete.out.find("This run is finished: 4 trajectories are done"), std::string::npos) << complete.out;
  EXPECT_EQ(complete.out.find("Choosing"), std::string::npos) << complete.out;
  EXPECT_EQ(everything("a"), before);
  // Another chain is refused before anything is chosen, and the folder keeps its own input.
  io::test::write_all(at("a.toml"),
                      input("a", automatic({{"trajectories = 4", "trajectories = 6"}, {"beta = 4.0", "beta = 4.1"}})));
  const auto other = asked();
  expect_error(other, 2, {"action.beta = 4.0, the input now says 4.1"});
  EXPECT_EQ(other.out.find("Choosing"), std::string::npos) << other.out;
  EXPECT_EQ(everything("a"), before);
  // Precise enough is complete, too. At this coupling measurements are nearly independent.
  const auto begin = [&](const std::string& trajectories, const std::string& stop_when) {
    io::test::write_all(at("a.toml"), input("b", automatic({{"trajectories = 4", "trajectories = " + trajectories},
                                                            {"beta = 4.0", "beta = 0.5"},
                                                            {"trajectory_length = 0.5", "trajectory_length = 1.0"},
                                                            {"seed = 7", "seed = 7\n" + stop_when}})));
  };
  begin("150", "");
  ASSERT_EQ(call("a").code, 0);
  begin("160", "stop_when = { observable = \"plaquette\", error_below = 1, independent_measurements = 20 }");
  const auto precise = asked();
  EXPECT_EQ(precise.code, 0) << precise.err;
  EXPECT_NE(precise.out.find("no trajectories left"), std::string::npos) << precise.out;
  EXPECT_NE(precise.out.find("This run is finished after 150 of 160 trajectories"), std::string::npos) << precise.out;
}

// The chain is not touched.
TEST_F(ChooseAlgorithm, StopsWhileItChoosesAgain) {
  ASSERT_EQ(run("a", automatic({{"trajectories = 4", "trajectories = 2"}})).code, 0);
  const auto resolved = text("a/c.resolved.toml");
  const auto with_more = [&](const std::string& trajectories) {
    io::test::write_all(at("a.toml"), input("a", automatic({{"tuning_trajectories = 14", trajectories}})));
  };
  with_more("tuning_trajectories = 100000");
  test::Process process({TRELLIS_PROGRAM, "run", "--choose-again", "a.toml"}, here());
  for (int n = 0; n < 3000 && !exists("a/c.lock"); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.signal(SIGINT);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.out.find("the chain keeps its trajectories and its steps"), std::string::npos) << outcome.out;
  EXPECT_EQ(text("a/c.resolved.toml"), resolved);
  with_more("tuning_trajectories = 14");
  const auto more = call("a");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.out.find("Continuing after trajectory 2 of 4"), std::string::npos) << more.out;
}

// No step is short enough for an eigenvalue that the start has.
TEST_F(ChooseAlgorithm, StopsWhereTheSpectrumIsOutside) {
  const auto outcome = run("a", with_quarks({{"[machine]", "[rational]\nlargest_eigenvalue = 2.0\n[machine]"}}));
  expect_error(outcome, 1, {"beyond the 2 up to which", "raise rational.largest_eigenvalue"});
  EXPECT_EQ(outcome.out.find("instead, because"), std::string::npos) << outcome.out;
}

// All ranks choose the same, though each has its own times.
TEST_F(ChooseAlgorithm, OnSeveralRanks) {
  if (std::string_view(TRELLIS_LAUNCHER).empty()) GTEST_SKIP() << "this build has no MPI, or no mpirun";
  ::setenv("OMP_NUM_THREADS", "1", 1);
  ::setenv("TRELLIS_WATCHDOG", "100", 1);
  io::test::write_all(at("two.toml"), input("two", automatic()));
  auto words = test::launcher(2);
  for (const auto& word : command("two")) words.push_back(word);
  const auto outcome = test::Process(words, here()).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  io::test::write_all(at("one.toml"),
                      changed(text("two/c.resolved.toml"), {{"directory = \"two\"", "directory = \"one\""}}));
  const auto one = call("one");
  ASSERT_EQ(one.code, 0) << one.err;
  expect_same_results("two", "one", kept_files);
}

// A run whose choice would take hours holds the lock meanwhile; a second one does not begin to choose.
TEST_F(ChooseAlgorithm, OneAtATime) {
  const Changes endless{{"tuning_trajectories = 14", "tuning_trajectories = 100000"},
                        {"size = [4, 4, 4, 4]", "size = [8, 8, 8, 8]"}};
  io::test::write_all(at("a.toml"), input("a", automatic(endless)));
  test::Process first(command("a"), here());
  const auto held_by_first = [&] {
    return holder_of_lock(at("a/c.lock")).starts_with("process " + std::to_string(first.id()) + " on ");
  };
  while (!held_by_first()) {
    siginfo_t end{};
    ASSERT_EQ(::waitid(P_PID, first.id(), &end, WEXITED | WNOHANG | WNOWAIT), 0);
    ASSERT_EQ(end.si_pid, 0) << "the first run ended without the lock: " << first.wait().err;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(exists("a/c.resolved.toml")) << "the lock came after the choice";
  const auto second = call("a");
  expect_error(second, 2, {"a/c.lock is locked: another process is working on the same output"});
  EXPECT_EQ(second.out.find("Choosing"), std::string::npos) << second.out;
  EXPECT_FALSE(exists("a/c.log") || exists("a/c.resolved.toml"));
  first.signal(SIGKILL);
  EXPECT_EQ(first.wait().code, -SIGKILL);
  // What the kill left behind does not keep the next run out.
  const auto third = run("a", automatic());
  EXPECT_EQ(third.code, 0) << third.err;
  EXPECT_FALSE(exists("a/c.lock"));
}

// Within a step, though a trajectory takes minutes.
TEST_F(ChooseAlgorithm, StopsAsARunDoes) {
  const Changes endless{{"tuning_trajectories = 14", "tuning_trajectories = 100000"},
                        {"size = [4, 4, 4, 4]", "size = [8, 8, 8, 8]"},
                        {"trajectory_length = 0.5", "trajectory_length = 1000.0"},
                        {"seed = 7", "seed = 7\nstop_file = \"halt\""}};
  io::test::write_all(at("a.toml"), input("a", automatic(endless)));
  const auto stopped = [&](const std::string& by, int code, const auto& stop) {
    test::Process process(command("a"), here());
    for (int n = 0; n < 3000 && !exists("a/c.lock"); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    stop(process);
    const auto outcome = process.wait();
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.out.find("Stopped by " + by + " while the algorithm was being chosen"), std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("what was tried is lost"), std::string::npos) << outcome.out;
    EXPECT_FALSE(exists("a/c.lock") || exists("a/c.resolved.toml"));
  };
  stopped("Ctrl-C", 130, [](auto& process) { process.signal(SIGINT); });
  stopped("a signal to terminate", 143, [](auto& process) { process.signal(SIGTERM); });
  stopped("the stop file halt", 3, [&](auto&) { io::test::write_all(at("halt"), ""); });
  std::filesystem::remove(at("halt"));
  EXPECT_EQ(run("a", automatic()).code, 0);
}

TEST_F(ChooseAlgorithm, CheckSaysWhatWillBeChosenOrWas) {
  io::test::write_all(at("checked.toml"), input("checked", automatic({{"trajectories = 4", "trajectories = 2"}})));
  test::Process before({TRELLIS_PROGRAM, "run", "--check", "checked.toml"}, here());
  const auto first = before.wait();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("is chosen first, in at most 14 trajectories, but not by --check"), std::string::npos)
      << first.out;
  EXPECT_FALSE(exists("checked"));
  ASSERT_EQ(call("checked").code, 0);
  test::Process after({TRELLIS_PROGRAM, "run", "--check", "checked.toml"}, here());
  const auto second = after.wait();
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.out.find("is chosen first"), std::string::npos) << second.out;
  EXPECT_EQ(second.out.find("changed"), std::string::npos) << second.out;
}

TEST_F(ChooseAlgorithm, LengthOfTrajectories) {
  const auto outcome = run("long", automatic({{"trajectory_length = 0.5",
                                               "trajectory_length = 0.5\n"
                                               "longest_trajectory_length = 0.75"}}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto input = parse_run_input(text("long/c.resolved.toml"), "resolved");
  const double length = input.algorithm.trajectory_length;
  EXPECT_TRUE(length == 0.5 || length == 0.75 || std::abs(length - std::sqrt(0.5)) < 1e-12) << length;
  EXPECT_NE(outcome.out.find(fmt::format("; length {:.4g}", length)), std::string::npos) << outcome.out;
  EXPECT_EQ(text("long/c.resolved.toml").find("longest"), std::string::npos);
}

TEST_F(ChooseAlgorithm, TuneWritesAnInputOfRun) {
  // So many steps that anything is cheaper.
  io::test::write_all(at("slow.toml"), input("slow", {{"steps = 5", "steps = 60\ntrajectory_length = 0.5"}}));
  test::Process first({TRELLIS_PROGRAM, "tune", "slow.toml", "--only", "algorithm", "--output", "fast.toml"}, here());
  const auto outcome = first.wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Written: fast.toml"), std::string::npos) << outcome.out;
  EXPECT_FALSE(exists("slow"));
  // Whose results are not in the way of the input's.
  const auto output = parse_run_input(text("fast.toml"), "fast.toml").output;
  EXPECT_EQ(output.directory, "fast-results");
  EXPECT_EQ(output.name, "fast");
  EXPECT_NE(outcome.out.find("an input of `trellis run`, whose results will be in fast-results"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(parse_run_input(text("fast.toml"), "fast.toml").algorithm.trajectory_length, 0.5);
  for (const auto& [more, message] :
       {std::pair<std::vector<std::string>, const char*>{{"--output", "none/fast.toml"}, "none"},
        {{"--only", "kernels", "--output", "x.toml"}, "--output goes with an INPUT whose algorithm is chosen"},
        {{"--only", "algorithm", "--budget", "1"}, "--budget is for kernels that are timed"}}) {
    std::vector<std::string> words{TRELLIS_PROGRAM, "tune", "slow.toml"};
    words.insert(words.end(), more.begin(), more.end());
    expect_error(test::Process(words, here()).wait(), 2, {message});
  }
  const auto fast = parse_run_input(text("fast.toml"), "fast.toml");
  EXPECT_LT(hmc::force_evaluations(
                hmc::make_plan({{fast.algorithm.levels[0].scheme(), int(fast.algorithm.levels[0].steps), {}}}, 1), 0),
            121);
  // And does not overwrite anything.
  test::Process second({TRELLIS_PROGRAM, "tune", "slow.toml", "--only", "algorithm", "--output", "fast.toml"}, here());
  expect_error(second.wait(), 2, {"fast.toml exists already"});
}

// Not even half of this budget is enough to try what was to be tried. The next call goes on with the algorithm found.
TEST_F(ChooseAlgorithm, IsPartOfTheTimeBudget) {
  const auto brief = run("brief", automatic({{"tuning_trajectories = 14", "tuning_trajectories = 5000"},
                                             {"save_every = 2", "save_every = 2\ntime_budget_minutes = 0.001"}}));
  ASSERT_EQ(brief.code, 3) << brief.err;
  EXPECT_NE(brief.out.find("Stopped after trajectory 0 of 4: of the 0 s"), std::string::npos) << brief.out;
  EXPECT_EQ(brief.out.find("4/4"), std::string::npos) << brief.out;
  const auto rest = run("brief", automatic());
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_NE(rest.out.find("keeps its algorithm"), std::string::npos) << rest.out;
}

TEST_F(ChooseAlgorithm, WrongInput) {
  expect_error(run("few", automatic({{"tuning_trajectories = 14", "tuning_trajectories = 3"}})), 2,
               {"tuning_trajectories", "found the integer 3"});
  expect_error(run("both", automatic({{"trajectory_length = 0.5", "steps = 3"}})), 2, {"steps", "auto"});
  expect_error(run("short", automatic({{"trajectory_length = 0.5", "longest_trajectory_length = 0.75"}})), 2,
               {"longest_trajectory_length", "0.75", "1"});
  expect_error(run("range", {{"steps = 5", "steps = 5\nlongest_trajectory_length = 2.0"}}), 2,
               {"longest_trajectory_length", "hmc"});
  expect_error(run("fixed", {{"steps = 5", "steps = 5\ntuning_minutes = 1"}}), 2, {"tuning_minutes", "hmc"});
  expect_error(run("lost", automatic({{"kind = \"hot\"", "kind = \"file\"\nfile = \"lost.ildg\""}})), 2, {"lost.ildg"});
  EXPECT_FALSE(exists("short") || exists("range"));
  EXPECT_FALSE(exists("few") || exists("both") || exists("fixed") || exists("lost"));
  io::test::write_all(at("heatbath.toml"),
                      input("heatbath", {{"steps = 5\nreversibility_every = 4", "kind = \"heatbath\""}}));
  test::Process heatbath({TRELLIS_PROGRAM, "tune", "heatbath.toml", "--only", "algorithm"}, here());
  expect_error(heatbath.wait(), 2, {"a heatbath has nothing to choose"});
  test::Process nothing({TRELLIS_PROGRAM, "tune"}, here());
  expect_error(nothing.wait(), 2, {"give the INPUT of a run"});
}

RunInput two_plus_one(const std::string& more = {}) {
  return parse_run_input(R"([lattice]
size = [4, 4, 4, 4]
[action]
beta = 5.0
[chain]
trajectories = 2
[[flavours]]
name = "l"
mass = 0.04
tastes = 2
)" + more + R"([[flavours]]
name = "s"
mass = 0.25
)",
                         "input.toml");
}

TEST(ChosenInput, SplittingsToTry) {
  const auto all = splittings_to_try(two_plus_one().quarks.flavours);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[0].flavours[0].split_masses.empty());
  EXPECT_EQ(all[1].flavours[0].split_masses, std::vector{0.25});
  EXPECT_TRUE(all[1].flavours[0].joins.empty());
  EXPECT_EQ(all[2].flavours[0].split_masses, std::vector{0.25});
  EXPECT_EQ(all[2].flavours[0].joins, "s");
  EXPECT_NEAR(all[3].flavours[0].split_masses.at(0), 0.2, 1e-12);
  for (const auto& splitting : all) EXPECT_TRUE(splitting.flavours[1].split_masses.empty());
  // What the user split stays as it is.
  EXPECT_EQ(splittings_to_try(two_plus_one("split_masses = [0.1]\n").quarks.flavours).size(), 1U);
  EXPECT_EQ(splittings_to_try({}).size(), 1U);
}

TEST(ChosenInput, IsTheSameRunWithAnotherAlgorithm) {
  auto input = two_plus_one();
  input.algorithm.longest_trajectory_length = 2;
  const auto splitting = splittings_to_try(input.quarks.flavours)[2];
  const hmc::HmcParameters parameters{0.75,
                                      {{hmc::minimum_norm_2(0.18), 3, {"l_1"}},
                                       {hmc::minimum_norm_4(), 2, {"s"}},
                                       {hmc::leapfrog(), 5, {"plaquette"}}}};
  const auto chosen = with_algorithm(input, splitting.flavours, parameters);
  EXPECT_EQ(chosen.terms(), (std::vector<std::string>{"plaquette", "l_1", "s"}));
  EXPECT_EQ(chosen.algorithm.trajectory_length, 0.75);
  ASSERT_EQ(chosen.algorithm.levels.size(), 3U);
  EXPECT_EQ(chosen.algorithm.levels[0].lambda, 0.18);
  EXPECT_EQ(chosen.algorithm.levels[0].steps, 3);
  EXPECT_EQ(chosen.algorithm.levels[1].integrator, "4mn5fv");
  EXPECT_EQ(chosen.chain.trajectories, 2);
  EXPECT_EQ(chosen.output.directory, input.output.directory);
  // A later call of the user's own input finds it again.
  const auto again = with_algorithm_of(input, chosen.resolved);
  EXPECT_EQ(write_toml(again.resolved), write_toml(chosen.resolved));
  // What is no part of a choice is that input's own.
  input.algorithm.longest_trajectory_length = 0;
  EXPECT_EQ(with_algorithm_of(input, chosen.resolved).algorithm.trajectory_length, 1);
  EXPECT_THROW(with_algorithm_of(two_plus_one("split_masses = [0.1]\n"), chosen.resolved), InputError);
}

}  // namespace
}  // namespace trellis::app
