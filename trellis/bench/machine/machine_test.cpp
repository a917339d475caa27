// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/machine.hpp"

#include <gtest/gtest.h>

#include "trellis/core/device/devices.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::bench {
namespace {

class Machine : public testing::Test {
 protected:
  void SetUp() override {
    try {
      require_device();
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

// Bounds that hold for any current machine.
TEST_F(Machine, FiguresArePossible) {
  constexpr double mega = 1e6, peta = 1e15;
  const tuning::TimingParameters timing{1, 1e-6};
  const auto w = measure_bandwidth(1 << 20, timing);
  EXPECT_GT(w.bytes, 1 << 18);
  for (const double rate : {w.copy, w.copy_streaming, w.triad, w.triad_streaming, w.read, w.write, w.best()}) {
    EXPECT_GT(rate, mega);
    EXPECT_LT(rate, peta);
  }
  const auto peak = measure_peak_flops(timing);
  for (const double rate : {peak.single, peak.double_}) {
    EXPECT_GT(rate, mega);
    EXPECT_LT(rate, peta);
  }
}

TEST_F(Machine, HasAName) {
  EXPECT_FALSE(tuning::runs_on().empty());
  EXPECT_NE(tuning::machine_identity().find(tuning::processor()), std::string::npos);
}

}  // namespace
}  // namespace trellis::bench
