// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/memory_limit.hpp"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/app/plan/plan_input.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

double swap() {
  struct sysinfo machine{};
  ::sysinfo(&machine);
  return double(machine.totalswap) * machine.mem_unit;
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  io::test::write_all(file, text);
}

TEST(MemoryLimits, AreThoseOfControlGroups) {
  const io::test::TempFolder root;
  EXPECT_EQ(machine_memory_limit(root.path()).of, "this machine");
  EXPECT_GT(machine_memory_limit(root.path()).bytes, 1e8);
  write(root / "proc/self/cgroup", "0::/user/job\n");
  write(root / "sys/fs/cgroup/user/job/memory.max", "max\n");
  EXPECT_EQ(machine_memory_limit(root.path()).of, "this machine");
  write(root / "sys/fs/cgroup/user/memory.max", "1000000\n");  // the parent group's
  EXPECT_EQ(machine_memory_limit(root.path()).of, "the control group of this process");
  EXPECT_EQ(machine_memory_limit(root.path()).bytes, 1000000 + swap());
  write(root / "sys/fs/cgroup/user/job/memory.max", "5000\n");
  EXPECT_EQ(machine_memory_limit(root.path()).bytes, 5000 + swap());
  // Version 1, where "no limit" is a very large number.
  write(root / "proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/job\n");
  write(root / "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write(root / "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "7000\n");
  EXPECT_EQ(machine_memory_limit(root.path()).bytes, 7000 + swap());
}

// The links once in double precision, and once more in single if configurations are saved like that.
TEST(MemoryLimits, CountFilesUnderWay) {
  const std::string text = "[lattice]\nsize = [8, 8, 8, 8]\n[action]\nbeta = 6\n[chain]\ntrajectories = 2\n";
  const auto bytes = [&](const char* keys) { return memory_of(parse_run_input(text + keys, "in.toml")); };
  const double fields = 4096.0 * 4 * 8 * (2 * 18 + 3 * 8), links = 4096.0 * 72;
  EXPECT_NEAR(bytes("save_every = 1\n"), fields + 8 * links, 0.02 * fields);
  EXPECT_EQ(bytes("save_every = 1\nsave_precision = \"single\"\n") - bytes("save_every = 1\n"), 4 * links);
  EXPECT_EQ(bytes("save_every = 0\nsave_precision = \"single\"\n"), bytes("save_every = 0\n"));
}

// Quenched on 16^4: two gauge fields of 18 doubles per link, and three fields of momenta of 8.
TEST(MemoryLimits, StopARunThatNeedsMore) {
  const auto input =
      parse_run_input("[lattice]\nsize = [16, 16, 16, 16]\n[action]\nbeta = 6\n[chain]\ntrajectories = 1\n", "in.toml");
  const double least = 65536.0 * 4 * 8 * (2 * 18 + 3 * 8);
  require_memory(input, {2 * least, "it"});
  try {
    require_memory(input, {least / 2, "it"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("lattice.size: the fields of this run take 0."), 0U) << error.what();
    EXPECT_NE(std::string(error.what()).find("GB of memory, but it may have 0.0629 GB"), std::string::npos)
        << error.what();
  }
}

// Beside the chain if everything fits, otherwise without it, and then as many vectors as fit.
TEST(MemoryLimits, AreSharedByMeasurements) {
  const auto input = parse_run_input(
      "[lattice]\nsize = [8, 8, 8, 8]\n[action]\nbeta = 6\n[chain]\ntrajectories = 2\n[smearing]\nkind = \"hisq\"\n"
      "[[flavours]]\nname = \"l\"\nmass = 0.2\n[measure.quarks]\nnoise_vectors = 32\n",
      "in.toml");
  const PlanInput plan(input);
  const auto shared = [&](double bytes, int ranks = 1) {
    const auto memory = measuring_memory(plan, 32, bytes, ranks);
    return std::pair(memory.beside_chain, memory.noise_vectors);
  };
  const double whole = memory_of(input);
  EXPECT_EQ(shared(3 * whole), std::pair(true, 32));
  EXPECT_EQ(shared(3 * whole / 2, 2), std::pair(true, 32));
  EXPECT_EQ(shared(1.2 * whole), std::pair(false, 32));
  const auto [beside, some] = shared(0.6 * whole);
  EXPECT_FALSE(beside);
  EXPECT_GT(some, 1);
  EXPECT_LT(some, 32);
  EXPECT_EQ(shared(1e3), std::pair(false, 1));
}

}  // namespace
}  // namespace trellis::app
