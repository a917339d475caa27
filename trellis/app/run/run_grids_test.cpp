// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The program as a job of several processes: the same files on any grid of ranks, byte for byte, however it is stopped;
// one clear message if something is wrong.
#include <stdlib.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

using std::chrono::milliseconds, std::chrono::seconds, std::chrono::steady_clock;

class RunGrids : public test::RunTest {
 protected:
  RunGrids() {
    ::setenv("OMP_NUM_THREADS", "1", 1);
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    ::setenv("TRELLIS_WATCHDOG", "100", 1);
    ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  }
  void SetUp() override {
    if (std::string_view(TRELLIS_LAUNCHER).empty()) GTEST_SKIP() << "this build has no MPI, or no mpirun";
  }

  // "mpirun ... -n <ranks> <command>".
  static std::vector<std::string> on(int ranks, const std::vector<std::string>& command) {
    auto words = test::launcher(ranks);
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }
  test::Outcome trellis(int ranks, std::vector<std::string> words) const {
    words.insert(words.begin(), TRELLIS_PROGRAM);
    return test::Process(ranks == 1 ? words : on(ranks, words), here()).wait();
  }
  // Writes the input and runs it.
  test::Outcome run_on(int ranks, const std::string& name, const Changes& changes = {},
                       const std::string& machine = "") const {
    write_input(name, changes, machine);
    return trellis(ranks, {"run", name + ".toml"});
  }
  void write_input(const std::string& name, Changes changes, const std::string& machine = "") const {
    changes.emplace_back("threads = 1\n", "threads = 1\n" + machine);
    io::test::write_all(at(name + ".toml"), input(name, changes));
  }

  // All files of one folder equal another's, except the log, the resolved input with its [machine], times, and the
  // previous checkpoint, which belongs to the trajectory at which a chain was stopped.
  void expect_same_folders(const std::string& a, const std::string& b) const {
    EXPECT_EQ(table(a), table(b));
    const auto names = [&](const std::string& folder) {
      std::vector<std::string> kept;
      for (const auto& [name, bytes] : everything(folder))
        if (name != "c.csv" && name != "c.resolved.toml" && name != "c-kernels.csv" && name != "c.previous.checkpoint")
          kept.push_back(name);
      return kept;
    };
    EXPECT_EQ(names(a), names(b));
    for (const auto& name : names(a))
      EXPECT_TRUE(text(a + "/" + name) == text(b + "/" + name)) << a << " and " << b << " differ in " << name;
  }

