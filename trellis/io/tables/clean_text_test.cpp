// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/clean_text.hpp"

#include <gtest/gtest.h>

namespace trellis::io {
namespace {

TEST(CleanText, KeepsLettersOfAllLanguages) {
  EXPECT_EQ(clean("ü.ildg"), "ü.ildg");
  EXPECT_EQ(clean("π \n\u4e2d\U0001f600"), "π  \u4e2d\U0001f600");
  EXPECT_EQ(clean("a\tb\x1b[1m\x7f"), "a b?[1m?");
  EXPECT_EQ(clean("\u009b"), "??");  // controls a terminal
}

TEST(CleanText, WhatIsNoUtf8IsReplaced) {
  EXPECT_EQ(clean("a\xff"
                  "b"),
            "a?b");
  EXPECT_EQ(clean("\xc3"), "?");                 // ends too early
  EXPECT_EQ(clean("\xc0\xaf"), "??");            // longer than needed
  EXPECT_EQ(clean("\xe0\x80\xaf"), "???");       // the same
  EXPECT_EQ(clean("\xed\xa0\x80"), "???");       // half of a pair of UTF-16
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), "????");  // beyond Unicode
}

TEST(CleanText, ClipsBetweenCharacters) {
  const std::string even = std::string(84, 'a') + "üüüü", odd = "a" + even;
  EXPECT_EQ(clip(even), std::string(84, 'a') + "ü...");
  EXPECT_EQ(clip(odd), std::string(85, 'a') + "ü...");
  EXPECT_EQ(clip(std::string(90, 'a')), std::string(90, 'a'));
}

TEST(CleanText, AsciiHasOneCharacterForEach) { EXPECT_EQ(clean_ascii("fü\u4e2d\xff"), "f???"); }

}  // namespace
}  // namespace trellis::io
