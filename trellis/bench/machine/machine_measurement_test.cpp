// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/machine_measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "trellis/core/device/devices.hpp"

namespace trellis::bench {
namespace {

TEST(MachineMeasurement, IsAMachine) {
  try {
    require_device();
  } catch (const std::exception& error) {
    GTEST_SKIP() << error.what();
  }
  const auto machine = measure_machine(comm::Communicator(),
                                       {.seconds = 1e-6, .largest_arrays = 1 << 22, .lattice = Coordinate{4, 4, 4, 4}});
  EXPECT_FALSE(machine.name.empty());
  EXPECT_EQ(machine.devices, 1);
  EXPECT_GT(machine.device_memory_bytes, 1e8);
  ASSERT_EQ(machine.array_bytes.size(), machine.triad.size());
  EXPECT_TRUE(std::is_sorted(machine.array_bytes.begin(), machine.array_bytes.end()));
  for (const double value : {machine.single_flops, machine.double_flops, machine.triad.front()}) EXPECT_GT(value, 1e6);
  for (const double value : {machine.launch_seconds, machine.wait_seconds}) EXPECT_GT(value, 0);
  EXPECT_FALSE(machine.inside || machine.across);
  for (const char* name : {"heatbath", "staggered operator", "gauge force with rectangles", "stout force"})
    EXPECT_TRUE(std::any_of(machine.kernels.begin(), machine.kernels.end(), [&](const auto& kernel) {
      return kernel.kernel == name && !kernel.single;
    })) << name;
  EXPECT_TRUE(std::any_of(machine.kernels.begin(), machine.kernels.end(), [](const auto& k) { return k.single; }));
  for (const auto& kernel : machine.kernels) EXPECT_GT(kernel.of_floor, 0) << kernel.kernel;
}

}  // namespace
}  // namespace trellis::bench
