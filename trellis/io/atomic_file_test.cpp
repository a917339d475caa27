// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/atomic_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/gauge_test_files.hpp"

namespace trellis::io {
namespace {

using namespace test;

TEST(AtomicFile, TheTargetChangesOnlyAtCommit) {
  const TempFolder folder;
  write_all(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new ");
    file.write("text");
    EXPECT_EQ(file.bytes(), 8U);
    EXPECT_EQ(read_all(folder / "a"), "old");
    file.commit();
    EXPECT_EQ(read_all(folder / "a"), "new text");
    EXPECT_FALSE(error_of([&] { file.commit(); }).empty());
  }
  EXPECT_EQ(read_all(folder / "a"), "new text");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
}

TEST(AtomicFile, WithoutCommitNothingRemains) {
  const TempFolder folder;
  {
    AtomicFile(folder / "a").write("text");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFile, ReadingBackSeesAChange) {
  const TempFolder folder;
  AtomicFile file(folder / "a");
  file.write("text");
  write_all(file.temporary(), "tent");
  EXPECT_TRUE(contains(error_of([&] { file.commit(); }), "reads back differently"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

// 8 MiB are read back as soon as some more are on their way.
TEST(AtomicFile, ManyPiecesAreReadBackEach) {
  const TempFolder folder;
  std::string text(std::size_t{50} << 20, 'a');
  for (std::size_t n = 0; n < text.size(); n += 4099) text[n] = static_cast<char>('a' + n % 26);
  {
    AtomicFile file(folder / "a");
    for (std::size_t at = 0; at < text.size(); at += 3'000'001)
      file.write(std::string_view(text).substr(at, 3'000'001));
    file.commit();
    EXPECT_EQ(file.bytes(), text.size());
  }
  EXPECT_TRUE(read_all(folder / "a") == text);
  AtomicFile file(folder / "a");
  file.write(std::string_view(text).substr(0, std::size_t{20} << 20));
  std::fstream(file.temporary(), std::ios::in | std::ios::out | std::ios::binary).seekp(9 << 20).put('!');
  EXPECT_TRUE(contains(error_of([&] {
                         file.write(std::string_view(text).substr(std::size_t{20} << 20));
                         file.commit();
                       }),
                       "reads back differently: 8388608 bytes from byte 8388608 on"));
  EXPECT_TRUE(read_all(folder / "a") == text);
}

TEST(AtomicFile, RoomIsFilledAtTheEnd) {
  const TempFolder folder;
  const std::string text(std::size_t{20} << 20, 'a');
  {
    AtomicFile file(folder / "a");
    file.leave_room(4);
    file.write(text);
    EXPECT_EQ(file.bytes(), text.size() + 4);
    EXPECT_TRUE(contains(error_of([&] { file.fill_room("12345"); }), "4 bytes were left, but 5"));
    file.fill_room("1234");
    file.commit();
  }
  EXPECT_TRUE(read_all(folder / "a") == "1234" + text);
  AtomicFile file(folder / "a");
  file.leave_room(4);
  file.write("text");
  EXPECT_TRUE(contains(error_of([&] { file.leave_room(4); }), "at the beginning"));
  EXPECT_TRUE(contains(error_of([&] { file.commit(); }), "first 4 bytes were not written"));
  file.fill_room("1234");
  std::fstream(file.temporary(), std::ios::in | std::ios::out | std::ios::binary).seekp(2).put('!');
  EXPECT_TRUE(contains(error_of([&] { file.commit(); }), "reads back differently"));
}

TEST(AtomicFile, ACheckThatThrowsRefusesTheFile) {
  const TempFolder folder;
  write_all(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
    EXPECT_EQ(
        error_of([&] { file.commit([](const std::filesystem::path& written) { fail("{}", read_all(written)); }); }),
        "new");
  }
  EXPECT_EQ(read_all(folder / "a"), "old");
}

TEST(AtomicFile, LeftoversAreTakenOverAndTwoWritersExcludeEachOther) {
  const TempFolder folder;
  write_all(folder / "a.part", "what a killed process left, longer than the new text");
  AtomicFile file(folder / "a");
  file.write("text");
  EXPECT_TRUE(contains(error_of([&] { AtomicFile(folder / "a"); }), "another process"));
  file.commit();
  EXPECT_EQ(read_all(folder / "a"), "text");
}

}  // namespace
}  // namespace trellis::io
