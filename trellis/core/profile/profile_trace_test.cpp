// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_trace.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/profile/profile_events.hpp"

namespace trellis {
namespace {

using nlohmann::json;
using Vector = View<double*, LayoutRight, HostSpace>;

void dispatch(const Kernel& kernel) {
  parallel_for(kernel, RangePolicy<Serial>(0, 1), [](Index) {});
}

std::map<std::string, json> by_name(const json& trace) {
  std::map<std::string, json> events;
  for (const auto& event : trace.at("traceEvents")) events[event.at("name")] = event;
  return events;
}

bool within(const json& inner, const json& outer) {
  const double digit = 0.002;  // times are rounded to nanoseconds
  const double begin = inner.at("ts"), end = begin + inner.at("dur").get<double>();
  const double from = outer.at("ts"), to = from + outer.at("dur").get<double>();
  return from <= begin + digit && end <= to + digit && inner.at("tid") == outer.at("tid");
}

TEST(ProfileTrace, IsATimelineOfCompleteEvents) {
  ProfileTrace trace;
  {
    const Listening listening(trace.listener());
    const Vector x("x", 10), y("y", 10);
    const Region solve("solve");
    dispatch({"kernel", 80, 20});
    deep_copy(y, x);
    std::thread([] { dispatch({"elsewhere", 0, 5}); }).join();
  }
  const auto all = json::parse(trace.json());
  EXPECT_EQ(all.at("otherData").at("dropped"), 0);
  EXPECT_EQ(all.at("otherData").at("events"), all.at("traceEvents").size());
  for (const auto& event : all.at("traceEvents")) {
    EXPECT_EQ(event.at("ph"), "X");
    EXPECT_GE(event.at("ts").get<double>(), 0);
    EXPECT_GE(event.at("dur").get<double>(), 0);
    EXPECT_EQ(event.at("pid"), ::getpid());
  }
  const auto events = by_name(all);
  EXPECT_EQ(events.at("solve").at("cat"), "region");
  EXPECT_EQ(events.at("kernel").at("cat"), "kernel");
  EXPECT_EQ(events.at("kernel").at("args"), (json{{"bytes", 80}, {"flops", 20}}));
  EXPECT_EQ(events.at("elsewhere").at("args"), (json{{"flops", 5}}));
  EXPECT_EQ(events.at("deep_copy of x to y").at("cat"), "copy");
  EXPECT_EQ(events.at("allocation of x").at("cat"), "allocation");
  EXPECT_TRUE(within(events.at("kernel"), events.at("solve")));
  EXPECT_TRUE(within(events.at("trellis::deep_copy"), events.at("deep_copy of x to y")));
  EXPECT_TRUE(within(events.at("deep_copy of x to y"), events.at("solve")));
  EXPECT_FALSE(within(events.at("elsewhere"), events.at("solve")));
}

TEST(ProfileTrace, AnyNameGivesJson) {
  const std::string names[] = {"quote \" backslash \\ newline \n tab \t bell \a",
                               "\xce\xb3 \xe2\x82\xac \xf0\x9f\x98\x80", "latin \xe9 and cut \xe2\x82",
                               "\xc0\x80 \xed\xa0\x80 \xf5\x80\x80\x80 \xff", ""};
  ProfileTrace trace;
  {
    const Listening listening(trace.listener());
    for (const auto& name : names) const Region region(name);
  }
  const auto events = by_name(json::parse(trace.json()));
  EXPECT_EQ(events.size(), 5U);
  EXPECT_TRUE(events.contains(names[0]));
  EXPECT_TRUE(events.contains(names[1]));
  EXPECT_TRUE(events.contains("latin \xef\xbf\xbd and cut \xef\xbf\xbd\xef\xbf\xbd"));
  EXPECT_TRUE(json::parse(ProfileTrace().json()).at("traceEvents").empty());
}

TEST(ProfileTrace, NumbersThatAreNoneAreLeftOut) {
  ProfileTrace trace;
  {
    const Listening listening(trace.listener());
    dispatch({"k", std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()});
  }
  EXPECT_FALSE(json::parse(trace.json()).at("traceEvents")[0].contains("args"));
}

TEST(ProfileTrace, MemoryIsBoundedAndItSaysWhatWasDropped) {
  ProfileTrace trace(16);
  {
    const Listening listening(trace.listener());
    const Region first("first");
    for (int n = 0; n < 100; ++n) dispatch("k");
    const Region second("second");
  }
  EXPECT_EQ(trace.kept(), 16U);  // 14 kernels and both regions
  EXPECT_EQ(trace.dropped(), 86U);
  const auto all = json::parse(trace.json());
  EXPECT_EQ(all.at("otherData").at("dropped"), 86);
  const auto events = by_name(all);
  EXPECT_TRUE(events.contains("first"));
  EXPECT_TRUE(events.contains("second"));
  EXPECT_TRUE(events.contains("86 events dropped from here on"));
}

TEST(ProfileTrace, WhatIsUnderWayAppearsWithItsTimeSoFar) {
  ProfileTrace trace;
  const Listening listening(trace.listener());
  const Region open("open");
  const KernelTimer running("running");
  const auto events = by_name(json::parse(trace.json()));
  EXPECT_EQ(events.at("open").at("ph"), "X");
  EXPECT_TRUE(within(events.at("running"), events.at("open")));
}

// As a backend does that times its kernels itself.
TEST(ProfileTrace, KernelsOfADeviceAreInTheRowsOfItsStreams) {
  ProfileTrace trace;
  const Listening listening(trace.listener());
  const auto now = std::chrono::steady_clock::now();
  std::uint64_t ids[2];
  for (auto& id : ids) {
    KernelTimer timer({"on the device", 80});
    const auto place = timer.later();
    ASSERT_TRUE(place.has_value());
    id = place->event;
  }
  const Region meanwhile("meanwhile");
  for (const int n : {0, 1}) profile_detail::late_end(ids[n], now + std::chrono::milliseconds(n), 0.25, n + 1);
  const auto events = json::parse(trace.json()).at("traceEvents");
  std::vector<json> kernels, rows;
  for (const auto& event : events) {
    if (event.at("name") == "on the device") kernels.push_back(event);
    if (event.at("ph") == "M") rows.push_back(event);
  }
  ASSERT_EQ(kernels.size(), 2U);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].at("args").at("name"), "stream 2 of the device");
  for (const int n : {0, 1}) {
    EXPECT_EQ(kernels[n].at("dur"), 0.25e6);
    EXPECT_EQ(kernels[n].at("tid"), rows[n].at("tid"));
    EXPECT_EQ(kernels[n].at("args").at("bytes"), 80);
  }
  EXPECT_NEAR(kernels[1].at("ts").get<double>() - kernels[0].at("ts").get<double>(), 1000, 0.01);
  Listener waits;
  const Listening another(waits);
  EXPECT_FALSE(KernelTimer("on the device").later().has_value());
}

