// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How programs begin and end, and what the environment requests of them: each in a separate process.
#include "trellis/core/runtime/runtime.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program.hpp"

namespace trellis {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Runtimes : public testing::Test {
 protected:
  Runtimes() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("trellis_runtime_" + std::string(info->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~Runtimes() override { fs::remove_all(folder_); }

  test::Outcome run(const std::string& mode, std::vector<std::string> environment) const {
    std::vector<std::string> command{"/usr/bin/env", "-u", "TRELLIS_PROFILE", "-u", "TRELLIS_TRACE"};
    for (auto& one : environment) command.push_back(std::move(one));
    command.push_back(TRELLIS_RUNTIME_PROGRAM);
    command.push_back(mode);
    return test::Process(command, {.folder = folder_}).wait();
  }

  // Names and their numbers of occurrences, for a category.
  std::map<std::string, int> trace(const std::string& category) const {
    std::ifstream file(folder_ / "trace.json");
    const auto all = json::parse(file);
    std::map<std::string, int> names;
    for (const auto& event : all.at("traceEvents")) {
      EXPECT_EQ(event.at("ph"), "X");
      EXPECT_GE(event.at("dur").get<double>(), 0);
      EXPECT_GT(event.at("tid").get<int>(), 0);
      if (event.at("cat") == category) ++names[event.at("name")];
    }
    return names;
  }
  // True if there is only the trace, and no temporary file.
  bool only_trace_is_there() const {
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.insert(entry.path().filename());
    return files == std::set<std::string>{"trace.json"};
  }

  fs::path folder_;
};

using Names = std::map<std::string, int>;
const Names kWork{{"solve", 1}, {"iteration", 3}};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Runtimes, NothingIsWrittenUnlessAskedFor) {
  for (const char* mode : {"work", "late", "scope_that_throws"}) {
    const auto outcome = run(mode, {});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
  }
  const auto zero = run("work", {"TRELLIS_PROFILE=0"});
  EXPECT_EQ(zero.err, "");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Runtimes, ATableAtExitCountsAllThreads) {
  const auto outcome = run("work", {"TRELLIS_PROFILE=1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  for (const char* part :
       {"Trellis profile: ", "2 threads", "[solve]", "  [iteration]", "axpy", "[of a thread]", "alone", "deep_copy ",
        "allocation of Views", "HostSpace: 2.008 MiB at most", "'x' 1 MiB", "'of the program'"})
    EXPECT_TRUE(holds(outcome.err, part)) << part << "\n" << outcome.err;
}

TEST_F(Runtimes, StaticObjectsOutliveTheTable) {
  const auto outcome = run("late", {"TRELLIS_PROFILE=1", "TRELLIS_TRACE=trace.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(holds(outcome.err, "[solve]")) << outcome.err;
  EXPECT_EQ(outcome.err.find("Trellis profile"), outcome.err.rfind("Trellis profile"));
  EXPECT_EQ(trace("region"), kWork);
  EXPECT_TRUE(only_trace_is_there());
}

TEST_F(Runtimes, TheTraceIsWrittenWhenAProgramExitsOrThrows) {
  const auto exits = run("exits", {"TRELLIS_TRACE=trace.json"});
  EXPECT_EQ(exits.code, 3);
  EXPECT_EQ(exits.err, "");
  EXPECT_EQ(trace("region"), (Names{{"left by exit", 1}, {"solve", 1}, {"iteration", 3}}));
  EXPECT_EQ(trace("kernel").at("axpy"), 3);
  EXPECT_TRUE(only_trace_is_there());

  const auto throws = run("throws", {"TRELLIS_PROFILE=1", "TRELLIS_TRACE=trace.json"});
  EXPECT_EQ(throws.code, -SIGABRT);
  EXPECT_TRUE(holds(throws.err, "Trellis profile")) << throws.err;
  EXPECT_TRUE(holds(throws.err, "nobody catches this"));
  EXPECT_EQ(trace("region").at("left by terminate"), 1);
  EXPECT_EQ(trace("kernel").at("throws"), 1);
  EXPECT_TRUE(only_trace_is_there());
}

TEST_F(Runtimes, AProgramThatIsWatchedBadlyRunsAllTheSame) {
  const auto word = run("work", {"TRELLIS_PROFILE=yes"});
  EXPECT_EQ(word.code, 0);
  EXPECT_EQ(word.err, "trellis: warning: TRELLIS_PROFILE is 'yes'; it must be 0 or 1\n");
  const auto file = run("work", {"TRELLIS_TRACE=no/such/folder/t.json"});
  EXPECT_EQ(file.code, 0);
  EXPECT_TRUE(holds(file.err, "trellis: warning: TRELLIS_TRACE: ")) << file.err;
  EXPECT_TRUE(holds(file.err, "no/such/folder/t.json")) << file.err;
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Runtimes, AnythingButARegularFileIsWrittenToAndNotReplaced) {
  fs::create_symlink("/dev/full", folder_ / "full");  // its target must still exist afterwards
  const auto full = run("work", {"TRELLIS_TRACE=full"});
  EXPECT_EQ(full.code, 0);
  EXPECT_TRUE(holds(full.err, "full: cannot be written: ")) << full.err;
  EXPECT_TRUE(fs::is_symlink(folder_ / "full"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Runtimes, TheNumberOfTheProcessNamesTraces) {
  run("work", {"TRELLIS_TRACE=%p.json"});
  ASSERT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
  const auto name = fs::directory_iterator(folder_)->path().stem().string();
  EXPECT_EQ(name.find_first_not_of("0123456789"), std::string::npos) << name;
}

TEST_F(Runtimes, AfterFinalizeEverythingFailsByName) {
  const auto outcome = run("after_finalize", {"TRELLIS_PROFILE=1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "initialize() was called already\n"
            "finalize() was called by a kernel\n"
            "kernel 'fill': dispatched after finalize()\n"
            "kernel 'empty': dispatched after finalize()\n"
            "kernel 'sum': dispatched after finalize()\n"
            "kernel 'scan': dispatched after finalize()\n"
            "View 'z': allocated after finalize()\n"
            "deep_copy of 'x' to 'y': called after finalize()\n"
            "deep_copy of a value to 'y': called after finalize()\n"
            "finalize() was called already\n"
            "initialize() after finalize(): a program can be initialised only once\n"
            "1 1 2 0\n");
  EXPECT_TRUE(outcome.err.starts_with(
      "trellis: warning: finalize(): 1 View is alive in memory of a device: 'far' (80 bytes in FarSpace)\n"))
      << outcome.err;
  EXPECT_EQ(outcome.err.find("Trellis profile"), outcome.err.rfind("Trellis profile"));
  EXPECT_TRUE(holds(outcome.err, "[solve]"));
}

TEST_F(Runtimes, FinalizeAloneWillDo) {
  const auto outcome = run("only_finalize", {"TRELLIS_TRACE=trace.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "0 1\n");
  EXPECT_EQ(trace("region"), kWork);
}

TEST_F(Runtimes, AScopeThatThrowsFinalizes) {
  const auto outcome = run("scope_that_throws", {"TRELLIS_TRACE=trace.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "no\n1\n");
  EXPECT_EQ(trace("region"), (Names{{"left by an exception", 1}}));
  EXPECT_EQ(trace("kernel").at("throws"), 1);
}

}  // namespace
}  // namespace trellis
