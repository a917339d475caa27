// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/read_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace trellis::reference {
namespace {

TEST(ReferenceReadFiles, MilcLinksAreSu3InBothByteOrders) {
  const GaugeConfiguration little = read_milc(TRELLIS_TEST_DATA "/milc/lat.sample.l4444");
  const GaugeConfiguration big = read_milc(TRELLIS_TEST_DATA "/milc/lat.sample.l4448");
  EXPECT_EQ(little.size, (Site{4, 4, 4, 4}));
  EXPECT_EQ(big.size, (Site{4, 4, 4, 8}));
  for (const Matrix& m : little.links) ASSERT_LT(distance_from_su3(m), 2e-6);
  for (const Matrix& m : big.links) ASSERT_LT(distance_from_su3(m), 2e-6);
}

TEST(ReferenceReadFiles, TextLinksAreSu3) {
  // The worst link of this file deviates by 1.3e-11, the average one by 4e-13.
  for (const Matrix& m : read_text(TRELLIS_TEST_DATA "/qcdm/testconf.txt", {4, 4, 4, 4}).links)
    ASSERT_LT(distance_from_su3(m), 2e-11);
}

TEST(ReferenceReadFiles, BadFilesAreRefused) {
  EXPECT_THROW(read_milc(TRELLIS_TEST_DATA "/milc/no such file"), std::runtime_error);
  EXPECT_THROW(read_milc(TRELLIS_TEST_DATA "/qcdm/testconf.txt"), std::runtime_error);
  EXPECT_THROW(read_text(TRELLIS_TEST_DATA "/qcdm/testconf.txt", {4, 4, 4, 8}), std::runtime_error);
}

}  // namespace
}  // namespace trellis::reference
