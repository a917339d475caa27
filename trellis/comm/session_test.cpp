// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How jobs begin and end, and above all how they fail: programs with one process and with several.
#include "trellis/comm/session.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "tests/support/launcher.hpp"
#include "tests/support/program.hpp"

namespace trellis::comm {
namespace {

using Words = std::vector<std::string>;

class Sessions : public testing::Test {
 protected:
  static test::Outcome start(const Words& environment, const Words& launcher, const std::string& mode) {
    Words command{"/usr/bin/env"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.insert(command.end(), launcher.begin(), launcher.end());
    command.insert(command.end(), {TRELLIS_SESSION_PROGRAM, mode});
    return test::Process(command, {}).wait();
  }

  test::Outcome alone(const Words& environment, const std::string& mode = "fine") const {
    return start(environment, {}, mode);
  }

  // Runs several ranks, with a watchdog of three seconds. It must end in time.
  test::Outcome job(int ranks, const std::string& mode, const std::string& seconds = "3") const {
    Words launcher{"/usr/bin/timeout", "60"};
    for (const auto& word : test::launcher(ranks)) launcher.push_back(word);
    const auto begin = std::chrono::steady_clock::now();
    auto outcome = start({"TRELLIS_WATCHDOG=" + seconds}, launcher, mode);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
    return outcome;
  }

  // Our own lines among those of the launcher.
  static Words errors(const test::Outcome& outcome) {
    Words lines;
    std::size_t at = 0;
    const std::string begin = "trellis: error: ", all = outcome.out + outcome.err;
    while ((at = all.find(begin, at)) != std::string::npos) {
      at += begin.size();
      lines.push_back(all.substr(at, all.find('\n', at) - at));
    }
    return lines;
  }
};

// Tests with several processes.
class Jobs : public Sessions {
 protected:
  void SetUp() override {
    if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
  }
};

TEST_F(Sessions, OfOneProcessNeedNoLauncher) {
  const auto outcome = alone({});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "ranks 0\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(alone({}, "returns").code, 7);
  const auto bad = alone({}, "all_throw");
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.err, "trellis: error: no such key\n");
  EXPECT_EQ(alone({}, "each_throws").code, 1);
  // One process of a launcher that can start more.
  EXPECT_EQ(alone({"OMPI_COMM_WORLD_SIZE=1", "OMPI_COMM_WORLD_RANK=0"}).out, "ranks 0\n");
}

TEST_F(Sessions, RefuseAWatchdogThatIsNoTime) {
  for (const std::string text : {"", "soon", "-1", "3s", "nan"}) {
    const auto outcome = alone({"TRELLIS_WATCHDOG=" + text});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "trellis: error: TRELLIS_WATCHDOG is '" + text +
                               "'; it must be a number of seconds, 0 for no watchdog\n");
  }
  EXPECT_EQ(alone({"TRELLIS_WATCHDOG=0"}).code, 0);
}

// Processes that a launcher believes to be a job, but that know nothing of one another, would all do the same work.
TEST_F(Sessions, RefuseAForeignLauncher) {
  for (const auto& environment :
       {Words{"SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID=0"}, Words{"PMI_SIZE=4", "PMI_RANK=0"}}) {
    auto all = environment;
    all.push_back("ASAN_OPTIONS=detect_leaks=0");  // MPI leaks
    const auto outcome = alone(all);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(Session::has_mpi() ? "the launcher started 4 processes, but each finds itself among 1"
                                                  : "a launcher started 4 processes of this program, which was built "
                                                    "without MPI"),
              std::string::npos)
        << outcome.err;
  }
}

TEST_F(Jobs, AreOfRanksThatKnowOneAnother) {
  for (const int ranks : {1, 3}) {
    const auto outcome = job(ranks, "fine", "60");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, ranks == 1 ? "ranks 0\n" : "ranks 0 1 2\n");
  }
  EXPECT_EQ(job(2, "returns", "60").code, 7);
}

