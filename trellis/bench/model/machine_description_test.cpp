// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/machine_description.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::bench {
namespace {

TEST(MachineDescription, BandwidthBySize) {
  MachineDescription machine;
  machine.array_bytes = {1e6, 1e8};
  machine.triad = {100e9, 20e9};
  EXPECT_EQ(machine.bandwidth(1), 100e9);
  EXPECT_EQ(machine.bandwidth(1e6), 100e9);
  EXPECT_NEAR(machine.bandwidth(1e7), 60e9, 1);
  EXPECT_EQ(machine.bandwidth(1e12), 20e9);
  machine.triad.clear();
  EXPECT_THROW(machine.bandwidth(1), Error);
}

TEST(MachineDescription, WhatKernelsReach) {
  MachineDescription machine;
  machine.other_kernels = 0.4;
  machine.kernels = {{"a", false, 0.9}, {"b", true, 0.7}};
  EXPECT_EQ(machine.of_floor("a", false), 0.9);
  EXPECT_EQ(machine.of_floor("a", true), 0.9);
  EXPECT_EQ(machine.of_floor("b", true), 0.7);
  EXPECT_EQ(machine.of_floor("c", true), 0.4);
}

TEST(MachineDescription, Links) {
  MachineDescription machine;
  machine.name = "m";
  machine.devices = 4;
  EXPECT_NO_THROW(machine.link_cost(1));
  EXPECT_THROW(machine.link_cost(2), InputError);
  machine.inside = LinkDescription{1e-6, 100e9};
  EXPECT_EQ(machine.link_cost(4).latency, 1e-6);
  EXPECT_THROW(machine.link_cost(8), InputError);
  machine.across = LinkDescription{2e-6, 10e9};
  const auto cost = machine.link_cost(8);
  EXPECT_EQ(cost.latency, 2e-6);
  EXPECT_EQ(cost.bandwidth, 10e9);
  EXPECT_EQ(cost.bandwidth_inside, 100e9);
  EXPECT_EQ(cost.ranks_on_machine, 4);
}

TEST(MachineDescription, GpusLaunchAhead) {
  MachineDescription machine;
  machine.launch_seconds = 1e-6;
  machine.wait_seconds = 1.1e-6;
  EXPECT_FALSE(machine.is_asynchronous());
  machine.wait_seconds = 9e-6;
  EXPECT_TRUE(machine.is_asynchronous());
}

}  // namespace
}  // namespace trellis::bench
