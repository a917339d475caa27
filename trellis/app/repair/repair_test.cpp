// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Damage or loss in a run's folder is found when the run continues, and there is always a way forward.
#include <chrono>
#include <thread>

#include "tests/support/run_test.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class Repair : public test::RunTest {
 protected:
  // A run with all kinds of results, up to its seventh trajectory; "whole" has all twelve.
  void SetUp() override {
    ASSERT_EQ(run("whole", all_).code, 0);
    auto part = all_;
    part.emplace_back("trajectories = 12", "trajectories = 7");
    ASSERT_EQ(run("part", part).code, 0);
  }

  // The folder "a" as it was left, from "part".
  void put_back() const {
    std::filesystem::remove_all(at("a"));
    std::filesystem::copy(at("part"), at("a"));
  }
  void flip(const std::string& file, double where) const {
    auto bytes = text(file);
    bytes[static_cast<std::size_t>(where * double(bytes.size()))] ^= 4;
    io::test::write_all(at(file), bytes);
  }
  // Flips a bit of a number in the flow file.
  void flip_flow(const std::string& file) const {
    auto bytes = text(file);
    const double energy = io::Hdf5File::open(at(file)).read<double>("flow/energy")[1];
    const auto place = bytes.find(std::string(reinterpret_cast<const char*>(&energy), sizeof energy));
    ASSERT_NE(place, std::string::npos);
    bytes[place + 2] ^= 1;
    io::test::write_all(at(file), bytes);
  }
  void expect_whole() const {
    expect_same_results("whole", "a");
    for (const auto* file : {"c-cooling.csv", "c-stout.csv"})
      EXPECT_EQ(text(fmt::format("whole/{}", file)), text(fmt::format("a/{}", file)));
  }
  test::Outcome repair(const std::vector<std::string>& words = {"a"}) const {
    std::vector<std::string> command{TRELLIS_PROGRAM, "repair"};
    command.insert(command.end(), words.begin(), words.end());
    return test::Process(command, here()).wait();
  }

  Changes all_{{"save_every = 6", "save_every = 3"},
               {"[output]", "[measure.cooling]\n[measure.stout]\nevery = 4\n[output]"}};
};

TEST_F(Repair, TheLastCheckpointIsNotNeeded) {
  for (const bool removed : {true, false}) {
    put_back();
    removed ? static_cast<void>(std::filesystem::remove(at("a/c.checkpoint"))) : flip("a/c.checkpoint", 0.5);
    const auto outcome = run("a", all_);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Going back to trajectory 6 (a/c.previous.checkpoint), because: a/c.checkpoint: "),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(text("a/c.log").find("Going back to trajectory 6"), std::string::npos);
    EXPECT_EQ(exists("a/c.unused.checkpoint"), !removed);
    expect_whole();
  }
}

TEST_F(Repair, RowsThatBelongToTheLastCheckpointAreDoneAgain) {
  put_back();
  auto rows = text("a/c.csv");
  rows.resize(rows.rfind('\n', rows.size() - 2) + 1);
  io::test::write_all(at("a/c.csv"), rows);
  const auto outcome = run("a", all_);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("a/c.csv: has 6 rows, but had 7"), std::string::npos) << outcome.out;
  expect_whole();
}

// Each file damaged in each way: the run refuses and names the command that helps; afterwards it is as if nothing had
// happened.
TEST_F(Repair, EveryLossIsFoundAndMended) {
  const std::vector<std::string> files{"c.csv", "c-cooling.csv", "c-stout.csv", "c.flow.h5"};
  for (const auto& file : files)
    for (const auto* how : {"removed", "flipped", "cut"}) {
      put_back();
      const auto path = "a/" + file;
      const auto bytes = text(path);
      if (how == std::string("removed")) std::filesystem::remove(at(path));
      if (how == std::string("flipped")) file == "c.flow.h5" ? flip_flow(path) : flip(path, 0.4);
      if (how == std::string("cut")) io::test::write_all(at(path), bytes.substr(0, bytes.size() / 2));
      auto outcome = run("a", all_);
      SCOPED_TRACE(path + " " + how);
      expect_error(outcome, 1, {path, "Nothing was changed", "repair a"});
      const auto before = everything("a");
      const auto looked = repair({"a", "--dry-run"});
      EXPECT_EQ(looked.code, 0) << looked.err;
      EXPECT_EQ(everything("a"), before);
      const auto repaired = repair();
      ASSERT_EQ(repaired.code, 0) << repaired.err;
      EXPECT_NE(repaired.out.find("with the same bits"), std::string::npos) << repaired.out;
      EXPECT_EQ(text("a/set-aside-1/c.checkpoint"), text("part/c.checkpoint"));
      outcome = run("a", all_);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      expect_whole();
    }
}