  // Process ids of a running job's ranks.
  static std::vector<pid_t> ranks_of(const test::Process& launcher) {
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", launcher.id()));
    std::vector<pid_t> ids;
    for (pid_t id; children >> id;) {
      std::string name;
      std::getline(std::ifstream(fmt::format("/proc/{}/comm", id)), name);
      if (name == "trellis") ids.push_back(id);
    }
    return ids;
  }
  std::size_t rows(const std::string& name) const {
    return exists(name + "/c.csv") ? io::read_csv(at(name + "/c.csv")).rows() : 0;
  }
  // Starts the job, waits until there are more rows, and sends a signal to one of its ranks.
  test::Outcome disturb(int ranks, std::size_t which, int signal, const std::string& name) const {
    const auto before = rows(name);
    test::Process process(on(ranks, {TRELLIS_PROGRAM, "run", name + ".toml"}), here());
    const auto start = steady_clock::now();
    while (rows(name) <= before && steady_clock::now() - start < seconds(100))
      std::this_thread::sleep_for(milliseconds(5));
    const auto ids = ranks_of(process);
    EXPECT_EQ(ids.size(), std::size_t(ranks));
    if (which < ids.size()) ::kill(ids[which], signal);
    const auto sent = steady_clock::now();
    const auto outcome = process.wait();
    EXPECT_LT(steady_clock::now() - sent, seconds(30));
    return outcome;
  }

  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (auto p = text.find(part); p != std::string::npos; p = text.find(part, p + 1)) ++found;
    return found;
  }
  // One message, from one rank.
  static void expect_one_error(const test::Outcome& outcome, int code, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    EXPECT_EQ(count(outcome.err, "trellis: error: "), 1) << outcome.err;
    for (const auto& part : parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  }

  // 2+1 flavours on links that are smeared twice, with a magnetic field.
  static Changes quarks() {
    return {{"steps = 5", "steps = 2\ngauge_steps = 2\ntrajectory_length = 0.5"},
            {"trajectories = 12", "trajectories = 4"},
            {"thermalisation = 3", "thermalisation = 1"},
            {"save_every = 6", "save_every = 2\nsave_precision = \"single\""},
            {"checkpoint_every = 2", "checkpoint_every = 1"},
            {"reversibility_every = 4", "reversibility_every = 3"},
            {"[output]",
             "[measure.quarks]\nobservables = [\"condensate\", \"quark_number\"]\nnoise_vectors = 2\n"
             "[measure.cooling]\nsteps = 4\ninterval = 2\n[output]"},
            {"[machine]", R"([smearing]
levels = 2
[background]
bz = 1
[[flavours]]
name = "u"
mass = 0.3
charge = 2
split_masses = [0.8]
[[flavours]]
name = "d"
mass = 0.3
charge = -1
[[flavours]]
name = "s"
mass = 0.6
charge = -1
pseudofermions = 2
[solver]
molecular_dynamics_precision = "mixed"
[machine])"}};
  }
  // Runs it on a grid of ranks too, with the same results.
  void expect_same_on(int ranks, const Changes& changes, const std::string& machine) const {
    const auto name = fmt::format("g{}", ranks);
    const auto outcome = run_on(ranks, name, changes, machine);
    ASSERT_EQ(outcome.code, 0) << machine << outcome.out << outcome.err;
    expect_same_folders("whole", name);
  }
};

TEST_F(RunGrids, PureGaugeChainsAreTheSameOnAnyGrid) {
  ASSERT_EQ(run("whole").code, 0);
  int n = 0;
  for (const auto& [ranks, machine] : {std::pair(2, "ranks = [1, 1, 1, 2]\n"),
                                       {2, "ranks = [2, 1, 1, 1]\nrank_order = \"tzyx\"\n"},
                                       {4, ""},
                                       {4, "ranks = [1, 2, 2, 1]\nrank_order = \"zyxt\"\n"},
                                       {2, "ranks = [2, 1, 1, 1]\nsite_order = \"tyzx\"\n"},
                                       {8, "ranks = [2, 1, 2, 2]\n"}}) {
    const auto name = fmt::format("g{}", n++);
    const auto outcome = run_on(ranks, name, {}, machine);
    ASSERT_EQ(outcome.code, 0) << machine << outcome.out << outcome.err;
    EXPECT_EQ(count(outcome.out, "Finished: all 12 trajectories are done."), 1) << outcome.out;
    expect_same_folders("whole", name);
  }
}

TEST_F(RunGrids, HeatbathsAreTheSameOnAnyGrid) {
  const Changes heatbath{{"steps = 5", "kind = \"heatbath\""},
                         {"reversibility_every = 4", ""},
                         {"[4, 4, 4, 4]", "[4, 4, 8, 8]"},
                         {"trajectories = 12", "trajectories = 6"}};
  ASSERT_EQ(run("whole", heatbath).code, 0);
  const auto outcome = run_on(4, "ranks", heatbath);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same_folders("whole", "ranks");
}

TEST_F(RunGrids, QuarkChainsAreTheSameOnAnyGrid) {
  ASSERT_EQ(run("whole", quarks()).code, 0);
  expect_same_on(4, quarks(), "ranks = [2, 1, 1, 2]\n");
}

TEST_F(RunGrids, NightlyQuarkChainsAreTheSameOnMoreGrids) {
  ASSERT_EQ(run("whole", quarks()).code, 0);
  expect_same_on(2, quarks(), "ranks = [1, 1, 2, 1]\n");
  expect_same_on(8, quarks(), "ranks = [1, 2, 2, 2]\n");
}

TEST_F(RunGrids, ARankIsKilledAndAnotherGridGoesOn) {
  const Changes slow{{"steps = 5", "steps = 20"}};
  ASSERT_EQ(run("whole", slow).code, 0);
  write_input("parts", slow);
  for (const auto& [ranks, which] : {std::pair(4, 2U), {2, 0U}, {4, 3U}}) {
    const auto outcome = disturb(ranks, which, SIGKILL, "parts");
    EXPECT_NE(outcome.code, 0) << outcome.out << outcome.err;
  }
  ASSERT_EQ(call("parts").code, 0);
  expect_same_folders("whole", "parts");
}

TEST_F(RunGrids, ARankIsKilledWhileAFileIsUnderWay) {
  const Changes large{{"[4, 4, 4, 4]", "[8, 8, 8, 16]"},
                      {"symanzik", "wilson"},
                      {"steps = 5", "steps = 1\ntrajectory_length = 0.1"},
                      {"save_every = 6", "save_every = 2"},
                      {"[measure.flow]\nevery = 4\ntime_max = 0.2\nstep = 0.05\n", ""}};
  ASSERT_EQ(run("whole", large).code, 0);
  write_input("parts", large);
  int hits = 0;
  for (const auto& [ranks, part] :
       {std::pair(2, "c.000002.ildg.part"), {4, "c.000004.ildg.part"}, {2, "c.checkpoint.part"}}) {
    const auto file = at(std::string("parts/") + part);
    test::Process process(on(ranks, {TRELLIS_PROGRAM, "run", "parts.toml"}), here());
    const auto start = steady_clock::now();
    const auto is_late = [&] { return process.has_ended() || steady_clock::now() - start > seconds(100); };
    while (!exists("parts/c.csv") && !is_late()) std::this_thread::sleep_for(milliseconds(1));
    while (!std::filesystem::exists(file) && !is_late()) std::this_thread::yield();
    for (const auto id : ranks_of(process)) ::kill(id, SIGKILL);
    if (process.wait().code == 0)  // the kill came too late; a finished run starts again
      std::filesystem::remove_all(at("parts"));
    else
      hits += std::filesystem::exists(file) ? 1 : 0;
  }
  EXPECT_GT(hits, 0);
  ASSERT_EQ(run_on(2, "parts", large).code, 0);
  expect_same_folders("whole", "parts");
}

TEST_F(RunGrids, ASignalToOneRankStopsAll) {
  const Changes slow{{"steps = 5", "steps = 20"}};
  ASSERT_EQ(run("whole", slow).code, 0);
  write_input("parts", slow);
  for (const auto& [ranks, signal] : {std::pair(4, SIGTERM), {2, SIGINT}}) {
    const auto outcome = disturb(ranks, std::size_t(ranks - 1), signal, "parts");
    EXPECT_EQ(outcome.code, 128 + signal) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("Stopped after trajectory"), std::string::npos) << outcome.out;
    EXPECT_FALSE(exists("parts/c.lock"));
  }
  ASSERT_EQ(run_on(8, "parts", slow).code, 0);
  expect_same_folders("whole", "parts");
}

