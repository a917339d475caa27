// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/job.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "trellis/app/job/shared_folder.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

std::vector<int> threads(const std::vector<RankMachine>& ranks) {
  std::vector<int> all;
  for (std::size_t r = 0; r < ranks.size(); ++r) all.push_back(threads_of(ranks, r));
  return all;
}

TEST(Job, RanksShareTheProcessorsThatTheyMayUse) {
  const std::vector<std::string> four{"0", "1", "2", "3"}, low{"0", "1"}, high{"2", "3"};
  EXPECT_EQ(threads({{"a", four}}), (std::vector{4}));
  EXPECT_EQ(threads({{"a", four}, {"a", four}}), (std::vector{2, 2}));
  EXPECT_EQ(threads({{"a", low}, {"a", high}}), (std::vector{2, 2}));  // bound by the launcher
  EXPECT_EQ(threads({{"a", four}, {"b", four}}), (std::vector{4, 4}));
  EXPECT_EQ(threads({{"a", low}, {"a", low}, {"a", low}, {"b", low}}), (std::vector{1, 1, 1, 2}));
  EXPECT_EQ(threads({{"a", {}}}), (std::vector{1}));
}

TEST(Job, RanksThatShareProcessorsAreNumbered) {
  const std::vector<std::string> four{"0", "1", "2", "3"}, low{"0", "1"}, high{"2", "3"};
  const std::vector<RankMachine> ranks{{"a", low}, {"a", high}, {"b", four}, {"a", low}, {"a", {}}};
  const auto expect = [&](std::size_t rank, int number, int of) {
    const auto shared = sharing_of(ranks, rank);
    EXPECT_EQ(shared.rank, number);
    EXPECT_EQ(shared.ranks, of);
  };
  expect(0, 0, 2);
  expect(3, 1, 2);
  expect(1, 0, 1);
  expect(2, 0, 1);
  expect(4, 0, 1);
}

std::vector<int> devices(const std::vector<RankMachine>& ranks, bool others = false) {
  std::vector<int> all;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    all.push_back(others ? device_of(ranks, r).others : device_of(ranks, r).number);
  return all;
}

TEST(Job, EachRankOfAMachineGetsAGpuOfItsOwn) {
  const std::vector<std::string> two{"01:00", "02:00"};
  EXPECT_EQ(devices({{"a", two}, {"a", two}, {"b", two}, {"b", two}}), (std::vector{0, 1, 0, 1}));
  EXPECT_EQ(devices({{"a", two}, {"b", two}, {"a", two}, {"b", two}}), (std::vector{0, 0, 1, 1}));
  // Each rank sees only its own.
  const std::vector<RankMachine> own{{"a", {"01:00"}}, {"a", {"02:00"}}};
  EXPECT_EQ(devices(own), (std::vector{0, 0}));
  EXPECT_EQ(devices(own, true), (std::vector{0, 0}));
  // More ranks than GPUs.
  const std::vector<RankMachine> many(3, {"a", two});
  EXPECT_EQ(devices(many), (std::vector{0, 1, 0}));
  EXPECT_EQ(devices(many, true), (std::vector{0, 0, 1}));
  EXPECT_EQ(devices({{"a", {}}}), (std::vector{-1}));
}

TEST(Job, GridsOfOneProcess) {
  MachineInput machine;
  EXPECT_EQ(job_grid({4, 4, 4, 4}, machine).size(), 1);
  machine.ranks = {1, 1, 1, 1};
  EXPECT_EQ(job_grid({4, 4, 4, 4}, machine).size(), 1);
  machine.ranks = {1, 1, 2, 2};
  try {
    job_grid({4, 4, 4, 4}, machine);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "machine.ranks: 1x1x2x2 is a grid of 4 ranks, but this job has 1; start it with mpirun -n 4");
  }
  machine.ranks_from = "in.toml:3:9: machine.ranks";
  set_ranks(machine, "1x1x1x2");
  for (const auto& grid : {std::function([&] { return job_grid({4, 4, 4, 4}, machine); }),
                           std::function([&] { return job_grid({4, 4, 4, 4}, "1x1x1x2"); })})
    try {
      grid();
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "--ranks: 1x1x1x2 is a grid of 2 ranks, but this job has 1; start it with mpirun -n 2");
    }
  EXPECT_EQ(parse_ranks("1x1x2x4"), (std::array{1, 1, 2, 4}));
  EXPECT_EQ(parse_ranks("1,1,2,4"), (std::array{1, 1, 2, 4}));
  EXPECT_THROW(parse_ranks("1x1x2"), InputError);
  EXPECT_THROW(parse_ranks("1x0x2x1"), InputError);
}

TEST(Job, WhatTheFirstRankDoesOneProcessDoes) {
  EXPECT_EQ(by_first_rank([] { return 3; }), 3);
  EXPECT_THROW(by_first_rank([]() -> int { fail_input("x"); }), InputError);
}

TEST(SharedFolder, IsTheSameAsFarAsRanksCanTell) {
  const FolderView here{"a 1", "o", "8:42"}, elsewhere{"b 2", "o", "50:42"};
  EXPECT_EQ(folder_problem({here, here, elsewhere}, "o"), "");
  // Numbers of devices and files say nothing about another machine.
  EXPECT_EQ(folder_problem({here, {"b 2", "o", "50:7"}}, "o"), "");
  const std::string same =
      "the folder must be the same on all machines, and relative paths begin in the folder where "
      "each rank was started";
  EXPECT_EQ(folder_problem({here, here, {"a 1", "o", "8:43"}}, "o"),
            "output.directory: o: rank 2 on a sees another folder than rank 0 on a: " + same);
  EXPECT_EQ(folder_problem({{"a 1", "", "8:42"}, {"b 2", "p/o", "8:2"}}, "p/o"),
            "output.directory: p/o: rank 1 on b sees another folder than rank 0 on a (p/o does not exist there, it "
            "exists here): " +
                same);
}

TEST(SharedFolder, OneRankSeesWhatItSees) {
  require_shared_folder({}, "none/such");
  require_lock_is_seen({}, "none/such.lock");
}

}  // namespace
}  // namespace trellis::app
