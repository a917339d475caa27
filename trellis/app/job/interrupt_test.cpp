// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

TEST(Interrupt, TheFirstSignalSetsAFlag) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
    const InterruptGuard guard;
    EXPECT_EQ(guard.signal(), 0);
    std::raise(number);
    EXPECT_EQ(guard.signal(), number);
  }
}

TEST(Interrupt, WhatWasIgnoredStaysSoAndPipesMayBreak) {
  const auto old = std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptGuard guard;
    std::raise(SIGHUP);
    ignore_broken_pipes();
    std::raise(SIGPIPE);
    EXPECT_EQ(guard.signal(), 0);
  }
  std::signal(SIGHUP, old);
}

TEST(Interrupt, Names) {
  EXPECT_EQ(name_of_signal(SIGINT), "Ctrl-C");
  EXPECT_EQ(name_of_signal(SIGTERM), "a signal to terminate");
  EXPECT_EQ(name_of_signal(SIGUSR1), "the signal USR1");
}

TEST(Interrupt, OnlyOneGuardAtATime) {
  const InterruptGuard guard;
  EXPECT_THROW(InterruptGuard(), Error);
}

TEST(InterruptDeathTest, TheSecondSignalKills) {
  const auto twice = [] {
    const InterruptGuard guard;
    std::raise(SIGINT);
    std::raise(SIGINT);
    std::_Exit(0);
  };
  EXPECT_EXIT(twice(), ::testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, AfterTheGuardTheDefaultIsBack) {
  const auto after = [] {
    {
      const InterruptGuard guard;
    }
    std::raise(SIGTERM);
    std::_Exit(0);
  };
  EXPECT_EXIT(after(), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace trellis::app
