// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/checkpoint.hpp"

#include <gtest/gtest.h>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::io {
namespace {

using test::read_all;
using test::TempFolder;
using test::write_all;

const Coordinate kSize{2, 2, 2, 4};

TEST(Checkpoint, LinksAndTextComeBackToTheLastBit) {
  const TempFolder folder;
  const auto links = test::random_links(kSize, 5);
  const CheckpointText text{{{"completed", "17"}, {"sum", "-0x1.8p+3"}}, "[action]\nbeta = 6.0\n"};
  write_checkpoint(folder / "c", kSize, source_of(links), text);
  const auto found = read_checkpoint_text(folder / "c");
  EXPECT_EQ(found.state, text.state);
  EXPECT_EQ(found.input, text.input);
  EXPECT_EQ(found.value("completed"), "17");
  EXPECT_THROW(found.value("accepted"), Error);
  EXPECT_EQ(load_links(folder / "c").links, links);
  // Writing the same again gives the same bytes.
  const auto bytes = read_all(folder / "c");
  write_checkpoint(folder / "c", kSize, source_of(links), text);
  EXPECT_EQ(read_all(folder / "c"), bytes);
}

TEST(Checkpoint, EveryFlippedBitOfTheTextIsFound) {
  const TempFolder folder;
  const auto links = test::random_links(kSize, 5);
  const CheckpointText text{{{"completed", "17"}}, "beta = 6.0\n"};
  write_checkpoint(folder / "c", kSize, source_of(links), text);
  const auto bytes = read_all(folder / "c");
  for (const std::string part : {"completed = 17\ncrc32 = ", "beta = 6.0\n"}) {
    const auto at = bytes.rfind(part);
    ASSERT_NE(at, std::string::npos);
    for (std::size_t i = at; i < at + part.size() + (part[0] == 'c' ? 8 : 0); ++i) {
      auto bad = bytes;
      bad[i] = static_cast<char>(bad[i] ^ 4);
      write_all(folder / "bad", bad);
      EXPECT_THROW(read_checkpoint_text(folder / "bad"), Error) << i - at << " of " << part;
    }
  }
}

TEST(Checkpoint, OtherFilesAreNone) {
  EXPECT_THROW(read_checkpoint_text(TRELLIS_TEST_DATA "/milc/lat.sample.l4444.ildg"), Error);
  EXPECT_THROW(read_checkpoint_text(TRELLIS_TEST_DATA "/milc/lat.sample.l4444"), Error);
  EXPECT_THROW(read_checkpoint_text("/none"), InputError);
}

}  // namespace
}  // namespace trellis::io
