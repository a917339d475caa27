// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/links.hpp"

#include <gtest/gtest.h>

namespace trellis::bench {
namespace {

TEST(Links, Partners) {
  EXPECT_EQ(partners_inside({"a"}), std::vector<int>{0});
  EXPECT_EQ(partners_inside({"a", "a", "a"}), (std::vector<int>{1, 0, 2}));
  EXPECT_EQ(partners_inside({"a", "b", "a", "b"}), (std::vector<int>{2, 3, 0, 1}));
  EXPECT_EQ(partners_across({"a", "a"}), (std::vector<int>{0, 1}));
  EXPECT_EQ(partners_across({"a", "a", "b", "b"}), (std::vector<int>{2, 3, 0, 1}));
  EXPECT_EQ(partners_across({"a", "a", "b", "c", "c"}), (std::vector<int>{2, 1, 0, 3, 4}));
}

TEST(Links, OneProcessHasNone) {
  const auto links = measure_links(comm::Communicator());
  EXPECT_FALSE(links.inside);
  EXPECT_FALSE(links.across);
}

}  // namespace
}  // namespace trellis::bench
