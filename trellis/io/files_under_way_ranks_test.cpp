// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Files that several ranks write while they go on: they appear when all have written, and an error on one rank is the
// same error on all.
#include "trellis/io/files_under_way.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;
using test::contains, test::error_of, test::read_all, test::write_all;

constexpr std::size_t kShare = 1'000'003;  // bytes that each rank writes

class FilesUnderWayRanks : public ::testing::Test {
 protected:
  FilesUnderWayRanks() {
    if (ranks.is_first()) folder_.emplace();
    path_ = ranks.broadcast("folder", ranks.is_first() ? folder_->path().string() : "");
  }
  ~FilesUnderWayRanks() override { ranks.barrier("folder"); }

  fs::path at(const std::string& name) const { return path_ / name; }
  bool is_last() const { return ranks.rank() == ranks.size() - 1; }
  // This rank's share, with its own letter; with `broken` the last rank writes a part of it twice, and differently.
  FileBytes share(bool broken = false) const {
    auto owner = std::make_shared<std::pair<std::string, std::string>>(std::string(kShare, letter(ranks.rank())), "!");
    const auto first = kShare * std::uint64_t(ranks.rank());
    FileBytes bytes{.size = kShare * std::uint64_t(ranks.size()), .parts = {}, .owner = owner};
    bytes.parts.push_back({first, std::as_bytes(std::span(owner->first))});
    if (broken && is_last()) bytes.parts.push_back({first + 7, std::as_bytes(std::span(owner->second))});
    return bytes;
  }
  static char letter(int rank) { return static_cast<char>('a' + rank); }
  std::string whole() const {
    std::string text;
    for (int rank = 0; rank < ranks.size(); ++rank) text += std::string(kShare, letter(rank));
    return text;
  }

  const comm::Communicator ranks = comm::Communicator::world();
  std::optional<TemporaryFolder> folder_;
  fs::path path_;
};

TEST_F(FilesUnderWayRanks, FilesAppearOnAllRanksAtTheSameCall) {
  FilesUnderWay files(ranks);
  int there = 0, looks = 0;
  files.start(at("a"), share(), {}, [&] { ++there; });
  files.start(at("b"), share(), {}, [&] {
    EXPECT_EQ(there, 1);
    ++there;
  });
  while (!files.empty()) {
    // Ranks that come at different times.
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + 3 * ranks.rank()));
    files.look();
    ++looks;
  }
  EXPECT_EQ(there, 2);
  EXPECT_EQ(error_of([&] { ranks.require_same("number of looks", std::to_string(looks)); }), "");
  ranks.barrier("written");
  EXPECT_TRUE(read_all(at("a")) == whole());
  EXPECT_TRUE(read_all(at("b")) == whole());
  files.start(at("c"), share());
  files.finish();
  ranks.barrier("written");
  EXPECT_TRUE(read_all(at("c")) == whole());
  EXPECT_FALSE(fs::exists(at("c.part")));
}

TEST_F(FilesUnderWayRanks, AnErrorOnOneRankIsThatOfAllAndLeavesTheOldFile) {
  on_first_rank(ranks, "file", [&] { write_all(at("a"), "old"); });
  FilesUnderWay files(ranks);
  bool there = false;
  files.start(at("a"), share(true), {}, [&] { there = true; });
  files.start(at("b"), share());
  const auto error = error_of([&] { files.finish(); });
  EXPECT_TRUE(contains(
      error, fmt::format("reads back differently from byte {} on", kShare * std::uint64_t(ranks.size() - 1) + 7)))
      << error;
  EXPECT_EQ(error_of([&] { ranks.require_same("an error's message", error); }), "");
  ranks.barrier("given up");
  EXPECT_FALSE(there);
  EXPECT_EQ(read_all(at("a")), "old");
  for (const char* name : {"a.part", "b", "b.part"}) EXPECT_FALSE(fs::exists(at(name))) << name;
  ranks.barrier("looked");

  files.start(at("a"), share(), [](const fs::path&) { fail("refused"); });
  EXPECT_EQ(error_of([&] { files.finish(); }), "refused");
  EXPECT_TRUE(contains(error_of([&] { files.start(at("none/a"), share()); }), "cannot create"));
}

}  // namespace
}  // namespace trellis::io
