// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/size_option.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

TEST(SizeOption, Reads) {
  EXPECT_EQ(parse_size("8,8,8,16"), (Coordinate{8, 8, 8, 16}));
  EXPECT_EQ(parse_size("1x2x3x65536"), (Coordinate{1, 2, 3, 65536}));
}

TEST(SizeOption, RefusesAnythingElse) {
  for (const auto* text : {"", "8", "8,8,8", "8,8,8,8,8", "8,8,8,", "8,8,8,0", "-8,8,8,8", "8,8,8,8 ", " 8,8,8,8",
                           "8;8;8;8", "8,8,8,65537", "8,8,8,99999999999", "a,b,c,d"}) {
    EXPECT_THROW(parse_size(text), InputError) << text;
  }
}

}  // namespace
}  // namespace trellis::app
