// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/largest_loss.hpp"

#include <gtest/gtest.h>

#include "tests/support/run_test.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

constexpr const char* pure_gauge = R"([lattice]
size = [8, 8, 8, 8]
[action]
name = "symanzik"
beta = 4.0
[algorithm]
steps = 12
reversibility_every = 2
[chain]
trajectories = 100
checkpoint_every = 3
save_every = 5
[measure]
every = 2
observables = ["topological_charge"]
[measure.flow]
every = 4
[measure.cooling]
every = 6
)";

constexpr const char* quarks = R"([lattice]
size = [8, 8, 8, 8]
[action]
name = "wilson"
beta = 5.0
[[flavours]]
name = "l"
mass = 0.05
tastes = 2
split_masses = [0.2]
[algorithm]
STEPS
[chain]
trajectories = 100
[measure.quarks]
every = 7
)";

class LargestLoss : public test::RunTest {
 protected:
  RunInput input = parse_run_input(pure_gauge, "pure gauge");
  MachineLimits limits{.threads = 4, .array_bytes = 4 << 20, .copy = 1e9, .triad = 2e9, .single = 8e9, .double_ = 4e9};
  RunCircumstances found{.local_sites = 4096, .counted = 60, .acceptance = 0.8};
  RunTimes times;
  std::vector<KernelTotals> kernels;

  // A call of 100 s, 95 of them in kernels at the memory's limit, in which nothing is lost.
  void SetUp() override {
    times.trajectories = 50;
    times.seconds = 100;
    times.profile.force = 60;
    times.profile.links = 20;
    kernels = {{"force", false, 100, 95, 95 * limits.triad}};
  }
  std::string sentence() const { return largest_loss(input, times, kernels, limits, found); }

  static RunInput with_quarks(const Changes& changes = {{"STEPS", "steps = 8\ngauge_steps = 3"}}) {
    return parse_run_input(changed(quarks, changes), "quarks");
  }
};

TEST_F(LargestLoss, NothingIsSaidBelowATenth) {
  EXPECT_EQ(sentence(), "");
  times.writing = times.saving = 9.9;
  times.lost = 0.099;
  times.sections["flow"] = 9.9;
  times.profile.reversibility = 9.9;
  EXPECT_EQ(sentence(), "");
  times.sections["flow"] = 10;
  EXPECT_NE(sentence(), "");
  times.trajectories = 0;
  EXPECT_EQ(sentence(), "");
}

TEST_F(LargestLoss, Files) {
  times.writing = 30;
  times.saving = 28;
  EXPECT_EQ(sentence(), "28 % of the time went into saving configurations: raise chain.save_every (now 5)");
  times.saving = 0;
  times.checkpoints = 28;
  times.checkpoint_count = 7;
  EXPECT_EQ(sentence(), "28 % of the time went into checkpoints: raise chain.checkpoint_every (now 3)");
  times.checkpoint_count = 1;  // that of the end
  EXPECT_EQ(sentence(), "");
  times.checkpoints = 2;
  EXPECT_EQ(sentence(),
            "28 % of the time went into rows of tables, each of which is on disk before the next trajectory: a faster "
            "disk for output.directory helps");
}

TEST_F(LargestLoss, Measurements) {
  times.measuring = 45;
  times.sections = {{"observables", 21}, {"flow", 12}, {"cooling", 11}};
  EXPECT_EQ(sentence(), "21 % of the time went into the observables of [measure]: raise measure.every (now 2)");
  times.sections["flow"] = 22;
  EXPECT_EQ(sentence(), "22 % of the time went into [measure.flow]: raise measure.flow.every (now 4)");
  times.sections["cooling"] = 23;
  EXPECT_EQ(sentence(), "23 % of the time went into [measure.cooling]: raise measure.cooling.every (now 6)");
  times.profile.reversibility = 24;
  EXPECT_EQ(sentence(),
            "24 % of the time went into checks of reversibility: raise algorithm.reversibility_every (now 2)");
  times.profile.reversibility = 0;
  input = with_quarks();
  times.sections = {{"quarks", 21}};
  EXPECT_EQ(sentence(), "21 % of the time went into [measure.quarks]: raise measure.quarks.every (now 7)");
}

// A key that does not apply is not named: where everything is accepted, fewer steps are enough; elsewhere they are not.
TEST_F(LargestLoss, StepsOnlyIfNearlyEverythingIsAccepted) {
  found.acceptance = 0.99;
  EXPECT_EQ(sentence(),
            "80 % of the time went into forces and links, and 99 % of the trajectories were accepted: fewer "
            "algorithm.steps (now 12)");
  found.counted = 19;
  EXPECT_EQ(sentence(), "");
  found.counted = 60;
  found.acceptance = 0.94;
  EXPECT_EQ(sentence(), "");
  found.acceptance = 0.99;
  input.algorithm.levels[0].steps = 1;
  EXPECT_EQ(sentence(), "");
}

// With <dH^2> = 3.5 a third is accepted. Steps 1.45 times as short would have 0.66 accepted, 0.455 in the time of one.
TEST_F(LargestLoss, Rejections) {
  found.acceptance = 0.35;
  times.sections["flow"] = 22;
  EXPECT_EQ(sentence(),
            "65 % of the trajectories were rejected: shorter steps, for example more algorithm.steps (now 12)");
  times.sections["flow"] = 25;
  EXPECT_EQ(sentence(), "25 % of the time went into [measure.flow]: raise measure.flow.every (now 4)");
  found.acceptance = 0;
  EXPECT_EQ(sentence().find("100 % of the trajectories were rejected"), 0U) << sentence();
  found.chosen = true;
  EXPECT_NE(sentence().find("--choose-again"), std::string::npos) << sentence();
  times.sections.clear();
  found.acceptance = 0.65;  // nearly the best
  EXPECT_EQ(sentence(), "");
  found.acceptance = 0.99;  // and what was chosen has no key
  EXPECT_EQ(sentence(), "");
  found.acceptance = 0.35;
  found.counted = 19;
  EXPECT_EQ(sentence(), "");
  input.algorithm.kind = AlgorithmKind::heatbath;
  found.counted = 60;
  found.acceptance = 0;
  EXPECT_EQ(sentence(), "");
}

