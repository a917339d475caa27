// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For tests of `trellis run` and `trellis measure`: a folder with inputs and results, and the program.

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/program.hpp"

namespace trellis::test {

class RunTest : public ::testing::Test {
 protected:
  // Replaces each `from` by its `to` in the text, which must contain it.
  using Changes = std::vector<std::pair<std::string, std::string>>;
  static std::string changed(std::string text, const Changes& changes) {
    for (const auto& [from, to] : changes) {
      const auto at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      if (at != std::string::npos) text.replace(at, from.size(), to);
    }
    return text;
  }

  // A short chain on 4^4 that uses everything: <name>.toml, results in the folder <name>.
  static std::string input(const std::string& name, const Changes& changes = {}) {
    return changed(R"([lattice]
size = [4, 4, 4, 4]
[action]
name = "symanzik"
beta = 4.0
[start]
kind = "hot"
[algorithm]
steps = 5
reversibility_every = 4
[chain]
trajectories = 12
thermalisation = 3
seed = 7
checkpoint_every = 2
save_every = 6
[measure]
every = 2
observables = ["topological_charge", "energy"]
[measure.flow]
every = 4
time_max = 0.2
step = 0.05
[output]
directory = ")" + name +
                       R"("
name = "c"
[machine]
threads = 1
lanes = 1
)",
                   changes);
  }

  std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  std::string text(const std::string& name) const { return io::test::read_all(at(name)); }
  bool exists(const std::string& name) const { return std::filesystem::exists(at(name)); }

  std::vector<std::string> command(const std::string& name, const std::string& subcommand = "run") const {
    return {TRELLIS_PROGRAM, subcommand, name + ".toml"};
  }
  test::ProcessOptions here() const { return {.folder = folder_.path(), .largest_file = {}}; }

  test::Outcome call(const std::string& name, const std::string& subcommand = "run") const {
    return test::Process(command(name, subcommand), here()).wait();
  }
  test::Outcome run(const std::string& name, const Changes& changes = {}) const {
    io::test::write_all(at(name + ".toml"), input(name, changes));
    return call(name);
  }

  // Kills the run `name` this many times, each time after a random part of its duration, and lets it continue; a
  // finished run starts again. Returns how many kills hit it alive.
  int kill_at_random(const std::string& name, const Changes& changes, int times) const {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(run("timed", changes).code, 0);
    const auto length = std::chrono::steady_clock::now() - start;
    io::test::write_all(at(name + ".toml"), input(name, changes));
    std::mt19937 engine(20240917);
    std::uniform_real_distribution<double> part(0, 0.6);
    int kills = 0;
    for (int i = 0; i < times; ++i) {
      test::Process process(command(name), here());
      std::this_thread::sleep_for(part(engine) * length);
      process.signal(SIGKILL);
      const auto outcome = process.wait();
      EXPECT_TRUE(outcome.code == -SIGKILL || outcome.code == 0) << outcome.code << outcome.err;
      kills += outcome.code != 0 ? 1 : 0;
      if (outcome.code == 0) std::filesystem::remove_all(at(name));
    }
    return kills;
  }

  // The table without its last columns, seconds, which are the only ones that may differ.
  std::string table(const std::string& name) const {
    std::string kept;
    const auto all = text(name + "/c.csv"), header = all.substr(0, all.find('\n'));
    const auto columns = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    const auto dropped = columns(header) - columns(header.substr(0, header.find(",seconds")));
    for (std::size_t begin = 0, end; (end = all.find('\n', begin)) != std::string::npos; begin = end + 1) {
      auto line = all.substr(begin, end - begin);
      for (auto n = dropped; n > 0; --n) line.resize(line.rfind(','));
      kept += line + "\n";
    }
    return kept;
  }

  // Two folders hold the same results, bit for bit.
  void expect_same_results(const std::string& a, const std::string& b,
                           std::vector<std::string> files = {"c.000006.ildg", "c.000012.ildg", "c.checkpoint",
                                                             "c.flow.h5"}) const {
    EXPECT_EQ(table(a), table(b));
    for (const auto& file : files) {
      ASSERT_TRUE(exists(a + "/" + file) && exists(b + "/" + file)) << file;
      EXPECT_TRUE(text(a + "/" + file) == text(b + "/" + file)) << a << " and " << b << " differ in " << file;
    }
    for (const auto& entry : std::filesystem::directory_iterator(at(b)))
      EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }

  // Names and bytes of all files except the log.
  std::vector<std::pair<std::string, std::string>> everything(const std::string& name) const {
    std::vector<std::pair<std::string, std::string>> all;
    if (!exists(name)) return all;
    for (const auto& entry : std::filesystem::directory_iterator(at(name)))
      if (entry.path().extension() != ".log")
        all.emplace_back(entry.path().filename(), io::test::read_all(entry.path()));
    std::sort(all.begin(), all.end());
    return all;
  }

  static void expect_error(const test::Outcome& outcome, int code, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err.rfind("trellis: error: ", 0), 0U) << outcome.err;
    for (const auto& part : parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  }

  io::test::TempFolder folder_;
};

}  // namespace trellis::test
