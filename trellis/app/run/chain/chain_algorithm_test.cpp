// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/chain_algorithm.hpp"

#include <gtest/gtest.h>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::app {
namespace {

// Fingerprints of the links after each of three trajectories; free: before each but the first, the work space.
std::vector<std::uint64_t> chain(const std::string& more, bool free) {
  const auto input = parse_run_input(
      "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[start]\nkind = \"hot\"\n[chain]\ntrajectories = 3\n" +
          more,
      "i.toml");
  const Lattice lattice(input.size);
  const auto quarks = computed_quark_terms(input);
  const KernelSettings kernels;
  ChainAlgorithm<1> algorithm(input, lattice, quarks, kernels, nullptr);
  EXPECT_EQ(algorithm.descriptions().size(), quarks.size());
  const auto u = start_links<1>(input, lattice);
  EXPECT_EQ(algorithm.replicas(), nullptr);
  if (input.tempering) algorithm.add_replicas(u, {lattice.ranks(), 1, 0});
  std::vector<std::uint64_t> all;
  for (std::uint32_t n = 0; n < 3; ++n) {
    if (free && n > 0) algorithm.free_work_space();
    const auto record = algorithm({.seed = 1, .trajectory = n, .accept_always = true}, u, {});
    EXPECT_EQ(record.trajectory, n);
    u.exchange();
    all.push_back(fingerprint(u));
  }
  EXPECT_NE(all[1], all[2]);
  return all;
}

TEST(ChainAlgorithms, GoOnWithTheSameBitsAfterTheirWorkSpaceWasFreed) {
  const std::string quarks = "[algorithm]\nsteps = 2\n[[flavours]]\nname = \"l\"\nmass = 0.5\n",
                    replicas = "[tempering]\ncouplings = [1, 0.5]\nlength = 2\n[algorithm]\nkind = \"heatbath\"\n";
  EXPECT_EQ(chain(quarks, false), chain(quarks, true));
  EXPECT_EQ(chain(replicas, false), chain(replicas, true));
}

}  // namespace
}  // namespace trellis::app
