// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/files_under_way.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/core/error.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;
using namespace test;

// The parts of a file, each with its own text.
FileBytes bytes_of(const std::vector<std::pair<std::uint64_t, std::string>>& parts) {
  auto owner = std::make_shared<std::vector<std::pair<std::uint64_t, std::string>>>(parts);
  FileBytes bytes{.size = 0, .parts = {}, .owner = owner};
  for (const auto& [offset, text] : *owner) {
    bytes.parts.push_back({offset, std::as_bytes(std::span(text))});
    bytes.size = std::max<std::uint64_t>(bytes.size, offset + text.size());
  }
  return bytes;
}

std::string long_text(std::size_t length) {
  std::string text(length, ' ');
  for (std::size_t n = 0; n < length; ++n) text[n] = static_cast<char>('a' + n * n % 23);
  return text;
}

TEST(FilesUnderWay, AFileIsInPlaceAfterFinish) {
  const TempFolder folder;
  write_all(folder / "a", "old");
  const auto text = long_text(50'000'003);  // several pieces, also beyond those that are on their way
  FilesUnderWay files;
  std::vector<std::string> story;
  files.start(
      folder / "a", bytes_of({{0, text.substr(0, 5)}, {5, text.substr(5)}}),
      [&](const fs::path& written) {
        EXPECT_EQ(read_all(folder / "a"), "old");
        EXPECT_TRUE(read_all(written) == text);
        story.emplace_back("checked");
      },
      [&] { story.push_back(read_all(folder / "a") == text ? "there" : "not there"); });
  EXPECT_FALSE(files.empty());
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_TRUE(fs::exists(folder / "a.part"));
  files.finish();
  EXPECT_EQ(story, (std::vector<std::string>{"checked", "there"}));
  EXPECT_TRUE(files.empty());
  EXPECT_FALSE(fs::exists(folder / "a.part"));
  EXPECT_GT(files.longest_seconds(), 0);
}

TEST(FilesUnderWay, FilesGetTheirNamesInOrderWithoutWaiting) {
  const TempFolder folder;
  FilesUnderWay files;
  std::string order;
  for (const char name : {'a', 'b', 'c'})
    files.start(
        folder / std::string(1, name), bytes_of({{0, long_text(name == 'a' ? 3'000'000 : 3)}}),
        [&, name](const fs::path&) {
          for (char later = name; later <= 'c'; ++later) EXPECT_FALSE(fs::exists(folder / std::string(1, later)));
        },
        [&order, name] { order += name; });
  while (!files.empty()) {
    files.look();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(files.waited_seconds(), 0);
  // The thread serves later files too.
  files.start(folder / "d", bytes_of({{0, "text"}}));
  files.finish();
  EXPECT_EQ(read_all(folder / "d"), "text");
}

TEST(FilesUnderWay, WithoutFinishNothingRemains) {
  const TempFolder folder;
  write_all(folder / "a", "old");
  {
    FilesUnderWay files;
    files.start(folder / "a", bytes_of({{0, long_text(100'000'000)}}));
    files.start(folder / "b", bytes_of({{0, "text"}}));
  }
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

// The second of two parts that overlap changes what the first has written.
TEST(FilesUnderWay, WhatReadsBackDifferentlyIsGivenUpAndWhatFollowsToo) {
  const TempFolder folder;
  write_all(folder / "b", "old");
  FilesUnderWay files;
  bool there = false;
  files.start(folder / "a", bytes_of({{0, "text"}}), {}, [&] { there = true; });
  files.start(folder / "b", bytes_of({{0, "abcdef"}, {3, "xyz"}}));
  files.start(folder / "c", bytes_of({{0, "text"}}));
  EXPECT_TRUE(contains(error_of([&] { files.finish(); }), "b: reads back differently from byte 3 on"));
  EXPECT_TRUE(there);
  EXPECT_EQ(read_all(folder / "a"), "text");
  EXPECT_EQ(read_all(folder / "b"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
  EXPECT_TRUE(files.empty());
  files.start(folder / "c", bytes_of({{0, "text"}}));
  files.finish();
  EXPECT_EQ(read_all(folder / "c"), "text");
}

TEST(FilesUnderWay, ACheckThatThrowsRefusesTheFile) {
  const TempFolder folder;
  write_all(folder / "a", "old");
  FilesUnderWay files;
  files.start(folder / "a", bytes_of({{0, "new"}}), [](const fs::path&) { fail("refused"); });
  EXPECT_EQ(error_of([&] { files.finish(); }), "refused");
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_FALSE(fs::exists(folder / "a.part"));
  EXPECT_TRUE(contains(error_of([&] { files.start(folder / "none" / "a", bytes_of({{0, "a"}})); }), "cannot create"));
}

// A limit on file sizes acts like a full disk: when space is reserved, and when it could not be reserved.
TEST(FilesUnderWay, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  const TempFolder folder;
  write_all(folder / "a", "old");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1'000'000, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  FilesUnderWay files;
  const auto reserving = error_of([&] {
    files.start(folder / "a", bytes_of({{0, long_text(20'000'000)}}));
    files.finish();
  });
  const auto writing = error_of([&] {
    auto bytes = bytes_of({{0, long_text(20'000'000)}});
    bytes.size = 0;  // nothing is reserved
    files.start(folder / "a", std::move(bytes));
    files.finish();
  });
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_TRUE(contains(reserving, "a") && contains(reserving, "File too large")) << reserving;
  EXPECT_TRUE(contains(writing, "a.part: cannot write byte 1000000: File too large")) << writing;
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_FALSE(fs::exists(folder / "a.part"));
}

}  // namespace
}  // namespace trellis::io
