// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Runs with [tempering]: their files, bits, restarts and refusals.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "trellis/app/tempering/replica_ranks.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

using test::RunTest;

class TemperingRun : public RunTest {
 protected:
  static Changes tempered(Changes more = {}) {
    Changes changes{{"[chain]", "[tempering]\ncouplings = [1, 0.7, 0.4, 0]\nlength = 1\n[chain]"}};
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
  test::Outcome on_ranks(int ranks, const std::string& name, const Changes& changes) const {
    io::test::write_all(at(name + ".toml"), input(name, changes));
    auto words = test::launcher(ranks);
    words.insert(words.end(), {TRELLIS_PROGRAM, "run", name + ".toml"});
    return test::Process(words, here()).wait();
  }
  static std::vector<std::string> all_files(int last = 12) {
    std::vector<std::string> files{"c.000006.ildg", fmt::format("c.{:06}.ildg", last), "c.checkpoint", "c.flow.h5"};
    for (const int r : {1, 2, 3}) files.push_back(fmt::format("c.{:06}.replica-{}", last, r));
    return files;
  }
};

TEST_F(TemperingRun, HasTheReplicasInItsTableAndFiles) {
  const auto outcome = run("a", tempered());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("swaps"), std::string::npos) << outcome.out;
  const auto table = io::read_csv(at("a/c.csv"));
  ASSERT_EQ(table.rows(), 12U);
  double swaps = 0;
  for (std::size_t row = 0; row < 12; ++row) {
    std::vector<double> walkers;
    for (const int r : {0, 1, 2, 3}) walkers.push_back(table.column(fmt::format("walker_{}", r))[row]);
    for (const int r : {0, 1, 2}) {
      const double swapped = table.column(fmt::format("swapped_{}", r))[row];
      EXPECT_TRUE(std::isfinite(table.column(fmt::format("swap_difference_{}", r))[row]));
      swaps += swapped;
    }
    for (const int r : {1, 2, 3}) EXPECT_TRUE(std::isfinite(table.column(fmt::format("dH_replica_{}", r))[row]));
    std::sort(walkers.begin(), walkers.end());
    EXPECT_EQ(walkers, (std::vector<double>{0, 1, 2, 3}));
  }
  EXPECT_GT(swaps, 0);
  EXPECT_FALSE(table.has("swapped_3"));
  // Only what the two checkpoints need is kept.
  for (const int trajectory : {2, 4, 6, 8, 10, 12})
    for (const int r : {1, 2, 3})
      EXPECT_EQ(exists(fmt::format("a/c.{:06}.replica-{}", trajectory, r)), trajectory >= 10) << trajectory;
  EXPECT_FALSE(exists("a/c.000012.replica-0"));
  EXPECT_FALSE(exists("a/c.000012.replica-4"));
  // Each is a configuration that says what it is.
  const auto looked = test::Process({TRELLIS_PROGRAM, "inspect", "a/c.000012.replica-2"}, here()).wait();
  EXPECT_EQ(looked.code, 0) << looked.err;
  EXPECT_NE(text("a/c.000012.replica-2").find("replica = 2\ncoupling = 0.4"), std::string::npos);
  // Before work starts: two configurations, and three times the links of four replicas.
  auto input = text("a.toml");
  input.replace(input.find("directory = \"a\""), 15, "directory = \"b\"");
  io::test::write_all(at("b.toml"), input);
  const auto checked = test::Process({TRELLIS_PROGRAM, "run", "b.toml", "--check"}, here()).wait();
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("0.00206 GB of"), std::string::npos) << checked.out;
  // In the end a third of the latter, for a checkpoint that is being written.
  const auto at_end = test::Process({TRELLIS_PROGRAM, "run", "a.toml", "--check"}, here()).wait();
  const auto disk = at_end.out.find("disk ");
  ASSERT_NE(disk, std::string::npos) << at_end.out;
  EXPECT_NEAR(std::stod(at_end.out.substr(at_end.out.find_first_not_of(' ', disk + 5))), 0.00059, 0.00005);
  for (const char* subcommand : {"analyse", "report"}) {
    const auto read = test::Process({TRELLIS_PROGRAM, subcommand, "a"}, here()).wait();
    EXPECT_EQ(read.code, 0) << read.err;
  }
}

