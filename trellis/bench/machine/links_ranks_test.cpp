// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/links.hpp"

#include <gtest/gtest.h>

namespace trellis::bench {
namespace {

// All ranks are on this machine here. Bounds that hold for any current machine.
TEST(LinksOfRanks, FiguresArePossible) {
  const auto ranks = comm::Communicator::world();
  const auto links = measure_links(ranks);
  EXPECT_FALSE(links.across);
  ASSERT_EQ(links.inside.has_value(), ranks.size() > 1);
  if (!links.inside) return;
  EXPECT_GT(links.inside->latency, 1e-8);
  EXPECT_LT(links.inside->latency, 1);
  EXPECT_GT(links.inside->bandwidth, 1e5);
  EXPECT_LT(links.inside->bandwidth, 1e13);
}

}  // namespace
}  // namespace trellis::bench
