// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What a program does to its environment and itself when it starts, in separate processes (runtime_program.cc).
#include "trellis/core/base/waiting_threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/program.hpp"

namespace trellis {
namespace {

#if defined(_OPENMP) && !defined(__clang__)
constexpr int loads_to_set = 2;
#else
constexpr int loads_to_set = 1;
#endif

class WaitingThreads : public testing::Test {
 protected:
  static test::Outcome run(const std::vector<std::string>& environment, const std::vector<std::string>& words = {}) {
    std::vector<std::string> command{"/usr/bin/env",  "-u", "GOMP_SPINCOUNT",  "-u",
                                     "KMP_BLOCKTIME", "-u", "OMP_WAIT_POLICY", "SAY_LOADED=1"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.insert(command.end(), {TRELLIS_RUNTIME_PROGRAM, "wait_well"});
    command.insert(command.end(), words.begin(), words.end());
    return test::Process(command, {}).wait();
  }
  static std::string settings(const test::Outcome& outcome) {
    return outcome.out.substr(std::min(outcome.out.size(), outcome.out.rfind('|') + 2));
  }
  static auto loads(const test::Outcome& outcome) { return std::count(outcome.err.begin(), outcome.err.end(), '\n'); }
};

TEST_F(WaitingThreads, AreSetOnce) {
  const auto outcome = run({}, {"0", "a word", ""});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            TRELLIS_RUNTIME_PROGRAM "|wait_well|0|a word|| GOMP_SPINCOUNT=1000 KMP_BLOCKTIME=1 OMP_WAIT_POLICY=none\n");
  EXPECT_EQ(loads(outcome), loads_to_set) << outcome.err;
}

TEST_F(WaitingThreads, WhatTheUserSaidStays) {
  const auto spins = run({"GOMP_SPINCOUNT=77"});
  EXPECT_EQ(settings(spins), "GOMP_SPINCOUNT=77 KMP_BLOCKTIME=1 OMP_WAIT_POLICY=none\n");
  EXPECT_EQ(loads(spins), 1);
  const auto policy = run({"OMP_WAIT_POLICY=active"});
  EXPECT_EQ(settings(policy), "GOMP_SPINCOUNT=none KMP_BLOCKTIME=none OMP_WAIT_POLICY=active\n");
  EXPECT_EQ(loads(policy), 1);
  const auto time = run({"KMP_BLOCKTIME=200"});
  EXPECT_EQ(settings(time), "GOMP_SPINCOUNT=1000 KMP_BLOCKTIME=200 OMP_WAIT_POLICY=none\n");
  EXPECT_EQ(loads(time), loads_to_set);
}

TEST_F(WaitingThreads, ExitCodesAndSignalsAreTheProgramsOwn) {
  for (const int code : {0, 3, 130, -SIGTERM, -SIGINT}) EXPECT_EQ(run({}, {std::to_string(code)}).code, code);
}

// Process lists, and the program itself, see the name that it was called by.
TEST_F(WaitingThreads, TheNameStays) {
  const auto outcome = test::Process({"/bin/bash", "-c",
                                      "unset GOMP_SPINCOUNT KMP_BLOCKTIME OMP_WAIT_POLICY; exec -a another-name "
                                      "'" TRELLIS_RUNTIME_PROGRAM "' wait_well"},
                                     {})
                           .wait();
  EXPECT_TRUE(outcome.out.starts_with("another-name|wait_well| GOMP_SPINCOUNT=1000 ")) << outcome.out;
}

}  // namespace
}  // namespace trellis
