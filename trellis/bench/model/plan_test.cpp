// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/plan.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::bench {
namespace {

// Two devices per machine, on which everything runs at its floor.
MachineDescription some_machine() {
  MachineDescription machine;
  machine.name = std::string("m");
  machine.devices = 2;
  machine.device_memory_bytes = 1e12;
  machine.array_bytes = {1e9};
  machine.triad = {1e9};
  machine.single_flops = 2e9;
  machine.double_flops = 1e9;
  machine.other_kernels = 1;
  machine.inside = LinkDescription{1e-6, 4e9};
  machine.across = LinkDescription{1e-6, 1e9};
  return machine;
}

constexpr Coordinate small{8, 8, 8, 8};

// Hops, sums and links of a 32^4 lattice.
PlannedTrajectory some_trajectory() {
  return {.kernels = {{.name = "hops",
                       .calls = 1000,
                       .bytes = 400,
                       .flops = 570,
                       .halos = {{.bytes = 48, .of_parity = true, .overlapped = true}}},
                      {.name = "norms", .calls = 1000, .bytes = 24, .flops = 12, .sums = 1},
                      {.name = "update links",
                       .calls = 10,
                       .bytes = 1400,
                       .flops = 3500,
                       .halos = {{.bytes = 576, .reach = Reach::corners}}}},
          .fields = {{"links", 576, Ghosts::all}, {"vectors", 240, Ghosts::near}}};
}

TEST(Plan, AKernelByHand) {
  auto machine = some_machine();
  machine.launch_seconds = machine.wait_seconds = 1e-3;
  const PlannedTrajectory trajectory{.kernels = {{.name = "a", .calls = 10, .bytes = 100, .flops = 40, .sums = 1}},
                                     .fields = {{"links", 576, Ghosts::all}, {"vectors", 24, Ghosts::near}}};
  const auto one = plan(small, trajectory, machine, 1);
  EXPECT_NEAR(one.seconds.computing, 10 * 4096 * 100 / 1e9, 1e-12);
  EXPECT_NEAR(one.seconds.launches, 10 * 1e-3, 1e-12);
  EXPECT_EQ(one.seconds.messages, 0);
  EXPECT_EQ(one.seconds.sums, 0);
  EXPECT_EQ(one.memory_bytes(), 4096 * 600);
  const auto four = plan(small, trajectory, machine, 4);
  EXPECT_EQ(four.machines, 2);
  EXPECT_NEAR(four.seconds.computing, one.seconds.computing / 4, 1e-12);
  EXPECT_NEAR(four.seconds.sums, 10 * (2 * 1e-6 + 1e-3), 1e-12);
  EXPECT_GT(four.memory_bytes(), one.memory_bytes() / 4);  // ghosts

  machine.kernels = {{"a", false, 0.5}};
  EXPECT_NEAR(plan(small, trajectory, machine, 1).seconds.computing, 2 * one.seconds.computing, 1e-12);
  machine.double_flops = 1e8;  // 40 flops take longer than 100 bytes
  EXPECT_NEAR(plan(small, trajectory, machine, 1).seconds.computing, 2 * 10 * 4096 * 40 / 1e8, 1e-9);
}

TEST(Plan, MessagesByHand) {
  const auto machine = some_machine();
  KernelWork kernel{.name = "a", .calls = 1, .bytes = 1000, .flops = 0, .halos = {{.bytes = 10}}};
  const auto apart = plan(small, {{kernel}, {}}, machine, 2);
  EXPECT_EQ(apart.grid, (Coordinate{1, 1, 1, 2}));
  const double sent = 10 * 2 * 512;  // two slices
  EXPECT_EQ(apart.halo_bytes, sent);
  EXPECT_NEAR(apart.seconds.messages, 4 * 1e-6 + sent / 4e9 + 4 * sent / 1e9, 1e-12);
  // Meanwhile 1 ms of work is done on inner sites, half of four slices.
  kernel.halos[0].overlapped = true;
  const auto together = plan(small, {{kernel}, {}}, machine, 2);
  EXPECT_NEAR(together.seconds.messages, 4 * sent / 1e9, 1e-12);
  // GPUs of one machine do not need the host, those of several do.
  auto gpus = machine;
  gpus.host_bandwidth = 1e8;
  gpus.wait_seconds = 1e-5;
  kernel.halos[0].overlapped = false;
  EXPECT_NEAR(plan(small, {{kernel}, {}}, gpus, 2).seconds.messages, 3 * sent / 1e9 + 1e-6 + sent / 4e9, 1e-12);
  gpus.devices = 1;
  EXPECT_NEAR(plan(small, {{kernel}, {}}, gpus, 2).seconds.messages,
              2 * sent / 1e9 + 2 * sent / 1e8 + 1e-5 + 4 * 1e-6 + sent / 1e9, 1e-12);
}

TEST(Plan, MoreDevices) {
  const auto trajectory = some_trajectory();
  auto machine = some_machine();
  const Coordinate size{32, 32, 32, 32};
  const auto one = plan(size, trajectory, machine, 1);
  double sum = 0;
  for (const auto& kernel : one.kernels) sum += kernel.seconds.total();
  EXPECT_NEAR(sum, one.seconds.total(), 1e-9 * sum);
  double before = one.seconds.total(), memory = one.memory_bytes();
  for (const int devices : {2, 4, 8, 16, 32, 64}) {
    const auto more = plan(size, trajectory, machine, devices);
    EXPECT_EQ(more.grid[0] * more.grid[1] * more.grid[2] * more.grid[3], devices);
    for (std::size_t mu = 0; mu < 4; ++mu) EXPECT_EQ(more.block[mu] * more.grid[mu], 32);
    EXPECT_LT(more.seconds.total(), before);
    EXPECT_LT(more.memory_bytes(), memory);
    EXPECT_GT(more.memory_bytes(), memory / 2);  // ghosts
    EXPECT_GT(more.seconds.total(), one.seconds.total() / devices);
    before = more.seconds.total();
    memory = more.memory_bytes();
  }
  // If messages are expensive, more devices do not help.
  machine.inside->latency = machine.across->latency = 1;
  EXPECT_GT(plan(size, trajectory, machine, 8).seconds.total(), one.seconds.total());
}

TEST(Plan, WhatDoesNotDivide) {
  EXPECT_THROW(plan(small, {}, some_machine(), 3), InputError);
  auto machine = some_machine();
  machine.across.reset();
  EXPECT_THROW(plan(small, {}, machine, 4), InputError);
  EXPECT_NO_THROW(plan(small, {}, machine, 2));
}

}  // namespace
}  // namespace trellis::bench
