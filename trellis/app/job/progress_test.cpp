// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace trellis::app {
namespace {

// A console in memory, with a clock that the test sets.
struct Recorded {
  std::string text;
  double now = 100;
  int columns = 60;

  Console console(bool is_terminal) {
    return {[this](std::string_view t) { text += t; }, is_terminal, [this] { return columns; }, [this] { return now; }};
  }
};

TEST(Progress, PlainLinesAtSensibleIntervals) {
  Recorded recorded;
  int shown = 0;
  {
    Progress progress(recorded.console(false), 10000);
    for (int i = 1; i <= 10000; ++i) {
      recorded.now += 1;
      if (!progress.due(i)) continue;
      progress.show(i, 1.0, "plaquette 0.59(1)");
      ++shown;
    }
  }
  EXPECT_GT(shown, 50);
  EXPECT_LT(shown, 200);
  EXPECT_EQ(recorded.text.rfind("1/10000  ETA 2h46m  plaquette 0.59(1)  1 s/trajectory\n", 0), 0U) << recorded.text;
  EXPECT_NE(recorded.text.find("\n10000/10000  plaquette 0.59(1)  1 s/trajectory\n"), std::string::npos);
  EXPECT_EQ(recorded.text.find('\r'), std::string::npos);
  EXPECT_EQ(recorded.text.find('\033'), std::string::npos);
}

// Open MPI gives even a single rank a terminal, wherever mpirun prints to.
TEST(Progress, WhatMpirunStartedHasNoTerminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(::grantpt(terminal) | ::unlockpt(terminal), 0);
  const int other = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY), before = ::dup(STDOUT_FILENO);
  const auto is_terminal = [&](bool launched) {
    ::setenv("TERM", "xterm", 1);
    launched ? ::setenv("OMPI_COMM_WORLD_SIZE", "1", 1) : ::unsetenv("OMPI_COMM_WORLD_SIZE");
    ::dup2(other, STDOUT_FILENO);
    const bool found = standard_console().is_terminal;
    ::dup2(before, STDOUT_FILENO);
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    return found;
  };
  std::fflush(stdout);
  EXPECT_TRUE(is_terminal(false));
  EXPECT_FALSE(is_terminal(true));
  for (const int descriptor : {terminal, other, before}) ::close(descriptor);
}

TEST(Progress, OneLineOnATerminal) {
  Recorded recorded;
  {
    Progress progress(recorded.console(true), 100);
    EXPECT_TRUE(progress.due(1));
    progress.show(1, 2.0, std::string(200, 'x'));
    EXPECT_FALSE(progress.due(1));
    EXPECT_FALSE(progress.due(2)) << "no time has passed";
    recorded.now += 0.2;
    EXPECT_TRUE(progress.due(2));
    EXPECT_EQ(recorded.text.size(), 4 + 59U) << "cut to the width";
    recorded.text.clear();
    progress.show(2, 2.0, "a", 60.0);
    EXPECT_EQ(recorded.text, "\r\033[K2/100  ETA 1m00s  a  2 s/trajectory");
    recorded.text.clear();
    progress.message("saved");
    EXPECT_EQ(recorded.text, "\r\033[Ksaved\n2/100  ETA 1m00s  a  2 s/trajectory");
    recorded.text.clear();
  }
  EXPECT_EQ(recorded.text, "\n");
}

TEST(Progress, SecondsOfWhatIsCounted) {
  Recorded recorded;
  Progress progress(recorded.console(false), 3, "file");
  progress.show(1, 3.4, "lat.1");
  EXPECT_EQ(recorded.text, "1/3  ETA 6.8 s  lat.1  3.4 s/file\n");
}

TEST(Progress, Durations) {
  EXPECT_EQ(duration_text(0.84), "0.8 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1m00s");
  EXPECT_EQ(duration_text(192), "3m12s");
  EXPECT_EQ(duration_text(7500), "2h05m");
  EXPECT_EQ(duration_text(273600), "3d04h");
  EXPECT_EQ(duration_text(-1), "unknown");
  EXPECT_EQ(duration_text(std::nan("")), "unknown");
  EXPECT_EQ(duration_text(1e300), "over 100000 days");
}

}  // namespace
}  // namespace trellis::app