TEST_F(Repair, WithoutCheckpointsFromTheLastConfiguration) {
  put_back();
  std::filesystem::remove(at("a/c.checkpoint"));
  std::filesystem::remove(at("a/c.previous.checkpoint"));
  expect_error(run("a", all_), 2, {"no checkpoint", "trellis repair a"});
  const auto repaired = repair();
  EXPECT_EQ(repaired.code, 0) << repaired.err;
  EXPECT_NE(repaired.out.find("The run continues after trajectory 6, from c.000006.ildg."), std::string::npos);
  const auto outcome = run("a", all_);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_whole();
}

TEST_F(Repair, AcceptedLoss) {
  put_back();
  std::filesystem::remove(at("a/c-cooling.csv"));
  ASSERT_EQ(repair({"a", "--accept-loss"}).code, 0);
  const auto outcome = run("a", all_);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Continuing after trajectory 7 of 12"), std::string::npos) << outcome.out;
  EXPECT_EQ(text("a/c.000012.ildg"), text("whole/c.000012.ildg"));
  EXPECT_EQ(io::read_csv(at("a/c-cooling.csv")).column("trajectory").front(), 8);
}

TEST_F(Repair, WhatIsWholeIsLeftAlone) {
  put_back();
  const auto before = everything("a");
  const auto outcome = repair();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Everything is intact: `trellis run` continues after trajectory 7."), std::string::npos);
  EXPECT_EQ(everything("a"), before);
  expect_error(repair({"none"}), 2, {"none: is not a folder"});
  std::filesystem::create_directory(at("empty"));
  expect_error(repair({"empty"}), 2, {"empty: there is no NAME.resolved.toml", "--input INPUT"});
  io::test::write_all(at("a/c.resolved.toml"), "[lattice");
  expect_error(repair(), 2, {"a/c.resolved.toml", "--input INPUT"});
  io::test::write_all(at("a.toml"), input("a", all_));
  EXPECT_EQ(repair({"a", "--input", "a.toml"}).code, 0);
}

// Files that are intact in themselves, but belong to another run, are not used.
TEST_F(Repair, OtherRunsAreNotMixedIn) {
  auto other = all_;
  other.insert(other.end(), {{"seed = 7", "seed = 8"}, {"trajectories = 12", "trajectories = 7"}});
  ASSERT_EQ(run("other", other).code, 0);
  const auto run_again = [&](const char* said) {
    const auto repaired = repair();
    ASSERT_EQ(repaired.code, 0) << repaired.out << repaired.err;
    EXPECT_NE(repaired.out.find(said), std::string::npos) << repaired.out;
    ASSERT_EQ(run("a", all_).code, 0);
    expect_whole();
  };
  const auto copy = [&](const std::string& from, const std::string& to) {
    std::filesystem::copy_file(at(from), at(to), std::filesystem::copy_options::overwrite_existing);
  };
  put_back();
  copy("other/c.csv", "a/c.csv");
  expect_error(run("a", all_), 1, {"a/c.csv: its first 7 rows have changed"});
  run_again("starts from the beginning");
  // Without a checkpoint that knows the table.
  put_back();
  copy("other/c.csv", "a/c.csv");
  std::filesystem::remove(at("a/c.checkpoint"));
  std::filesystem::remove(at("a/c.previous.checkpoint"));
  run_again("c.000006.ildg: belongs to another chain than the table");
  // A configuration under another's name.
  put_back();
  copy("a/c.000003.ildg", "a/c.000006.ildg");
  std::filesystem::remove(at("a/c.checkpoint"));
  std::filesystem::remove(at("a/c.previous.checkpoint"));
  run_again("continues after trajectory 3, from c.000003.ildg");
  // The input of another run.
  put_back();
  const auto before = everything("a");
  expect_error(repair({"a", "--input", "other.toml"}), 2,
               {"chain.seed = 7, the input now says 8", "not the input of this run"});
  EXPECT_EQ(everything("a"), before);
}

