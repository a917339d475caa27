// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

using Range = RangePolicy<DefaultHostExecutionSpace>;

std::map<std::string, std::int64_t> calls_of(const KernelProfile& profile) {
  std::map<std::string, std::int64_t> calls;
  for (const auto& kernel : profile.kernels()) calls[kernel.name + (kernel.single ? ", single" : "")] += kernel.calls;
  return calls;
}

void pause(Index) { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

TEST(KernelProfile, NamesAndTotalsAddUp) {
  const HostView<double*> x("x", 100);
  KernelProfile profile;
  const auto start = std::chrono::steady_clock::now();
  {
    const ActiveProfile active(profile);
    for (int n = 0; n < 3; ++n) parallel_for({"fill", 800, 100}, Range(0, 100), [=](Index i) { x(i) = double(i); });
    parallel_for({"fill", 400, 100, true}, Range(0, 100), [=](Index i) { x(i) += 1; });
    parallel_for("wait", Range(0, 1), pause);
    double sum = 0;
    parallel_reduce({"sum", 800, 99}, Range(0, 100), [=](Index i, double& s) { s += x(i); }, sum);
    EXPECT_EQ(sum, 5050);
    Index total = 0;
    parallel_scan({"scan", 8}, RangePolicy<Serial>(0, 10), [](Index i, Index& s, bool) { s += i; }, total);
    EXPECT_EQ(total, 45);
    parallel_for("empty", Range(0, 0), pause);
  }
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(calls_of(profile), (std::map<std::string, std::int64_t>{
                                   {"fill", 3}, {"fill, single", 1}, {"scan", 1}, {"sum", 1}, {"wait", 1}}));
  double seconds = 0;
  for (const auto& kernel : profile.kernels()) {
    EXPECT_GE(kernel.seconds, kernel.name == "wait" ? 2e-4 : 0);
    seconds += kernel.seconds;
  }
  EXPECT_EQ(profile.seconds(), seconds);
  EXPECT_LE(seconds, whole);
  const auto& first = profile.kernels().front();
  EXPECT_EQ(first.name, "fill");
  EXPECT_FALSE(first.single);
  EXPECT_EQ(first.bytes, 2400);
  EXPECT_EQ(first.flops, 300);
}

TEST(KernelProfile, AnInactiveOneCollectsNothing) {
  KernelProfile profile;
  parallel_for("before", Range(0, 1), pause);
  {
    const ActiveProfile active(profile);
  }
  parallel_for("after", Range(0, 1), pause);
  EXPECT_TRUE(profile.kernels().empty());
  EXPECT_EQ(profile.seconds(), 0);
  EXPECT_FALSE(KernelTimer("after").counts());
}

TEST(KernelProfile, TheInnermostCountsAndTheOuterGoesOn) {
  KernelProfile outer, inner;
  const ActiveProfile active(outer);
  parallel_for("a", Range(0, 1), pause);
  {
    const ActiveProfile within(inner);
    parallel_for("b", Range(0, 1), pause);
  }
  parallel_for("c", Range(0, 1), pause);
  EXPECT_EQ(calls_of(outer), (std::map<std::string, std::int64_t>{{"a", 1}, {"c", 1}}));
  EXPECT_EQ(calls_of(inner), (std::map<std::string, std::int64_t>{{"b", 1}}));
}

TEST(KernelProfile, WhatAKernelDispatchesBelongsToIt) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  {
    const KernelTimer whole({"whole", 16});
    parallel_for({"part", 8}, Range(0, 4), [](Index) { parallel_for("part of a part", Range(0, 4), [](Index) {}); });
  }
  parallel_for({"part", 8}, Range(0, 4), [](Index) {});
  EXPECT_EQ(calls_of(profile), (std::map<std::string, std::int64_t>{{"whole", 1}, {"part", 1}}));
}

// Like kernels of a GPU, which the device times.
TEST(KernelProfile, SecondsOfACallMayComeLater) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  std::optional<KernelTimer::Place> place;
  {
    KernelTimer timer({"later", 8});
    place = timer.later();
    pause(0);
  }
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->profile, &profile);
  ASSERT_EQ(profile.kernels().size(), 1U);
  EXPECT_EQ(profile.kernels()[0].calls, 1);
  EXPECT_EQ(profile.kernels()[0].seconds, 0);
  parallel_for("next", Range(0, 1), pause);
  profile.add_seconds(place->entry, 0.25);
  EXPECT_EQ(profile.kernels()[0].seconds, 0.25);
  EXPECT_EQ(calls_of(profile), (std::map<std::string, std::int64_t>{{"later", 1}, {"next", 1}}));
  // A listener must be told of the end when it happens.
  Listener listener;
  listener.end_kernel = [](const KernelEvent&) {};
  const Listening listening(listener);
  EXPECT_FALSE(KernelTimer("heard").later().has_value());
}

// Of many calls that the device times, few are timed; their rate, not their number, stands for the others.
TEST(KernelProfile, SomeOfManyCallsStandForAll) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  constexpr int calls = 1032;
  double bytes = 0;
  int timed = 0;
  for (int n = 0; n < calls; ++n) {
    const double here = n % 2 == 0 ? 100 : 700;
    bytes += here;
    KernelTimer timer({"often", here});
    const auto place = timer.later();
    ASSERT_TRUE(place.has_value());
    EXPECT_TRUE(n >= 32 || place->call.timed) << n;
    if (!place->call.timed) continue;
    ++timed;
    profile.add_seconds(*place, (n < 32 ? 1e-6 : 2e-6) * here);
  }
  EXPECT_GE(timed, 32 + 140);
  EXPECT_LE(timed, 32 + 145);
  ASSERT_EQ(profile.kernels().size(), 1U);
  EXPECT_EQ(profile.kernels()[0].calls, calls);
  EXPECT_EQ(profile.kernels()[0].bytes, bytes);
  EXPECT_NEAR(profile.kernels()[0].seconds, 1e-6 * 32 * 400 + 2e-6 * 1000 * 400, 1e-12);
}

TEST(KernelProfile, ATraceHasTheTimeOfEachCall) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  Listener listener;
  listener.ends_late = true;
  const Listening listening(listener);
  for (int n = 0; n < 100; ++n) {
    KernelTimer timer({"heard", 8});
    const auto place = timer.later();
    ASSERT_TRUE(place.has_value());
    EXPECT_TRUE(place->call.timed);
    EXPECT_NE(place->event, 0U);
    profile.add_seconds(*place, 0.5);
  }
  EXPECT_NEAR(profile.kernels()[0].seconds, 50, 1e-12);
}

TEST(KernelProfile, OtherThreadsAreTheirOwn) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  std::thread([] { parallel_for("elsewhere", RangePolicy<Serial>(0, 1), pause); }).join();
  EXPECT_TRUE(profile.kernels().empty());
}

TEST(KernelProfile, AKernelThatThrowsIsCounted) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  EXPECT_THROW(parallel_for("throws", Range(0, 1), [](Index) { fail("no"); }), Error);
  parallel_for("next", Range(0, 1), [](Index) {});
  EXPECT_EQ(calls_of(profile), (std::map<std::string, std::int64_t>{{"throws", 1}, {"next", 1}}));
}

}  // namespace
}  // namespace trellis
