// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A run gives the same bits on any number of threads and lanes, and however often and however roughly it is stopped.
#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/support/run_test.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/tables/csv_table.hpp"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRELLIS_THREAD_SANITIZER
#endif
#endif

namespace trellis::app {
namespace {

using test::RunTest;

using std::chrono::microseconds;

class RunBits : public RunTest {};

TEST_F(RunBits, ThreadsAndLanes) {
  ASSERT_EQ(run("whole").code, 0);
  const auto first = text("whole/c.000006.ildg");
  EXPECT_NE(first, text("whole/c.000012.ildg"));
  for (const int lanes : compiled_lane_counts())
    for (const int threads : {1, 2}) {
      if (lanes == 1 && threads == 1) continue;
      if (threads == 2 && lanes != compiled_lane_counts().back() && lanes != 1) continue;
      const auto name = fmt::format("t{}l{}", threads, lanes);
      const auto outcome = run(name, {{"threads = 1", fmt::format("threads = {}", threads)},
                                      {"lanes = 1", fmt::format("lanes = {}", lanes)}});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      expect_same_results("whole", name);
    }
}

TEST_F(RunBits, Heatbath) {
  const Changes heatbath{{"steps = 5", "kind = \"heatbath\""}, {"reversibility_every = 4", ""}};
  ASSERT_EQ(run("whole", heatbath).code, 0);
  auto wide = heatbath;
  wide.emplace_back("threads = 1", "threads = 2");
  wide.emplace_back("lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back()));
  wide.emplace_back("trajectories = 12", "trajectories = 5");
  ASSERT_EQ(run("parts", wide).code, 0);
  wide.back().second = "trajectories = 12";
  ASSERT_EQ(run("parts", wide).code, 0);
  expect_same_results("whole", "parts");
}

// Longer, each time with a different number of lanes and threads.
TEST_F(RunBits, AnExtendedChain) {
  ASSERT_EQ(run("whole").code, 0);
  const auto& lanes = compiled_lane_counts();
  int n = 0;
  for (const int trajectories : {5, 6, 11, 12}) {
    const auto outcome =
        run("parts", {{"trajectories = 12", fmt::format("trajectories = {}", trajectories)},
                      {"threads = 1", fmt::format("threads = {}", 1 + n % 2)},
                      {"lanes = 1", fmt::format("lanes = {}", lanes[static_cast<std::size_t>(n) % lanes.size()])}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    ++n;
  }
  expect_same_results("whole", "parts");
}

TEST_F(RunBits, KilledAtAnyMoment) {
  ASSERT_EQ(run("whole").code, 0);
  EXPECT_GT(kill_at_random("killed", {}, 25), 5);
  const auto last = call("killed");
  EXPECT_EQ(last.code, 0) << last.err;
  expect_same_results("whole", "killed");
}

// The links take some milliseconds to be written, so the kill hits while a file is under way.
TEST_F(RunBits, KilledWhileAFileIsUnderWay) {
  const Changes large{{"[4, 4, 4, 4]", "[8, 8, 8, 16]"},
                      {"symanzik", "wilson"},
                      {"steps = 5", "steps = 1\ntrajectory_length = 0.1"},
                      {"save_every = 6", "save_every = 2\nsave_precision = \"single\""},
                      {"[measure.flow]\nevery = 4\ntime_max = 0.2\nstep = 0.05\n", ""}};
  ASSERT_EQ(run("whole", large).code, 0);
  io::test::write_all(at("parts.toml"), input("parts", large));
  int hits = 0;
  for (const char* part :
       {"c.000002.ildg.part", "c.checkpoint.part", "c.000006.ildg.part", "c.checkpoint.part", "c.000008.ildg.part"}) {
    const auto file = at(std::string("parts/") + part);
    test::Process process(command("parts"), here());
    const auto start = std::chrono::steady_clock::now();
    const auto is_late = [&] {
      return process.has_ended() || std::chrono::steady_clock::now() - start > std::chrono::seconds(20);
    };
    // The first checkpoint is written before the chain begins.
    while (!exists("parts/c.csv") && !is_late()) std::this_thread::sleep_for(microseconds(100));
    while (!std::filesystem::exists(file) && !is_late()) std::this_thread::yield();
    process.signal(SIGKILL);
    const auto outcome = process.wait();
    EXPECT_TRUE(outcome.code == -SIGKILL || outcome.code == 0) << outcome.code << outcome.err;
    if (outcome.code == 0) {  // the kill came too late; a finished run starts again
      std::filesystem::remove_all(at("parts"));
      continue;
    }
    hits += std::filesystem::exists(file) ? 1 : 0;
    // What has its name is complete.
    for (const auto& entry : std::filesystem::directory_iterator(at("parts")))
      if (entry.path().extension() == ".ildg" || entry.path().extension() == ".checkpoint") {
        const auto looked = test::Process({TRELLIS_PROGRAM, "inspect", entry.path()}, here()).wait();
        EXPECT_EQ(looked.code, 0) << entry.path() << looked.err;
      }
  }
  EXPECT_GT(hits, 0);
  const auto last = call("parts");
  ASSERT_EQ(last.code, 0) << last.err;
  expect_same_results("whole", "parts", {"c.000002.ildg", "c.000006.ildg", "c.000012.ildg", "c.checkpoint"});
}

TEST_F(RunBits, SignalsStopWithACheckpoint) {
  const Changes slow{{"steps = 5", "steps = 15"}};
  ASSERT_EQ(run("whole", slow).code, 0);
  io::test::write_all(at("parts.toml"), input("parts", slow));
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    const auto rows = [&] { return exists("parts/c.csv") ? io::read_csv(at("parts/c.csv")).rows() : 0; };
    const auto before = rows();
    test::Process process(command("parts"), here());
    while (rows() == before || rows() == 0) std::this_thread::sleep_for(microseconds(500));
    process.signal(signal);
    const auto outcome = process.wait();
    ASSERT_EQ(outcome.code, 128 + signal) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find(": " + name_of_signal(signal) + "."), std::string::npos);
    EXPECT_NE(outcome.out.find("The same command continues from here: " TRELLIS_PROGRAM " run parts.toml"),
              std::string::npos);
    EXPECT_FALSE(exists("parts/c.lock"));
  }
  ASSERT_EQ(call("parts").code, 0);
  expect_same_results("whole", "parts");
}

TEST_F(RunBits, StopFile) {
  ASSERT_EQ(run("whole").code, 0);
  const Changes slow{{"trajectories = 12", "trajectories = 5"}};
  ASSERT_EQ(run("parts", slow).code, 0);
  const auto before = everything("parts");
  io::test::write_all(at("parts/stop"), "");
  const auto outcome = run("parts");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.out.find("The stop file parts/stop exists, so nothing was done."), std::string::npos)
      << outcome.out;
  std::filesystem::remove(at("parts/stop"));
  EXPECT_EQ(everything("parts"), before);
  ASSERT_EQ(run("parts").code, 0);
  expect_same_results("whole", "parts");
}

TEST_F(RunBits, StopFileWhileItRuns) {
  const Changes slow{{"steps = 5", "steps = 15"}, {"seed = 7", "seed = 7\nstop_file = \"halt\""}};
  io::test::write_all(at("parts.toml"), input("parts", slow));
  test::Process process(command("parts"), here());
  while (!exists("parts/c.csv")) std::this_thread::sleep_for(microseconds(500));
  io::test::write_all(at("halt"), "");
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.out.find("the stop file halt"), std::string::npos) << outcome.out;
  EXPECT_TRUE(exists("halt"));
}

TEST_F(RunBits, TimeBudget) {
  if (!kernels_on_host) GTEST_SKIP() << "starting to use a GPU takes longer than these trajectories";
  const Changes slow{{"steps = 5", "steps = 8"}};
  ASSERT_EQ(run("whole", slow).code, 0);
  // 0.06 s; where a busy machine needs that to start, twice as much after every twenty calls.
  int calls = 0, code = 3;
  for (double minutes = 0.001; code == 3 && ++calls < 200; minutes *= calls % 20 == 0 ? 2 : 1) {
    auto budget = slow;
    budget.emplace_back("seed = 7", fmt::format("seed = 7\ntime_budget_minutes = {}", minutes));
    code = run("parts", budget).code;
  }
  EXPECT_EQ(code, 0);
  EXPECT_GT(calls, 1);
  expect_same_results("whole", "parts");
}

// The disk is full from the start, or becomes full at some moment.
TEST_F(RunBits, FullDisk) {
#if defined(__SANITIZE_THREAD__) || defined(TRELLIS_THREAD_SANITIZER)
  GTEST_SKIP() << "the limit on file sizes, which simulates the full disk, breaks libomp's own shared memory file";
#endif
  const Changes slow{{"steps = 5", "steps = 15"}};
  ASSERT_EQ(run("whole", slow).code, 0);
  io::test::write_all(at("parts.toml"), input("parts", slow));
  auto options = here();
  options.largest_file = 100000;
  const auto full = test::Process(command("parts"), options).wait();
  expect_error(full, 1, {"parts/c.checkpoint", ": cannot ", "File too large"});
  for (const auto& [name, bytes] : everything("parts")) ADD_FAILURE() << name << " is left";

  for (const rlim_t limit : {700, 100000}) {
    test::Process process(command("parts"), here());
    while (!exists("parts/c.csv") || text("parts/c.csv").size() < 700) std::this_thread::sleep_for(microseconds(500));
    const rlimit value{limit, limit};
    ASSERT_EQ(::prlimit(process.id(), RLIMIT_FSIZE, &value, nullptr), 0);
    const auto outcome = process.wait();
    expect_error(
        outcome, 1,
        {"File too large", "\nNothing up to trajectory ", " is lost: that is the last checkpoint, parts/c.checkpoint",
         "the same command continues from there: "});
  }
  ASSERT_EQ(call("parts").code, 0);
  expect_same_results("whole", "parts");
}

}  // namespace
}  // namespace trellis::app
