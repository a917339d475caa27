// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/launcher.hpp"
#include "tests/support/program.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

using nlohmann::json;

class Timelines : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
    std::ofstream(folder_ / "in.toml") << R"([lattice]
size = [4, 4, 4, 8]
[action]
name = "wilson"
beta = 5
[[flavours]]
name = "l"
mass = 0.3
tastes = 2
[algorithm]
kind = "hmc"
trajectory_length = 0.1
steps = 1
[chain]
trajectories = 1
)";
  }
  test::Outcome run(std::vector<std::string> settings, const std::string& input = "in.toml") const {
    auto command = test::launcher(2);
    settings.insert(settings.begin(), "/usr/bin/env");
    command.insert(command.end(), settings.begin(), settings.end());
    command.insert(command.end(), {TRELLIS_PROGRAM, "run", input});
    return test::Process(command, {.folder = folder_.path()}).wait();
  }
  json read(const char* file) const { return json::parse(std::ifstream(folder_ / file)); }

  io::TemporaryFolder folder_;
};

TEST_F(Timelines, AllRanksAreInOneFile) {
  const auto outcome = run({"OMP_NUM_THREADS=1", "TRELLIS_OVERLAP=1", "TRELLIS_TRACE=t.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = read("t.json");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "t.json.part"));
  std::map<int, std::set<std::string>> names;
  // Kernels that run while a message is under way, by rank.
  std::map<int, std::vector<std::pair<double, double>>> kernels, messages;
  std::map<std::pair<int, std::string>, double> sent;
  double first = 1e300, last = 0;
  for (const auto& event : all.at("traceEvents")) {
    const int rank = event.at("pid");
    const std::string phase = event.at("ph"), name = event.at("name");
    names[rank].insert(name);
    if (phase == "M") continue;
    const double time = event.at("ts");
    first = std::min(first, time);
    last = std::max(last, time);
    if (phase == "b") sent[{rank, event.at("id2").at("local")}] = time;
    if (phase == "e") messages[rank].emplace_back(sent.at({rank, event.at("id2").at("local")}), time);
    if (name == "staggered hops") kernels[rank].emplace_back(time, time + event.at("dur").get<double>());
  }
  ASSERT_EQ(names.size(), 2U);
  for (const int rank : {0, 1}) {
    EXPECT_TRUE(names[rank].contains("process_name"));
    EXPECT_TRUE(names[rank].contains("send halo"));
    EXPECT_TRUE(names[rank].contains("wait for halo"));
    EXPECT_TRUE(names[rank].contains("sum over ranks"));
    EXPECT_TRUE(names[rank].contains("halo from rank " + std::to_string(1 - rank)));
    // With TRELLIS_OVERLAP=1 inner sites are computed meanwhile.
    const auto overlaps = [&](const auto& kernel) {
      return std::ranges::any_of(messages[rank], [&](const auto& message) {
        return kernel.first >= message.first && kernel.second <= message.second;
      });
    };
    EXPECT_TRUE(std::ranges::any_of(kernels[rank], overlaps)) << rank;
  }
  EXPECT_GE(first, 0);     // of the same clock: this machine's
  EXPECT_LT(last, 600e6);  // a job of seconds
  std::size_t events = 0;
  for (const auto& event : all.at("traceEvents")) events += event.at("ph") == "M" || event.at("ph") == "e" ? 0 : 1;
  EXPECT_EQ(all.at("otherData").at("events"), events);
}

TEST_F(Timelines, EachRankHasAFileIfTheNameSaysSo) {
  const auto outcome = run({"OMP_NUM_THREADS=1", "TRELLIS_TRACE=t%p.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    files += entry.path().extension() == ".json" ? 1 : 0;
  EXPECT_EQ(files, 2);
}

TEST_F(Timelines, WhatCannotBeWrittenIsAWarning) {
  const auto outcome = run({"OMP_NUM_THREADS=1", "TRELLIS_TRACE=none/t.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("trellis: warning: TRELLIS_TRACE: "), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"OMP_NUM_THREADS=1", "TRELLIS_TRACE=t.json"}, "none.toml").code, 2);
}

TEST(TimelineClocks, DifferOnAverage) {
  EXPECT_DOUBLE_EQ(clock_difference({101, 102, 103, 109, 105}, {1, 2.5, 3, 4, 5}), 100);
}

}  // namespace
}  // namespace trellis::app