TEST_F(Repair, DamagedConfigurationsAreNamed) {
  put_back();
  flip("a/c.000003.ildg", 0.5);
  const auto outcome = repair();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("Everything but the configurations is intact"), std::string::npos) << outcome.out;
}

TEST_F(Repair, ASecondOneFindsNothing) {
  put_back();
  flip("a/c.csv", 0.5);
  ASSERT_EQ(repair().code, 0);
  const auto again = repair();
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("Everything is intact"), std::string::npos) << again.out;
  EXPECT_FALSE(exists("a/set-aside-2"));
}

// After a change in how trajectories are computed, recomputed ones have different bits, and the run says so.
TEST_F(Repair, OtherBitsAreSaid) {
  auto more = all_;
  more.insert(more.end(), {{"steps = 5", "steps = 6"}, {"trajectories = 12", "trajectories = 9"}});
  put_back();
  ASSERT_EQ(run("a", more).code, 0);
  std::filesystem::remove(at("a/c-cooling.csv"));
  const auto repaired = repair({"a", "--dry-run"});
  EXPECT_NE(repaired.out.find("keys that change bits have been changed since"), std::string::npos) << repaired.out;
}

// Another chain can start from a configuration, at the same point of the random sequence.
TEST_F(Repair, AChainGoesOnFromAConfigurationAndItsNumber) {
  auto on = all_;
  on.emplace_back("kind = \"hot\"", "kind = \"file\"\nfile = \"whole/c.000006.ildg\"\ntrajectory = 6");
  const auto outcome = run("on", on);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(text("on/c.checkpoint").size() > 0, true);
  for (const auto* file : {"c.000009.ildg", "c.000012.ildg"}) {
    const auto links = [&](const std::string& name) { return io::load_links(at(name + "/" + file)).links; };
    EXPECT_EQ(links("on"), links("whole")) << file;
  }
  const auto all = io::read_csv(at("whole/c.csv")), rest = io::read_csv(at("on/c.csv"));
  ASSERT_EQ(rest.rows(), 6U);
  for (const auto* column : {"trajectory", "plaquette", "dH"})
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(rest.column(column)[i], all.column(column)[i + 6]) << column;
  auto wrong = on;
  wrong.back().second.back() = '5';
  const auto warned = run("wrong", wrong);
  EXPECT_NE(warned.err.find("says that it comes from trajectory 6"), std::string::npos) << warned.err;
  on.emplace_back("trajectories = 12", "trajectories = 6");
  expect_error(run("new", on), 2, {"chain.trajectories", "start.trajectory = 6"});
}

// Killed soon after the signal: the finished trajectories are in the checkpoint.
TEST_F(Repair, ASignalSavesTheLastStateAtOnce) {
  const Changes slow{{"checkpoint_every = 2", "checkpoint_every = 100"}, {"steps = 5", "steps = 400"}};
  io::test::write_all(at("slow.toml"), input("slow", slow));
  const auto rows = [&] { return exists("slow/c.csv") ? io::read_csv(at("slow/c.csv")).rows() : 0; };
  test::Process process(command("slow"), here());
  while (rows() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGTERM);
  const auto saved = [&] { return read_saved_chain(at("slow/c.checkpoint")).completed; };
  for (int i = 0; i < 2000 && saved() == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGKILL);
  const auto outcome = process.wait();
  EXPECT_GE(saved(), 2U) << outcome.out;

  // If the time is too short for the trajectory, the run ends by itself.
  auto words = command("slow");
  words.insert(words.end(), {"--grace", "0"});
  test::Process again(words, here());
  const auto before = rows();
  while (rows() <= before) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // into the next trajectory
  again.signal(SIGUSR1);
  const auto ended = again.wait();
  EXPECT_EQ(ended.code, 128 + SIGUSR1) << ended.err;
  EXPECT_NE(ended.out.find("which left no time for the trajectory"), std::string::npos) << ended.out;
  EXPECT_EQ(saved(), rows());
}

}  // namespace
}  // namespace trellis::app