TEST_F(TemperingRun, ThreadsLanesAndPiecesGiveTheSameBits) {
  ASSERT_EQ(run("whole", tempered()).code, 0);
  const auto& lanes = compiled_lane_counts();
  int n = 0;
  for (const int trajectories : {3, 4, 9, 12}) {
    const auto outcome =
        run("parts",
            tempered({{"trajectories = 12", fmt::format("trajectories = {}", trajectories)},
                      {"threads = 1", fmt::format("threads = {}", 1 + n % 2)},
                      {"lanes = 1", fmt::format("lanes = {}", lanes[static_cast<std::size_t>(n) % lanes.size()])}}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    ++n;
  }
  expect_same_results("whole", "parts", all_files());
}

TEST_F(TemperingRun, HeatbathAndQuarks) {
  const Changes heatbath{{"steps = 5", "kind = \"heatbath\""}, {"reversibility_every = 4", ""}};
  const Changes quarks{{"[start]",
                        "[[flavours]]\nname = \"l\"\nmass = 0.3\ntastes = 2\n[[flavours]]\nname = "
                        "\"s\"\nmass = 0.6\n[smearing]\nrho = 0.1\nlevels = 1\n[start]"},
                       {"reversibility_every = 4", "trajectory_length = 0.3"},
                       {"kind = \"hot\"", "kind = \"cold\""}};
  const auto until = [](Changes kind, int trajectories) {
    kind.emplace_back("trajectories = 12", fmt::format("trajectories = {}", trajectories));
    return tempered(kind);
  };
  for (const auto& kind : {heatbath, quarks}) {
    const auto first = run("whole", until(kind, 6));
    ASSERT_EQ(first.code, 0) << first.err;
    ASSERT_EQ(run("parts", until(kind, 3)).code, 0);
    ASSERT_EQ(run("parts", until(kind, 6)).code, 0);
    expect_same_results("whole", "parts", all_files(6));
    std::filesystem::remove_all(at("whole"));
    std::filesystem::remove_all(at("parts"));
  }
}

TEST_F(TemperingRun, KilledAtAnyMoment) {
  ASSERT_EQ(run("whole", tempered()).code, 0);
  EXPECT_GT(kill_at_random("killed", tempered(), 20), 4);
  const auto last = call("killed");
  EXPECT_EQ(last.code, 0) << last.err;
  expect_same_results("whole", "killed", all_files());
}

// Replicas one after the other on all ranks, or side by side on groups of them.
TEST_F(TemperingRun, RanksGiveTheSameBits) {
  if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
  ASSERT_EQ(run("whole", tempered()).code, 0);
  for (const auto& [ranks, groups] : {std::pair{2, 1}, {2, 0}, {4, 2}, {4, 4}}) {
    const auto name = fmt::format("ranks{}in{}", ranks, groups);
    const auto outcome =
        on_ranks(ranks, name, tempered({{"threads = 1", fmt::format("threads = 1\nreplica_groups = {}", groups)}}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(text(name + "/c.log").find("4 replicas in") != std::string::npos, groups != 1) << name;
    expect_same_results("whole", name, all_files());
  }
}

// Each piece on other ranks, with boxes.
TEST_F(TemperingRun, ContinuesOnOtherGroups) {
  if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
  const auto with_boxes = [&](int trajectories) {
    auto changes = tempered({{"steps = 5", "kind = \"heatbath\""},
                             {"reversibility_every = 4", ""},
                             {"length = 1", "length = 1\nbox_margins = [2, 1]\nbox_sweeps = [1, 2]"}});
    changes.emplace_back("trajectories = 12", fmt::format("trajectories = {}", trajectories));
    return changes;
  };
  ASSERT_EQ(run("whole", with_boxes(12)).code, 0);
  ASSERT_EQ(on_ranks(2, "parts", with_boxes(3)).code, 0);
  ASSERT_EQ(run("parts", with_boxes(6)).code, 0);
  ASSERT_EQ(on_ranks(4, "parts", with_boxes(8)).code, 0);
  const auto last = on_ranks(2, "parts", with_boxes(12));
  EXPECT_EQ(last.code, 0) << last.err;
  expect_same_results("whole", "parts", all_files());
}

TEST_F(TemperingRun, GroupsMustDivideRanksAndReplicas) {
  EXPECT_EQ(replica_groups_of(0, 1, 20), 1);
  EXPECT_EQ(replica_groups_of(0, 8, 20), 4);
  EXPECT_EQ(replica_groups_of(2, 8, 20), 2);
  for (const auto& [wanted, ranks, replicas, text] :
       {std::tuple{3, 8, 9, "8 ranks"}, {8, 8, 20, "20 replicas"}, {2, 1, 20, "1 rank "}})
    try {
      replica_groups_of(wanted, ranks, replicas);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("possible: 1"), std::string::npos) << error.what();
    }
}

TEST_F(TemperingRun, BoxesInPieces) {
  const Changes boxes{{"length = 1", "length = 1\nbox_margins = [1]\nbox_sweeps = [3]\nbox_overrelaxation_steps = 1"}};
  auto half = boxes;
  half.emplace_back("trajectories = 12", "trajectories = 7");
  ASSERT_EQ(run("whole", tempered(boxes)).code, 0);
  ASSERT_EQ(run("parts", tempered(half)).code, 0);
  ASSERT_EQ(run("parts", tempered(boxes)).code, 0);
  expect_same_results("whole", "parts", all_files());
}

TEST_F(TemperingRun, GoesBackIfAReplicaIsDamagedOrMissing) {
  ASSERT_EQ(run("whole", tempered()).code, 0);
  const Changes shorter = tempered({{"trajectories = 12", "trajectories = 8"}});
  for (const bool missing : {true, false}) {
    ASSERT_EQ(run("parts", shorter).code, 0);
    const auto file = at("parts/c.000008.replica-2");
    if (missing) {
      std::filesystem::remove(file);
    } else {
      auto bytes = io::test::read_all(file);
      bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 4);
      io::test::write_all(file, bytes);
    }
    const auto outcome = run("parts", tempered());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Going back to trajectory 6"), std::string::npos) << outcome.out;
    expect_same_results("whole", "parts", all_files());
    std::filesystem::remove_all(at("parts"));
  }
  // Of another state: the checkpoint does not take it.
  ASSERT_EQ(run("parts", shorter).code, 0);
  std::filesystem::copy_file(at("parts/c.000006.replica-1"), at("parts/c.000008.replica-1"),
                             std::filesystem::copy_options::overwrite_existing);
  const auto outcome = run("parts", tempered());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("is not the file that the checkpoint was written with"), std::string::npos) << outcome.out;
  expect_same_results("whole", "parts", all_files());
}

TEST_F(TemperingRun, RepairAndReproduceKnowReplicas) {
  ASSERT_EQ(run("whole", tempered()).code, 0);
  ASSERT_EQ(run("a", tempered()).code, 0);
  std::filesystem::remove(at("a/c.000012.replica-1"));
  std::filesystem::remove(at("a/c.previous.checkpoint"));
  expect_error(call("a"), 1, {"c.000012.replica-1", "repair"});
  const auto repaired = test::Process({TRELLIS_PROGRAM, "repair", "a"}, here()).wait();
  ASSERT_EQ(repaired.code, 0) << repaired.err;
  EXPECT_NE(repaired.out.find("starts from the beginning"), std::string::npos) << repaired.out;
  ASSERT_EQ(call("a").code, 0);
  expect_same_results("whole", "a", all_files());

  const auto again = test::Process({TRELLIS_PROGRAM, "reproduce", "whole/c.000012.ildg"}, here()).wait();
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  const auto from =
      test::Process({TRELLIS_PROGRAM, "reproduce", "whole/c.000012.ildg", "--from", "whole/c.000006.ildg"}, here())
          .wait();
  expect_error(from, 2, {"--from", "tempering"});
  const auto plan =
      test::Process({TRELLIS_PROGRAM, "plan", "whole.toml", "--machine", TRELLIS_EXAMPLES "/machines/h200.toml"},
                    here())
          .wait();
  expect_error(plan, 2, {"[tempering]"});
}

// Links that feel the defect are no members of the run's ensemble.
TEST_F(TemperingRun, ReplicasWithADefectAreTold) {
  ASSERT_EQ(run("a", tempered()).code, 0);
  const auto program = [&](std::vector<std::string> words) {
    words.insert(words.begin(), TRELLIS_PROGRAM);
    return test::Process(words, here()).wait();
  };
  const std::string replica = "a/c.000012.replica-1", told = "is replica 1 of parallel tempering, with coupling 0.7";
  io::test::write_all(at("p.toml"), program({"metadata", "--template"}).out);
  ASSERT_EQ(program({"metadata", "a/c.000012.ildg", "--publication", "p.toml", "--folder", "good"}).code, 0);
  expect_error(program({"metadata", replica, "--publication", "p.toml", "--folder", "q"}), 2,
               {told, "periodic replica"});
  EXPECT_FALSE(exists("q"));
  const auto converted = program({"convert", replica, "c.ildg", "--precision", "single"});
  EXPECT_EQ(converted.code, 0);
  EXPECT_NE(converted.err.find(told), std::string::npos) << converted.err;
  expect_error(program({"metadata", "c.ildg", "--publication", "p.toml", "--folder", "q"}), 2, {told});
  for (const auto& [file, is_told] : {std::pair{replica, true}, {"a/c.000012.ildg", false}}) {
    io::test::write_all(at("m.toml"), "[configurations]\nfiles = [\"" + file +
                                          "\"]\n[measure]\nobservables = [\"plaquette\"]\n[output]\nname = \"" +
                                          (is_told ? "r" : "c") + "\"\n");
    const auto measured = program({"measure", "m.toml"});
    EXPECT_EQ(measured.code, 0) << measured.err;
    EXPECT_EQ(measured.err.find(told) != std::string::npos, is_told) << measured.err;
  }
  const auto inspected = program({"inspect", replica});
  EXPECT_NE(inspected.out.find("made by      tempering.couplings = [1"), std::string::npos) << inspected.out;
}

TEST_F(TemperingRun, RefusesWhatItCannotDo) {
  const auto refused = [&](const std::string& section, const Changes& more, const std::vector<std::string>& parts) {
    Changes changes{{"[chain]", "[tempering]\n" + section + "\n[chain]"}};
    changes.insert(changes.end(), more.begin(), more.end());
    const auto outcome = run("bad", changes);
    expect_error(outcome, 2, parts);
    EXPECT_FALSE(exists("bad"));
  };
  refused("length = 2", {}, {"tempering.replicas"});
  refused("replicas = 4", {}, {"tempering.length"});
  refused("replicas = 1\nlength = 2", {}, {"tempering.replicas", "from 2"});
  refused("replicas = 4\nlength = 5", {}, {"tempering.length", "extent 4"});
  refused("replicas = 4\nlength = 0", {}, {"tempering.length"});
  refused("replicas = 4\nlength = 2\ncouplings = [1, 0]", {}, {"tempering.replicas", "couplings"});
  refused("couplings = [1]\nlength = 2", {}, {"tempering.couplings"});
  refused("couplings = [0.9, 0]\nlength = 2", {}, {"tempering.couplings", "expected 1"});
  refused("couplings = [1, 0.5, 0.5]\nlength = 2", {}, {"tempering.couplings", "below"});
  refused("couplings = [1, -0.5]\nlength = 2", {}, {"tempering.couplings"});
  refused("replicas = 4\nlength = 2\ndirection = \"u\"", {}, {"tempering.direction"});
  refused("replicas = 4\nlength = 2\nwidth = 3", {}, {"width"});
  refused("replicas = 4\nlength = 2\nbox_margin = [1]", {}, {"box_margin", "box_margins"});
  refused("replicas = 4\nlength = 2\nbox_sweeps = [1]", {}, {"tempering.box_sweeps", "without box_margins"});
  refused("replicas = 4\nlength = 2\nbox_margins = [1, 2]", {}, {"tempering.box_margins", "2 follows 1"});
  refused("replicas = 4\nlength = 2\nbox_margins = []", {}, {"tempering.box_margins", "empty"});
  refused("replicas = 4\nlength = 2\nbox_margins = [0]", {}, {"tempering.box_margins", "from 1"});
  refused("replicas = 4\nlength = 2\nbox_margins = [2, 1]\nbox_sweeps = [3]", {}, {"tempering.box_sweeps", "2"});
  refused("replicas = 4\nlength = 2\nbox_margins = [1]",
          {{"[start]", "[[flavours]]\nname = \"l\"\nmass = 0.3\ntastes = 4\n[start]"}}, {"box_margins", "flavours"});
  refused("replicas = 4\nlength = 2", {{"threads = 1", "threads = 1\nreplica_groups = 2"}},
          {".toml:", ": machine.replica_groups", "1 rank "});
  expect_error(run("bad", {{"threads = 1", "threads = 1\nreplica_groups = 1"}}), 2,
               {"machine.replica_groups", "tempering"});
  refused("replicas = 4\nlength = 2", {{"steps = 5", "steps = 5\ncertify = 0.1"}}, {"certify"});
  refused("replicas = 4\nlength = 2", {{"steps = 5", "steps = 5\nprecision = \"single\""}}, {"precision"});
  refused("replicas = 4\nlength = 2", {{"[action]", "boundary = \"open\"\n[action]"}}, {"lattice.boundary"});
  refused("replicas = 4\nlength = 2\n[topological_potential]\nform = \"quadratic\"\nstrength = 1", {},
          {"topological_potential"});
  // A folder keeps its tempering.
  ASSERT_EQ(run("a", tempered()).code, 0);
  expect_error(run("a", {}), 2, {"tempering"});
}

}  // namespace
}  // namespace trellis::app
