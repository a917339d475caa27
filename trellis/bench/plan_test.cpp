// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/plan.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::bench {
namespace {

// Two devices a machine, on which everything runs at its floor.
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

TrajectoryDescription some_trajectory() {
  TrajectoryDescription trajectory{.size = {32, 32, 32, 32},
                                   .loops = {5, -0.4},
                                   .gauge_terms = {"plaquette", "rectangle"},
                                   .hmc = {.length = 1, .levels = {}},
                                   .quarks = {.smearing = {0.15, 2}},
                                   .quark_terms = {{.name = "l", .mass = 0.1, .power = 0.5, .phases = {}}}};
  trajectory.hmc.levels = {{hmc::minimum_norm_2(0.19), 2, {"l"}},
                           {hmc::minimum_norm_2(0.19), 2, {"plaquette", "rectangle"}}};
  return trajectory;
}

TEST(Plan, AKernelByHand) {
  auto machine = some_machine();
  machine.launch_seconds = machine.wait_seconds = 1e-3;
  const TrajectoryDescription trajectory{.size = {8, 8, 8, 8}};
  const std::vector<FieldMemory> fields{{"links", 576, Ghosts::all}, {"vectors", 24, Ghosts::near}};
  const std::vector<KernelWork> work{{.name = "a", .calls = 10, .bytes = 100, .flops = 40, .sums = 1}};
  const auto one = plan(trajectory, work, fields, machine, 1);
  EXPECT_NEAR(one.seconds.computing, 10 * 4096 * 100 / 1e9, 1e-12);
  EXPECT_NEAR(one.seconds.launches, 10 * 1e-3, 1e-12);
  EXPECT_EQ(one.seconds.messages, 0);
  EXPECT_EQ(one.seconds.sums, 0);
  EXPECT_EQ(one.memory_bytes(), 4096 * 600);
  const auto four = plan(trajectory, work, fields, machine, 4);
  EXPECT_EQ(four.machines, 2);
  EXPECT_NEAR(four.seconds.computing, one.seconds.computing / 4, 1e-12);
  EXPECT_NEAR(four.seconds.sums, 10 * (2 * 1e-6 + 1e-3), 1e-12);
  EXPECT_GT(four.memory_bytes(), one.memory_bytes() / 4);  // ghosts

  machine.kernels = {{"a", false, 0.5}};
  EXPECT_NEAR(plan(trajectory, work, fields, machine, 1).seconds.computing, 2 * one.seconds.computing, 1e-12);
  machine.double_flops = 1e8;  // 40 flops take longer than 100 bytes
  EXPECT_NEAR(plan(trajectory, work, fields, machine, 1).seconds.computing, 2 * 10 * 4096 * 40 / 1e8, 1e-9);
}

TEST(Plan, MessagesByHand) {
  const auto machine = some_machine();
  const TrajectoryDescription trajectory{.size = {8, 8, 8, 8}};
  KernelWork kernel{.name = "a", .calls = 1, .bytes = 1000, .flops = 0, .halo = {.bytes = 10}};
  const auto apart = plan(trajectory, {kernel}, {}, machine, 2);
  EXPECT_EQ(apart.grid, (comm::Extents{1, 1, 1, 2}));
  const double sent = 10 * 2 * 512;  // two slices
  EXPECT_EQ(apart.halo_bytes, sent);
  EXPECT_NEAR(apart.seconds.messages, 4 * 1e-6 + sent / 4e9 + 4 * sent / 1e9, 1e-12);
  // On inner sites, half of four slices, 1 ms is computed meanwhile.
  kernel.halo.overlapped = true;
  const auto together = plan(trajectory, {kernel}, {}, machine, 2);
  EXPECT_NEAR(together.seconds.messages, 4 * sent / 1e9, 1e-12);
  // GPUs of one machine need no host, those of several do.
  auto gpus = machine;
  gpus.host_bandwidth = 1e8;
  gpus.wait_seconds = 1e-5;
  kernel.halo.overlapped = false;
  EXPECT_NEAR(plan(trajectory, {kernel}, {}, gpus, 2).seconds.messages, 3 * sent / 1e9 + 1e-6 + sent / 4e9, 1e-12);
  gpus.devices = 1;
  EXPECT_NEAR(plan(trajectory, {kernel}, {}, gpus, 2).seconds.messages,
              2 * sent / 1e9 + 2 * sent / 1e8 + 1e-5 + 4 * 1e-6 + sent / 1e9, 1e-12);
}

TEST(Plan, MoreDevices) {
  const auto trajectory = some_trajectory();
  auto machine = some_machine();
  const auto solves = solves_of(trajectory);
  const auto work = trajectory_work(trajectory, solves);
  const auto fields = trajectory_memory(trajectory, solves);
  const auto one = plan(trajectory, work, fields, machine, 1);
  double sum = 0;
  for (const auto& kernel : one.kernels) sum += kernel.seconds.total();
  EXPECT_NEAR(sum, one.seconds.total(), 1e-9 * sum);
  double before = one.seconds.total(), memory = one.memory_bytes();
  for (const int devices : {2, 4, 8, 16, 32, 64}) {
    const auto more = plan(trajectory, work, fields, machine, devices);
    EXPECT_EQ(more.grid[0] * more.grid[1] * more.grid[2] * more.grid[3], devices);
    for (std::size_t mu = 0; mu < 4; ++mu) EXPECT_EQ(more.block[mu] * more.grid[mu], 32);
    EXPECT_LT(more.seconds.total(), before);
    EXPECT_LT(more.memory_bytes(), memory);
    EXPECT_GT(more.memory_bytes(), memory / 2);  // ghosts
    EXPECT_GT(more.seconds.total(), one.seconds.total() / devices);
    before = more.seconds.total();
    memory = more.memory_bytes();
  }
  // Where messages cost much no number of devices helps.
  machine.inside->latency = machine.across->latency = 1;
  EXPECT_GT(plan(trajectory, work, fields, machine, 8).seconds.total(), one.seconds.total());
}

TEST(Plan, WhatDoesNotDivide) {
  const auto trajectory = some_trajectory();
  EXPECT_THROW(plan(trajectory, {}, {}, some_machine(), 3), InputError);
  auto machine = some_machine();
  machine.across.reset();
  EXPECT_THROW(plan(trajectory, {}, {}, machine, 4), InputError);
  EXPECT_NO_THROW(plan(trajectory, {}, {}, machine, 2));
}

}  // namespace
}  // namespace trellis::bench