TEST(ProfileTrace, MessagesAreAsynchronous) {
  ProfileTrace trace;
  {
    const Listening listening(trace.listener());
    const auto begin = std::chrono::steady_clock::now();
    report_message("halo", 3, 96, begin);
    const KernelTimer within("kernel");
    report_message("halo", 4, 96, begin);  // a part of the kernel
  }
  const auto events = json::parse(trace.json()).at("traceEvents");
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].at("ph"), "b");
  EXPECT_EQ(events[1].at("ph"), "e");
  for (const int half : {0, 1}) {
    EXPECT_EQ(events[half].at("name"), "halo from rank 3");
    EXPECT_EQ(events[half].at("cat"), "message");
    EXPECT_EQ(events[half].at("args").at("bytes"), 96);
    EXPECT_EQ(events[half].at("id2"), events[0].at("id2"));
  }
  EXPECT_LE(events[0].at("ts").get<double>(), events[1].at("ts").get<double>());
}

TEST(ProfileTrace, ProcessesCanShareAFile) {
  const auto now = std::chrono::steady_clock::now();
  ProfileTrace traces[2];
  std::string text;
  const auto piece = [&](std::string_view more) { text += more; };
  ProfileTrace::opening(piece);
  for (const int rank : {0, 1}) {
    // The clock of the second one is a second behind.
    traces[rank].belongs_to({rank, "rank " + std::to_string(rank), now - std::chrono::seconds(rank)});
    const Listening listening(traces[rank].listener());
    dispatch("kernel");
    traces[rank].events(piece, rank == 0);
  }
  ProfileTrace::closing(piece, 2, 0);
  const auto all = json::parse(text);
  const auto& events = all.at("traceEvents");
  ASSERT_EQ(events.size(), 6U);
  for (const int rank : {0, 1}) {
    const auto& name = events[3 * rank];
    EXPECT_EQ(name.at("ph"), "M");
    EXPECT_EQ(name.at("args").at("name"), "rank " + std::to_string(rank));
    const auto& kernel = events[3 * rank + 2];
    EXPECT_EQ(kernel.at("pid"), rank);
    EXPECT_EQ(kernel.at("ts").get<double>() >= 1e6, rank == 1);
  }
  EXPECT_EQ(all.at("otherData").at("events"), 2);
}

TEST(ProfileTrace, IsWrittenAsideOrNotAtAll) {
  namespace fs = std::filesystem;
  const auto folder = fs::temp_directory_path() / ("trellis_trace_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const ProfileTrace trace;
  trace.write(folder / "t.json");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  std::ifstream file(folder / "t.json");
  EXPECT_TRUE(json::parse(file).contains("traceEvents"));
  try {
    trace.write(folder / "none" / "t.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none/t.json"), std::string::npos);
  }
  EXPECT_THROW(trace.write(folder), Error);  // a folder with that name
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace trellis
