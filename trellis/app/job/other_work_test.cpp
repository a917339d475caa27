// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/other_work.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace trellis::app {
namespace {

TEST(OtherWork, ReadsWhatTheSystemCounts) {
  CoreTimes times;
  add_thread("3000000000 1000000000 25\n", times);
  add_thread("1000000000 500000000 7\n", times);
  read_machine("cpu  100 20 30 4000 5 6 7 80 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n", times);
  EXPECT_DOUBLE_EQ(times.running, 4);
  EXPECT_DOUBLE_EQ(times.waiting, 1.5);
  EXPECT_DOUBLE_EQ(times.used, 163);
  EXPECT_DOUBLE_EQ(times.stolen, 80);
}

TEST(OtherWork, NothingIsLostWhereTheSystemDoesNotSay) {
  CoreTimes times;
  for (const auto* text : {"", "no numbers", "12"}) {
    add_thread(text, times);
    read_machine(text, times);
  }
  EXPECT_EQ(times.running + times.waiting + times.used + times.stolen, 0);
  EXPECT_EQ(share_lost(times, times), 0);
}

TEST(OtherWork, ShareOfWaitingAndOfTheHost) {
  const CoreTimes begin{.running = 10, .waiting = 5, .used = 100, .stolen = 50};
  const auto after = [&](double running, double waiting, double used, double stolen) {
    return share_lost(begin, {10 + running, 5 + waiting, 100 + used, 50 + stolen});
  };
  EXPECT_DOUBLE_EQ(after(3, 1, 200, 0), 0.25);
  EXPECT_DOUBLE_EQ(after(3, 0, 100, 100), 0.5);
  EXPECT_DOUBLE_EQ(after(1, 1, 100, 100), 0.75);
  EXPECT_DOUBLE_EQ(after(8, 0, 800, 0), 0);
  // A thread ended, and its counts vanished with it.
  EXPECT_DOUBLE_EQ(after(-4, -2, 0, 0), 0);
}

TEST(OtherWork, LinuxCountsThisThread) {
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "this kernel does not count";
  const auto before = core_times();
  volatile double sum = 0;
  for (int k = 0; k < 20000000; ++k) sum = sum + 1;
  const auto after = core_times();
  EXPECT_GT(after.running, before.running);
  EXPECT_GE(after.waiting, before.waiting);
  EXPECT_GE(after.used, before.used);
}

TEST(OtherWork, SaysNothingOfLittle) {
  EXPECT_EQ(describe_lost(0), "");
  EXPECT_EQ(describe_lost(0.09), "");
  EXPECT_EQ(describe_lost(0.43), "threads waited 43 % of the time for a core used by other work");
  OtherWork watch;
  EXPECT_EQ(watch.look(), std::nullopt);  // too early to tell
  EXPECT_EQ(watch.news(0.19), std::nullopt);
  EXPECT_NE(watch.news(0.43).value().find("threads waited 43 % of the time"), std::string::npos);
  EXPECT_EQ(watch.news(0.44), std::nullopt);  // already reported
  EXPECT_GE(watch.share(), 0);
  EXPECT_LE(watch.share(), 1);
}

TEST(OtherWork, NamesTheJobItself) {
  EXPECT_EQ(crowd_text(2, 1, 2), "");
  EXPECT_EQ(crowd_text(8, 2, 0), "");  // unknown
  EXPECT_EQ(crowd_text(8, 0, 4), "");  // on GPUs
  EXPECT_EQ(crowd_text(1, 4, 2), "4 threads share 2 cores");
  const auto crowd = crowd_text(8, 1, 2);
  EXPECT_EQ(crowd, "8 ranks of this job with 1 thread each share 2 cores");
  EXPECT_EQ(describe_lost(0.77, crowd), "threads waited 77 % of the time for a core: " + crowd);
  EXPECT_EQ(describe_lost(0.07, crowd), "");
  EXPECT_EQ(OtherWork(crowd).news(0.77).value(),
            "There are more threads than cores (" + crowd +
                "): threads waited 77 % of the time for one. Trajectories take longer; no bit changes");
}

}  // namespace
}  // namespace trellis::app