TEST_F(RunGrids, StopFileAndTimeBudget) {
  ASSERT_EQ(run("whole").code, 0);
  ASSERT_EQ(run_on(2, "parts", {{"trajectories = 12", "trajectories = 5"}}).code, 0);
  io::test::write_all(at("parts/stop"), "");
  const auto refused = run_on(4, "parts");
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_EQ(count(refused.out, "The stop file parts/stop exists, so nothing was done."), 1) << refused.out;
  std::filesystem::remove(at("parts/stop"));
  const int code = run_on(2, "parts", {{"seed = 7", "seed = 7\ntime_budget_minutes = 0.005"}}).code;
  EXPECT_TRUE(code == 3 || code == 0) << code;
  EXPECT_EQ(run_on(2, "parts").code, 0);
  expect_same_folders("whole", "parts");
}

TEST_F(RunGrids, WhatCannotBeIsOneMessage) {
  const auto refused = [&](int ranks, const Changes& changes, const std::string& machine,
                           const std::vector<std::string>& parts) {
    expect_one_error(run_on(ranks, "new", changes, machine), 2, parts);
    EXPECT_FALSE(exists("new"));
  };
  refused(4, {}, "ranks = [1, 1, 1, 3]\n", {"machine.ranks: 1x1x1x3 is a grid of 3 ranks, but this job has 4"});
  refused(4, {}, "ranks = [1, 1, 1, 4]\n", {"4x4x4x4"});
  refused(3, {}, "", {"4x4x4x4"});
  // Quarks that hop three steps need as many sites a rank.
  const Changes hisq{{"[measure]", "[smearing]\nkind = \"hisq\"\n[[flavours]]\nname = \"l\"\nmass = 0.5\n[measure]"}};
  refused(2, hisq, "ranks = [1, 1, 1, 2]\n", {"machine.ranks", "4x4x4x2", "hop 3 sites", "at least 4 in t"});
  refused(2, hisq, "", {"4x4x4x4"});
  refused(2, {{"[4, 4, 4, 4]", "[2, 2, 2, 2]"}}, "", {"2x2x2x2"});
  refused(2, {}, "ranks = [1, 1, 2]\n", {"machine.ranks"});
  refused(2, {}, "ranks = \"some\"\n", {"machine.ranks"});
  refused(2, {}, "rank_order = \"xyz\"\n", {"machine.rank_order"});
  refused(2, {{"beta = 4.0", "beta = -4.0"}}, "", {"action.beta"});
  refused(2, {{"directory = \"new\"", "directory = \"/proc/none/here\""}}, "", {"output.directory"});
  expect_one_error(trellis(2, {"run", "none.toml"}), 2, {"none.toml: there is no such file"});
  expect_one_error(trellis(2, {"rnu", "new.toml"}), 2, {"unknown subcommand 'rnu'"});
}

