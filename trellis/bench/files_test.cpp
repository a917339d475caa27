// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "trellis/bench/machine/plain_file.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::bench {
namespace {

TEST(Files, EveryRoundHasItsTimesAndNothingRemains) {
  const io::TemporaryFolder folder;
  for (const FileKind& kind : {FileKind{"ildg", Precision::double_},
                               {"ildg", Precision::single},
                               {"nersc", Precision::single},
                               {"openqcd", Precision::double_},
                               {"milc", Precision::single}}) {
    const auto times = time_files({4, 4, 4, 8}, 1, kind, folder.path(), 3);
    const std::uint64_t links = 512U * 72U * unsigned(arithmetic_bytes(kind.precision));
    EXPECT_GT(times.bytes, links);
    EXPECT_LT(times.bytes, links + 10'000);
    for (const auto* one : {&times.plain_write, &times.save, &times.plain_read, &times.load}) {
      ASSERT_EQ(one->size(), 3U);
      for (const double seconds : *one) EXPECT_GT(seconds, 0);
    }
    ASSERT_EQ(times.take.size(), kind.format == "ildg" ? 3U : 0U);
    for (std::size_t n = 0; n < times.take.size(); ++n) EXPECT_LT(times.take[n], times.save[n]);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THROW(time_files({4, 4, 4, 4}, 1, {}, folder / "none", 1), InputError);
  EXPECT_THROW(time_files({4, 4, 4, 4}, 1, {"milc", Precision::double_}, folder.path(), 1), InputError);
}

TEST(PlainFile, WritesAndReadsTheBytes) {
  const io::TemporaryFolder folder;
  std::vector<std::byte> bytes(20'000'001), back(bytes.size());
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = std::byte(n % 251);
  EXPECT_GT(write_plainly(folder / "a", bytes), 0);
  EXPECT_EQ(std::filesystem::file_size(folder / "a"), bytes.size());
  EXPECT_GT(read_plainly(folder / "a", back), 0);
  EXPECT_TRUE(bytes == back);
  back.resize(back.size() + 1);
  EXPECT_THROW(read_plainly(folder / "a", back), Error);
  EXPECT_THROW(write_plainly(folder / "none" / "a", bytes), Error);
}

}  // namespace
}  // namespace trellis::bench