TEST_F(Jobs, EndWhenARankIsMissing) {
  const auto outcome = job(4, "absent");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(errors(outcome), Words{"rank 3 has not come to 'norm' (collective 2) in 3 s; ranks 0-2 wait there "
                                   "(TRELLIS_WATCHDOG sets the time)"})
      << outcome.err;
}

TEST_F(Jobs, HaveLastWords) {
  const auto outcome = job(2, "last_words");
  EXPECT_EQ(outcome.code, 1);
  const auto found = errors(outcome);
  ASSERT_EQ(found.size(), 1U) << outcome.err;
  // The launcher's own text may come between the two.
  const std::string all = outcome.out + outcome.err;
  const auto place = all.find(found[0] + "\n");
  ASSERT_NE(place, std::string::npos) << all;
  EXPECT_NE(all.find("\nrank 0 adds to " + std::to_string(found[0].size()) + " letters\n", place), std::string::npos)
      << all;
  EXPECT_EQ((outcome.out + outcome.err).find("not these"), std::string::npos) << outcome.err;
}

TEST_F(Jobs, EndWhenARankIsMissingInAPart) {
  const auto outcome = job(4, "part");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(errors(outcome),
            Words{"nothing has come in 3 s: rank 0 waits in 'report' (collective 3); ranks 1, 2 wait in "
                  "'norm' (collective 1 of ranks 1-3); rank 3 waits for nothing "
                  "(TRELLIS_WATCHDOG sets the time)"})
      << outcome.err;
}

TEST_F(Jobs, EndWhenAMessageIsMissing) {
  const auto outcome = job(3, "message");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(errors(outcome),
            Words{"nothing has come in 3 s: rank 0 waits for a message of 'halo' from rank 2; rank 1 waits in 'norm' "
                  "(collective 2); rank 2 waits for nothing (TRELLIS_WATCHDOG sets the time)"})
      << outcome.err;
}

TEST_F(Jobs, EndWhenARankIsDoneTooEarly) {
  const auto outcome = job(3, "early");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(errors(outcome), Words{"nothing has come in 3 s: ranks 0, 1 wait in 'norm' (collective 2); rank 2 waits in "
                                   "'the end of the program' (collective 2) (TRELLIS_WATCHDOG sets the time)"})
      << outcome.err;
}

// Calls that block, during which a rank cannot check the time.
TEST_F(Jobs, EndWhenMpiOrAFileSystemBlocks) {
  const auto complaint = [](int rank, const std::string& where) {
    return "rank " + std::to_string(rank) + " waits in " + where +
           " for longer than 3 s: another rank has not come there, or the file system does not answer "
           "(TRELLIS_WATCHDOG sets the time)";
  };
  const auto messages = job(3, "first_messages");
  EXPECT_EQ(messages.code, 1);
  EXPECT_EQ(errors(messages), Words{complaint(0, "MPI_Comm_dup of the first messages")}) << messages.err;
  const std::string never_written = testing::TempDir() + "trellis_pipe_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(never_written.c_str(), 0600), 0);
  const auto silent = job(3, "silent_file " + never_written);
  ::unlink(never_written.c_str());
  EXPECT_EQ(silent.code, 1);
  // Ranks 1 and 2 wait there: the second one may find out before the first one has ended it.
  const Words found = errors(silent);
  EXPECT_FALSE(found.empty()) << silent.err;
  for (const auto& line : found)
    EXPECT_TRUE(line == complaint(1, "open of " + never_written) || line == complaint(2, "open of " + never_written))
        << line;
}

TEST_F(Jobs, PrintAnErrorOnce) {
  const auto all = job(4, "all_throw", "60");
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(errors(all), Words{"no such key"}) << all.err;
  const auto each = job(4, "each_throws", "60");
  EXPECT_EQ(each.code, 1);
  EXPECT_EQ(errors(each), Words{"I am 0"}) << each.err;
  const auto one = job(4, "one_throws", "60");
  EXPECT_EQ(one.code, 2);
  EXPECT_EQ(errors(one), Words{"rank 3: no such key"}) << one.err;
}

}  // namespace
}  // namespace trellis::comm