TEST_F(LargestLoss, Certificate) {
  input.algorithm.certify = 0.5;
  times.profile.certificate = 46;
  times.profile.reversibility = 12;
  EXPECT_EQ(sentence(), "46 % of the time went into the certificate: lower algorithm.certify (now 0.5)");
}

TEST_F(LargestLoss, SolvesOfATerm) {
  input = with_quarks();
  found.acceptance = 1;
  hmc::TrajectoryRecord record;
  record.terms = {{.name = "plaquette"},
                  {.name = "l_1", .solver = hmc::SolverCounts{.seconds = 50, .force_seconds = 41}},
                  {.name = "l_2", .solver = hmc::SolverCounts{.seconds = 60, .force_seconds = 12}}};
  times.add(record);
  times.add({});
  const std::string solves =
      "41 % of the time went into solves for the force of term 'l_1', and 100 % of the trajectories were accepted: "
      "fewer ";
  EXPECT_EQ(sentence(), solves + "algorithm.steps (now 8)");
  input = with_quarks({{"STEPS", R"([[algorithm.levels]]
steps = 5
terms = ["l_2"]
[[algorithm.levels]]
steps = 4
terms = ["plaquette", "l_1"])"}});
  EXPECT_EQ(sentence(), solves + "algorithm.levels[1].steps (now 4)");
  found.acceptance = 0.9;
  EXPECT_EQ(sentence(), "");
}

TEST_F(LargestLoss, OtherWork) {
  times.lost = 0.3;
  times.writing = times.saving = 29;
  EXPECT_EQ(sentence(),
            "other work on this machine took 30 % of the time that threads needed for this run: no key helps, free "
            "cores do");
  found.ranks = 2;
  EXPECT_EQ(
      sentence(),
      "other work on this machine, or other ranks on the same cores, took 30 % of the time that threads needed for "
      "this run: no key helps, free cores do");
  times.crowd = "2 ranks of this job with 1 thread each share 1 core";
  limits.threads = 1;
  EXPECT_EQ(sentence(), "threads waited 30 % of the time for a core, because " + times.crowd + ": use fewer ranks");
  limits.threads = 4;
  EXPECT_NE(sentence().find(": use fewer ranks, or fewer threads"), std::string::npos) << sentence();
  times.crowd.clear();
  found.ranks = 1;
  found.cores = 4;
  EXPECT_EQ(sentence().find("other work on this machine took 30 %"), 0U) << sentence();
  found.cores = 2;
  EXPECT_EQ(sentence(),
            "threads waited 30 % of the time for a core, because 4 threads share 2 cores: lower OMP_NUM_THREADS");
  input.machine.threads = 4;
  EXPECT_EQ(
      sentence(),
      "threads waited 30 % of the time for a core, because 4 threads share 2 cores: lower machine.threads (now 4)");
}

TEST_F(LargestLoss, OutsideKernels) {
  kernels[0].seconds = 70;
  kernels[0].bytes = 70 * limits.triad;
  times.writing = 8;
  const std::string alone = kernels_on_host ? "" : ", and on a GPU that no other process uses";
  EXPECT_EQ(
      sentence(),
      "22 % of the time passed outside kernels, in what the host does between them: no key helps; it is less on a "
      "larger lattice" +
          alone);
  found.ranks = 4;
  EXPECT_EQ(sentence(),
            "22 % of the time passed outside kernels, in what the host does between them and in messages between 4 "
            "ranks: no key helps; it is less on a larger lattice or with fewer ranks" +
                alone);
  times.lost = 0.15;  // part of it is other work
  EXPECT_EQ(sentence().find("other work"), 0U) << sentence();
  times.lost = 0;
  kernels.clear();  // nothing was counted
  EXPECT_EQ(sentence(), "");
}

TEST_F(LargestLoss, MoreThreadsThanALatticeNeeds) {
  kernels = {{"force", false, 100, 70, 14e9, 140e9}, {"sum", true, 9, 20, 4e9}, {"silent", false, 1, 9}};
  EXPECT_EQ(sentence(), "");  // nobody set the number of threads
  found.threads_set_by = "machine.threads (now 4)";
  // 35 s of 70 at the limit of arithmetic, 2 s of 20 at that of memory
  EXPECT_EQ(sentence(),
            "kernels reach 41 % of the machine's limits: 1024 sites are few for each of 4 threads; without "
            "machine.threads (now 4) the program tries whether fewer threads are as fast");
}

// Integrating back costs as much as integrating: whatever else such a run does, something takes a tenth.
TEST_F(LargestLoss, IsPrintedLoggedAndReported) {
  const auto outcome = run("a", {{"reversibility_every = 4", "reversibility_every = 1"}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string begin = "Largest loss: ";
  const auto at = outcome.out.find(begin);
  ASSERT_NE(at, std::string::npos) << outcome.out;
  const auto printed = outcome.out.substr(at + begin.size(), outcome.out.find(".\n", at) - at - begin.size());
  EXPECT_NE(text("a/c.log").find(std::string(loss_entry) + printed + "\n"), std::string::npos) << text("a/c.log");
  const auto report = test::Process({TRELLIS_PROGRAM, "report", "a"}, here()).wait();
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_NE(text("a/c.html").find(begin + printed), std::string::npos) << printed;
}

}  // namespace
}  // namespace trellis::app
