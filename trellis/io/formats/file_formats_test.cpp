// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/file_formats.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/gauge_test_files.hpp"

namespace trellis::io {
namespace {

using namespace test;

TEST(FileFormats, EntriesAreComplete) {
  std::set<std::string> names, extensions, kinds;
  for (const auto& format : file_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_FALSE(format.title.empty()) << format.name;
    EXPECT_TRUE(format.match != nullptr && format.layout != nullptr) << format.name;
    EXPECT_EQ(format.write == nullptr, format.extensions.empty()) << format.name;
    for (const auto& extension : format.extensions) EXPECT_TRUE(extensions.insert(extension).second) << extension;
    // Checksums are computed from sites' bytes in our order.
    EXPECT_TRUE(format.read == nullptr || format.checksum.kinds.empty()) << format.name;
    EXPECT_EQ(format.checksum.add == nullptr, format.checksum.kinds.empty()) << format.name;
    for (const auto& kind : format.checksum.kinds) EXPECT_TRUE(kinds.insert(kind.name).second) << kind.name;
  }
}

// If a file could have two formats, the more certain one is used.
TEST(FileFormats, TheLikeliestIsTried) {
  const TempFolder folder;
  const Coordinate size{2, 2, 2, 2};
  const auto links = random_links(size, 31);
  const auto openqcd = openqcd_file(size, links, 0.1, ByteOrder::little);
  const auto likenesses = [&](const std::string& bytes) {
    const InputFile file(write_all(folder / "file", bytes));
    std::map<std::string, Likeness> found;
    for (const auto& format : file_formats())
      if (const auto likeness = format.match(file, std::string_view(bytes).substr(0, 256)); likeness != Likeness::none)
        found.emplace(format.name, likeness);
    return found;
  };
  using Found = std::map<std::string, Likeness>;
  EXPECT_EQ(likenesses(openqcd), (Found{{"openqcd", Likeness::certain}}));
  EXPECT_EQ(likenesses(openqcd.substr(0, 1000)), (Found{{"openqcd", Likeness::possible}}));
  EXPECT_EQ(likenesses("1 0 0 -1.5e3\n"), (Found{{"bridge-text", Likeness::likely}}));
  EXPECT_EQ(likenesses("BEGIN_HEADER\n"), (Found{{"nersc", Likeness::certain}}));
  EXPECT_EQ(likenesses(milc_file(size, links, ByteOrder::big)), (Found{{"milc", Likeness::certain}}));
  EXPECT_EQ(likenesses(lime_file({{"a", "b"}})), (Found{{"ildg", Likeness::certain}}));
  EXPECT_EQ(likenesses("x"), Found{});
  EXPECT_TRUE(contains(error_of([&] { GaugeReader(write_all(folder / "none", "nothing")); }),
                       "(ILDG/SciDAC, NERSC, MILC, openQCD, Bridge++ text)"));
}

}  // namespace
}  // namespace trellis::io