// Both the grid and the groups are named as in the file, or by the option.
TEST_F(RunGrids, WhatDoesNotFitTheJobIsNamed) {
  expect_one_error(run_on(2, "new", {}, "ranks = [1, 1, 1, 4]\n"), 2,
                   {"new.toml:", ": machine.ranks: 1x1x1x4 is a grid of 4 ranks, but this job has 2"});
  write_input("old", {});
  ASSERT_EQ(call("old").code, 0);
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"old/c.*.ildg\"]\n[measure]\nobservables = [\"polyakov\"]\n");
  expect_one_error(trellis(2, {"measure", "m.toml", "--ranks", "1x1x1x4"}), 2,
                   {"--ranks: 1x1x1x4 is a grid of 4 ranks, but this job has 2"});
}

TEST_F(RunGrids, NothingIsSaidOfChainsThatCannotBe) {
  write_input("new", {{"[chain]", "[ensemble]\nchains = 2\n[chain]"}});
  const auto outcome = trellis(3, {"run", "new.toml"});
  expect_one_error(outcome, 2, {"lattice 4x4x4x4 does not divide over 3 ranks"});
  EXPECT_EQ(outcome.out.find("Chain 0"), std::string::npos) << outcome.out;
}

TEST_F(RunGrids, TheWatchdogSaysWhatIsSafe) {
  const Changes slow{{"steps = 5", "steps = 20"}, {"trajectories = 12", "trajectories = 400"}};
  write_input("parts", slow);
  ::setenv("TRELLIS_WATCHDOG", "3", 1);
  const auto outcome = disturb(2, 1, SIGSTOP, "parts");
  ::setenv("TRELLIS_WATCHDOG", "100", 1);
  expect_one_error(outcome, 1,
                   {"in 3 s", "Nothing up to trajectory ", "is lost: that is the last checkpoint, parts/c.checkpoint",
                    "the same command continues from there: "});
  const auto log = text("parts/c.log");
  EXPECT_NE(log.substr(log.rfind(" error: ")).find("TRELLIS_WATCHDOG"), std::string::npos) << log;
}

TEST_F(RunGrids, ADiskThatIsFullIsOneMessage) {
  const Changes slow{{"steps = 5", "steps = 20"}};
  ASSERT_EQ(run("whole", slow).code, 0);
  write_input("parts", slow);
  test::Process process(on(2, {TRELLIS_PROGRAM, "run", "parts.toml"}), here());
  while (rows("parts") == 0) std::this_thread::sleep_for(milliseconds(5));
  const rlimit limit{100000, 100000};
  for (const auto id : ranks_of(process)) ASSERT_EQ(::prlimit(id, RLIMIT_FSIZE, &limit, nullptr), 0);
  expect_one_error(process.wait(), 1, {"parts/c.", "File too large"});
  ASSERT_EQ(run_on(4, "parts", slow).code, 0);
  expect_same_folders("whole", "parts");
}

TEST_F(RunGrids, InputsThatDifferBetweenRanksAreAnError) {
  for (const char* folder : {"a", "b", "c"}) std::filesystem::create_directory(at(folder));
  io::test::write_all(at("a/i.toml"), input("x"));
  io::test::write_all(at("b/i.toml"), input("x", {{"seed = 7", "seed = 8"}}));
  const auto in = [&](const char* first, const char* second) {
    auto words = on(1, {"--wdir", at(first), TRELLIS_PROGRAM, "run", "i.toml"});
    words.insert(words.end(), {":", "-n", "1", "--wdir", at(second), TRELLIS_PROGRAM, "run", "i.toml"});
    return test::Process(words, here()).wait();
  };
  expect_one_error(in("a", "b"), 2, {"i.toml is not the same on all ranks", "'7'", "'8'"});
  expect_one_error(in("a", "c"), 2, {"rank 1: ", "i.toml: there is no such file"});
  expect_one_error(in("c", "a"), 2, {"rank 0: ", "i.toml: there is no such file"});
  EXPECT_FALSE(exists("a/x"));
}

