// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/paths/different_files.hpp"

#include <gtest/gtest.h>

#include "tests/support/gauge_test_files.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;

TEST(DifferentFiles, PathsAndLinksLeadToTheSameOne) {
  const test::TempFolder folder;
  test::write_all(folder / "a", "one");
  test::write_all(folder / "b", "one");
  fs::create_directory(folder / "inner");
  fs::create_symlink(folder / "a", folder / "soft");
  fs::create_hard_link(folder / "a", folder / "hard");
  fs::create_directory_symlink(folder.path(), folder / "folder");
  for (const auto* name : {"a", "./a", "inner/../a", "soft", "hard", "folder/a"})
    EXPECT_TRUE(is_same_file(folder / "a", folder / name)) << name;
  EXPECT_TRUE(is_same_file(fs::relative(folder / "a"), folder / "a"));
  EXPECT_FALSE(is_same_file(folder / "a", folder / "b"));
  // What is not there yet.
  EXPECT_TRUE(is_same_file(folder / "new", folder / "folder/new"));
  EXPECT_TRUE(is_same_file(fs::relative(folder.path()) / "new", folder / "inner/../new"));
  EXPECT_FALSE(is_same_file(folder / "new", folder / "newer"));
  EXPECT_FALSE(is_same_file(folder / "new", folder / "a"));
}

TEST(DifferentFiles, OptionsAreNamed) {
  const test::TempFolder folder;
  test::write_all(folder / "a", "one");
  const NamedFile in{"--in", folder / "a"}, none{"--none", ""}, out{"--out", folder / "x"};
  EXPECT_NO_THROW(require_different_files({in, in, none}, {none, out, none}));
  EXPECT_TRUE(test::contains(test::error_of([&] { require_different_files({none, in}, {out, {"--more", in.path}}); }),
                             "--more: " + in.path.string() + " would replace the file of --in"));
  EXPECT_TRUE(test::contains(test::error_of([&] { require_different_files({in}, {out, none, {"--more", out.path}}); }),
                             "--more: " + out.path.string() + " is also the file of --out"));
  EXPECT_THROW(require_different_files(in.path, in.path), InputError);
}

}  // namespace
}  // namespace trellis::io
