// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/machine_file.hpp"

#include <gtest/gtest.h>

#include "tests/support/message_of.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

const char* const smallest =
    "[node]\nname = \"n\"\n[device]\nname = \"d\"\nmemory_bytes = 1e9\ntriad = [1e11]\nsingle_flops = 2e12\n"
    "double_flops = 1e12\n";

std::string message_of(const std::string& text) {
  return test::message_of<InputError>([&] { parse_machine_file(text, "m.toml"); });
}

void expect_equal(const bench::MachineDescription& a, const bench::MachineDescription& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.devices, b.devices);
  EXPECT_EQ(a.cores, b.cores);
  EXPECT_EQ(a.memory_bytes, b.memory_bytes);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.device_memory_bytes, b.device_memory_bytes);
  EXPECT_EQ(a.array_bytes, b.array_bytes);
  EXPECT_EQ(a.triad, b.triad);
  EXPECT_EQ(a.single_flops, b.single_flops);
  EXPECT_EQ(a.double_flops, b.double_flops);
  EXPECT_EQ(a.launch_seconds, b.launch_seconds);
  EXPECT_EQ(a.wait_seconds, b.wait_seconds);
  EXPECT_EQ(a.host_bandwidth, b.host_bandwidth);
  EXPECT_EQ(a.other_kernels, b.other_kernels);
  for (const auto link : {&bench::MachineDescription::inside, &bench::MachineDescription::across}) {
    ASSERT_EQ((a.*link).has_value(), (b.*link).has_value());
    if (!(a.*link)) continue;
    EXPECT_EQ((a.*link)->latency, (b.*link)->latency);
    EXPECT_EQ((a.*link)->bandwidth, (b.*link)->bandwidth);
  }
  ASSERT_EQ(a.kernels.size(), b.kernels.size());
  for (std::size_t n = 0; n < a.kernels.size(); ++n) {
    EXPECT_EQ(a.kernels[n].kernel, b.kernels[n].kernel);
    EXPECT_EQ(a.kernels[n].single, b.kernels[n].single);
    EXPECT_EQ(a.kernels[n].of_floor, b.kernels[n].of_floor);
  }
}

TEST(MachineFile, ReadsBackWhatWasWritten) {
  bench::MachineDescription machine;
  machine.name = "a \"machine\"";
  machine.devices = 4;
  machine.cores = 64;
  machine.memory_bytes = 5.1e11;
  machine.device = "GPU";
  machine.device_memory_bytes = 8e10;
  machine.array_bytes = {1e6, 1.5e9};
  machine.triad = {3.1e12, 2.3456e12};
  machine.single_flops = 6.7e13;
  machine.double_flops = 3.4e13;
  machine.launch_seconds = 4.3e-6;
  machine.wait_seconds = 9.5e-6;
  machine.other_kernels = 0.45;
  machine.host_bandwidth = 5.5e10;
  const auto again = [](const bench::MachineDescription& m) {
    return parse_machine_file(machine_file_text(m, "measured"), "m.toml");
  };
  expect_equal(again(machine), machine);
  machine.inside = bench::LinkDescription{2e-6, 3.7e11};
  expect_equal(again(machine), machine);
  machine.across = bench::LinkDescription{5e-6, 5e10};
  machine.kernels = {{"staggered hops", false, 0.9}, {"staggered hops", true, 0.87}};
  expect_equal(again(machine), machine);
  machine.inside.reset();
  expect_equal(again(machine), machine);
  EXPECT_TRUE(machine_file_text(machine, "measured by me").starts_with("# measured by me\n"));
}

TEST(MachineFile, Defaults) {
  const auto machine = parse_machine_file(smallest, "m.toml");
  EXPECT_EQ(machine.devices, 1);
  EXPECT_EQ(machine.other_kernels, 0.5);
  EXPECT_EQ(machine.bandwidth(1), 1e11);
  EXPECT_EQ(machine.bandwidth(1e15), 1e11);
  EXPECT_EQ(machine.launch_seconds, 0);
  EXPECT_FALSE(machine.inside || machine.across);
}

TEST(MachineFile, WhatIsWrong) {
  const std::string some = smallest;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "m.toml: node: missing"},
      {"[node]\nname = \"n\"\n", "device: missing"},
      {some + "lunch_seconds = 1e-6\n",
       "m.toml:9:1: device.lunch_seconds: unknown key; did you mean 'launch_seconds'?"},
      {some + "array_bytes = [1e6, 1e7]\n", "device.array_bytes: found 2 sizes, but 1 bandwidths in triad"},
      {some + "other_kernels = 0\n", "device.other_kernels: found the integer 0, expected a number above 0"},
      {some + "kernels = [{ name = \"a\", of_flor = 1.0 }]\n",
       "device.kernels[0].of_flor: unknown key; did you mean 'of_floor'?"},
      {some + "kernels = [{ name = \"a\", precision = \"half\", of_floor = 1.0 }]\n", "found the string \"half\""},
      {some + "[links]\nlatency = 1e-6\n", "links.bandwidth: missing"},
      {some + "[links]\ninside_bandwidth = 1e9\n", "links.inside_latency: missing"},
      {some + "[lniks]\nlatency = 1e-6\nbandwidth = 1e9\n", "lniks: unknown key; did you mean 'links'?"},
      {"[node]\nname = \"n\"\ndevices = 0\n", "node.devices: found the integer 0"},
  };
  for (const auto& [text, part] : cases)
    EXPECT_NE(message_of(text).find(part), std::string::npos) << text << "\n" << message_of(text);
  std::string two = smallest;
  two.replace(two.find("[1e11]"), 6, "[1e11, 2e11]");
  EXPECT_NE(message_of(two).find("array_bytes: missing"), std::string::npos) << message_of(two);
  EXPECT_NE(message_of(two + "array_bytes = [2e6, 1e6]\n").find("sizes must ascend"), std::string::npos);
}

TEST(MachineFile, Examples) {
  const auto h200 = read_machine_file(std::filesystem::path(TRELLIS_EXAMPLES) / "machines" / "h200.toml");
  EXPECT_EQ(h200.devices, 8);
  EXPECT_TRUE(h200.is_asynchronous());
  EXPECT_TRUE(h200.inside && h200.across);
}

}  // namespace
}  // namespace trellis::app