TEST_F(RunGrids, FoldersThatDifferBetweenRanksAreAnError) {
  for (const char* folder : {"a", "b"}) {
    std::filesystem::create_directory(at(folder));
    io::test::write_all(at(folder) / "i.toml", input("x"));
  }
  const auto in_both = [&](const std::vector<std::string>& command) {
    std::vector<std::string> words = on(1, {"--wdir", at("a")});
    words.insert(words.end(), command.begin(), command.end());
    words.insert(words.end(), {":", "-n", "1", "--wdir", at("b")});
    words.insert(words.end(), command.begin(), command.end());
    return test::Process(words, here()).wait();
  };
  const std::vector<std::string> parts{"output.directory: x: rank 1 on ", "another folder than rank 0",
                                       "the folder must be the same on all machines"};
  expect_one_error(in_both({TRELLIS_PROGRAM, "run", "i.toml"}), 2, parts);
  expect_one_error(in_both({TRELLIS_PROGRAM, "run", "--check", "i.toml"}), 2, parts);
  EXPECT_FALSE(exists("a/x"));
  std::filesystem::create_directory(at("b/x"));
  expect_one_error(in_both({TRELLIS_PROGRAM, "run", "i.toml"}), 2, {"(it exists there, x does not exist here)"});
}

TEST_F(RunGrids, GoBackTogetherToThePreviousCheckpoint) {
  ASSERT_EQ(run_on(2, "whole").code, 0);
  ASSERT_EQ(run_on(2, "a", {{"trajectories = 12", "trajectories = 5"}}).code, 0);
  auto damaged = text("a/c.checkpoint");
  damaged[damaged.size() / 2] ^= 1;
  io::test::write_all(at("a/c.checkpoint"), damaged);
  const auto outcome = run_on(4, "a");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count(outcome.out, "Going back to trajectory 4 (a/c.previous.checkpoint)"), 1) << outcome.out;
  expect_same_results("whole", "a");
}

TEST_F(RunGrids, DamagedCheckpointsAreOneMessage) {
  ASSERT_EQ(run_on(2, "a", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  const auto good = text("a/c.checkpoint");
  std::filesystem::remove(at("a/c.previous.checkpoint"));
  const auto with = [&](const std::string& bytes, int code, const std::vector<std::string>& parts) {
    io::test::write_all(at("a/c.checkpoint"), bytes);
    expect_one_error(run_on(4, "a"), code, parts);
  };
  auto flipped = good;
  flipped[flipped.size() / 2] ^= 1;
  with(flipped, 1, {"a/c.checkpoint", "checksum"});
  with(good.substr(0, 100000), 1, {"a/c.checkpoint", "truncated"});
  flipped = good;
  flipped[flipped.find("completed = ") + 12] ^= 1;
  with(flipped, 1, {"a/c.checkpoint: LIME records", "damaged"});
  // The state of another trajectory with these links.
  ASSERT_EQ(run("b", {{"trajectories = 12", "trajectories = 6"}, {"directory = \"b\"", "directory = \"b\""}}).code, 0);
  const auto other = text("b/c.checkpoint");
  const auto state = [](const std::string& bytes) { return bytes.find("trellis-input") - 16; };
  with(good.substr(0, state(good)) + other.substr(state(other)), 1, {"of other links"});
  expect_one_error(run_on(4, "a", {{"beta = 4.0", "beta = 4.1"}}), 1, {"of other links"});
  io::test::write_all(at("a/c.checkpoint"), good);
  expect_one_error(run_on(4, "a", {{"beta = 4.0", "beta = 4.1"}}), 2, {"action.beta = 4.0", "now says 4.1"});
}

// The lines of a text, without anything that time could change.
std::string without_seconds(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("ranks") != std::string::npos || line.find("thread, ") != std::string::npos) continue;
    if (line.ends_with(" s")) line.resize(line.find_last_not_of("0123456789. ", line.size() - 2) + 1);
    if (const auto at = line.find(" passed, in "); at != std::string::npos) line.resize(at);
    kept += line + "\n";
  }
  return kept;
}

