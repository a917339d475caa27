// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/thread_choice.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/run_test.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

constexpr Coordinate kSmall{4, 4, 4, 4};

// The number of threads and OMP_NUM_THREADS belong to the process: both are restored.
class ThreadChoices : public ::testing::Test {
 protected:
  ThreadChoices() {
    if (const char* value = std::getenv("OMP_NUM_THREADS")) variable_ = value;
    ::unsetenv("OMP_NUM_THREADS");
    set_thread_count(2);
    there_are_ = concurrency();  // Serial has one
  }
  ~ThreadChoices() override {
    set_thread_count(threads_);
    variable_ ? ::setenv("OMP_NUM_THREADS", variable_->c_str(), 1) : ::unsetenv("OMP_NUM_THREADS");
  }
  ThreadChoice choice(const Coordinate& size = kSmall, std::int64_t threads = 0) const {
    MachineInput machine;
    machine.threads = threads;
    return {comm::ProcessGrid(), size, 1, true, machine};
  }

  int there_are_ = 0;

 private:
  int threads_ = concurrency();
  std::optional<std::string> variable_;
};

TEST_F(ThreadChoices, OneOfThoseThatThereAre) {
  const auto chosen = choice();
  EXPECT_GE(concurrency(), 1);
  EXPECT_LE(concurrency(), there_are_);
  EXPECT_EQ(chosen.is_fewer(), concurrency() < there_are_);
  EXPECT_EQ(chosen.text().find(fmt::format("Using {} of {} threads", concurrency(), there_are_)), 0U) << chosen.text();
}

TEST_F(ThreadChoices, WhatTheUserSaysIsObeyed) {
  const auto obeyed = [&](ThreadChoice chosen) {
    EXPECT_EQ(concurrency(), there_are_);
    EXPECT_FALSE(chosen.is_fewer());
    EXPECT_FALSE(chosen.again(0.9));
  };
  obeyed(choice(kSmall, 2));
  ::setenv("OMP_NUM_THREADS", "2", 1);
  obeyed(choice());
}

TEST_F(ThreadChoices, LargeLatticesTakeAll) {
  const auto chosen = choice({16, 16, 16, 16});
  EXPECT_EQ(concurrency(), there_are_);
  EXPECT_FALSE(chosen.is_fewer());
}

TEST_F(ThreadChoices, NotTriedAgainAtOnce) {
  auto chosen = choice();
  const int before = concurrency();
  EXPECT_FALSE(chosen.again(0.9));
  EXPECT_EQ(concurrency(), before);
}

// Runs whose threads are chosen at the start have the same bits as others, and report the number.
using RunThreads = test::RunTest;

TEST_F(RunThreads, ChangeNoBit) {
  ASSERT_EQ(run("whole").code, 0);
  const auto with = [&](const std::string& name, std::vector<std::string> environment) {
    io::test::write_all(at(name + ".toml"), input(name, {{"threads = 1\n", ""}}));
    environment.insert(environment.begin(), {"/usr/bin/env", "-u", "OMP_NUM_THREADS", "-u", "OMP_WAIT_POLICY"});
    for (const auto& word : command(name)) environment.push_back(word);
    const auto outcome = test::Process(environment, here()).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_same_results("whole", name);
    return outcome.out;
  };
  const auto chosen = with("chosen", {});
  const auto says = [](const std::string& text) { return text.find("Using ") != std::string::npos; };
  EXPECT_EQ(says(text("chosen/c.log")), says(chosen)) << chosen;
  for (const std::string where : {"core", "socket"}) {
    // A build without hwloc says so.
    const auto name = "bound_" + where;
    io::test::write_all(at(name + ".toml"), input(name, {{"threads = 1\n", "threads = 2\n"}}));
    auto words = command(name);
    words.insert(words.end(), {"--bind", where});
    const auto outcome = test::Process(words, here()).wait();
    if (outcome.err.find("without hwloc") != std::string::npos) {
      EXPECT_EQ(outcome.code, 2);
      continue;
    }
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_same_results("whole", name);
  }
  const auto told = with("told", {"OMP_NUM_THREADS=3"});
  EXPECT_FALSE(says(told)) << told;
#if !defined(TRELLIS_BACKEND_SERIAL)
  EXPECT_NE(told.find(" 3 threads"), std::string::npos) << told;
#endif
}

TEST_F(RunThreads, AreBoundToKnownPlacesOnly) {
  io::test::write_all(at("a.toml"), input("a", {}));
  auto words = command("a");
  words.insert(words.end(), {"--bind", "sockets"});
  const auto outcome = test::Process(words, here()).wait();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--bind: found 'sockets', expected none, core or socket"), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(at("a"))) << "nothing was begun";
}

}  // namespace
}  // namespace trellis::app