TEST_F(RunGrids, MeasurementsAreTheSameOnAnyGrid) {
  const std::string data = TRELLIS_TEST_DATA;
  const auto measure = [&](int ranks, const std::string& name, const std::string& machine) {
    io::test::write_all(at(name + ".toml"), fmt::format(R"([configurations]
files = ["{0}/milc/lat.sample.l4444", "{0}/milc/lat.sample.l4444.ildg"]
[measure]
observables = ["polyakov", "topological_charge", "energy", "parallelogram"]
[measure.flow]
time_max = 0.2
step = 0.05
[measure.stout]
steps = 4
interval = 2
[[flavours]]
name = "l"
mass = 0.2
[measure.quarks]
noise_vectors = 2
[measure.hadrons]
kappas = [0.11]
momenta = [[0, 0, 0], [0, 0, 1]]
[measure.staggered_hadrons]
channels = ["pion", "rho_axial", "nucleon"]
[output]
directory = "{1}"
name = "c"
[machine]
{2}
)",
                                                        data, name, machine));
    const auto outcome = trellis(ranks, {"measure", name + ".toml"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    return outcome.out;
  };
  measure(1, "whole", "");
  measure(2, "two", "ranks = [1, 1, 1, 2]");
  measure(4, "four", "");
  expect_same_folders("whole", "two");
  expect_same_folders("whole", "four");
  // Again: all have been measured.
  EXPECT_NE(measure(4, "two", "").find("2 of them are already in two/c.csv"), std::string::npos);
  expect_one_error(trellis(2, {"measure", "whole.toml", "--ranks", "1x1x1x3"}), 2, {"this job has 2"});
}

TEST_F(RunGrids, InspectAndConvertAreTheSame) {
  const std::string file = TRELLIS_TEST_DATA "/milc/lat.sample.l4444";
  const auto one = trellis(1, {"inspect", file, "/none"}), four = trellis(4, {"inspect", file, "/none"});
  EXPECT_EQ(one.code, 2);
  EXPECT_EQ(four.code, 2);
  EXPECT_EQ(one.out, four.out);
  EXPECT_EQ(count(four.err, "trellis: error: "), 1) << four.err;
  ASSERT_EQ(trellis(1, {"convert", file, "one.ildg"}).code, 0);
  ASSERT_EQ(trellis(4, {"convert", file, "four.ildg"}).code, 0);
  EXPECT_TRUE(text("one.ildg") == text("four.ildg"));
  expect_one_error(trellis(4, {"convert", "/none", "four.ildg"}), 2, {"/none"});
  const auto help = trellis(4, {"run", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(count(help.out, "Example: trellis run"), 1) << help.out;
  const auto info = trellis(4, {"info"});
  EXPECT_EQ(info.code, 0);
  EXPECT_EQ(count(info.out, "ranks "), 1) << info.out;
  EXPECT_EQ(count(info.out, "transport  MPI\n"), 1) << info.out;
}

// Quarks whose hops have three steps need ghosts that are as deep, in a check before a run too.
TEST_F(RunGrids, ThreeStepsAreCheckedAndVerified) {
  const Changes naik{{"[4, 4, 4, 4]", "[4, 4, 4, 8]"},
                     {"[measure]", "[smearing]\nkind = \"naik\"\n[[flavours]]\nname = \"l\"\nmass = 0.5\n[measure]"}};
  io::test::write_all(at("i.toml"), input("i", naik));
  const auto checked = trellis(2, {"run", "--check", "i.toml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  const auto verified = trellis(2, {"verify", "i.toml", "--ranks", "1x1x1x2"});
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
}

TEST_F(RunGrids, NightlyVerifySaysTheSame) {
  io::test::write_all(at("i.toml"), input("i", quarks()));
  const auto one = trellis(1, {"verify", "i.toml"}), four = trellis(4, {"verify", "i.toml", "--ranks", "1x1x2x2"});
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_EQ(four.code, 0) << four.out << four.err;
  // Other lane counts may fit a rank's part, or none may.
  const auto comparable = [](const std::string& text) {
    std::string kept;
    std::istringstream lines(without_seconds(text));
    for (std::string line; std::getline(lines, line);)
      if (line.find("SIMD lanes") == std::string::npos && !(line.starts_with("All ") && line.ends_with(" checks")))
        kept += line + "\n";
    return kept;
  };
  EXPECT_EQ(comparable(one.out), comparable(four.out));
}

}  // namespace
}  // namespace trellis::app
