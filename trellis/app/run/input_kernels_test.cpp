// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Which kernels an input needs; `trellis tune INPUT`, which tunes them; and runs and measurements, which use what was
// found, with the same bits.
#include "trellis/app/run/input_kernels.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

using tuning::TunedKernel;

class TunedKernels : public test::RunTest {
 protected:
  inline static const std::string flavours_in_16_bits = R"([[flavours]]
name = "l"
mass = 0.1
[measure.quarks]
noise_vectors = 3
[solver]
molecular_dynamics_precision = "16-bit"
)";
  inline static const std::string hisq = "[smearing]\nkind = \"hisq\"\n";
  inline static const std::pair<std::string, std::string> one_loop{
      "name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 0.86\nhisq_flavours = 2"};
  inline static const std::string flow = "[measure.flow]\nevery = 4\ntime_max = 0.2\nstep = 0.05\n";
  inline static const std::pair<std::string, std::string> heatbath{"steps = 5\nreversibility_every = 4",
                                                                   "kind = \"heatbath\""};
  inline static const std::string hadrons = R"([measure.hadrons]
kappas = [0.11]
clover = 1.1
precision = "mixed"
channels = ["pion"]
)";

  TunedKernels() {
    if (const char* own = std::getenv("TRELLIS_TUNING_CACHE")) own_ = own;
    ::setenv("TRELLIS_TUNING_CACHE", at("tuning.json").c_str(), 1);
  }
  ~TunedKernels() override {
    if (own_)
      ::setenv("TRELLIS_TUNING_CACHE", own_->c_str(), 1);
    else
      ::unsetenv("TRELLIS_TUNING_CACHE");
  }

  static int lanes() { return compiled_lane_counts().back(); }
  static Changes with(const std::string& more, const Changes& also = {}) {
    Changes changes{{"lanes = 1", fmt::format("lanes = {}", lanes())}, {"[machine]", more + "[machine]"}};
    changes.insert(changes.end(), also.begin(), also.end());
    return changes;
  }
  static InputKernels of_run(const Changes& changes, const comm::ProcessGrid& grid = {}) {
    return kernels_of(parse_run_input(input("c", changes), "c.toml"), grid, grid.size() == 1 ? lanes() : 1, 1);
  }
  std::string measure_input(const std::string& name, const std::string& more) const {
    return fmt::format(
        "[configurations]\nfiles = [\"{}/milc/lat.sample.l4444\"]\n[output]\ndirectory = \"{}\"\nname = \"c\"\n"
        "[machine]\nthreads = 1\nlanes = {}\n{}",
        TRELLIS_TEST_DATA, name, lanes(), more);
  }
  // Settings that differ from the defaults in all that can be tuned.
  static void store_others(const InputKernels& kernels) {
    for (const auto& what : different_cases(kernels)) {
      tuning::KernelTuning how{.settings = tuning::default_settings(what), .threads = 1, .seconds = 1};
      how.untuned_seconds = 1.25;
      const Lattice usual(what.size, what.lanes);
      const auto grids = tuning::lane_grids(what.size, what.lanes);
      how.shape.lane_grid = grids.front() == usual.lane_grid() ? grids.back() : grids.front();
      how.shape.column = tuning::columns(what.size, how.shape.lane_grid).front();
      how.settings.distances(what.vectors) = {3, 1, 1};
      how.settings.always_ahead = true;
      how.settings.stores = dirac::Stores::streaming;
      how.settings.block_threads = 64;
      ASSERT_TRUE(fits(what, how)) << describe(what);
      tuning::TuningCache().store(what, how);
    }
  }

 private:
  std::optional<std::string> own_;
};

TEST_F(TunedKernels, AreThoseThatTheInputNeeds) {
  const auto kernel = [](const InputKernels& kernels, KernelUse use) { return kernels.at(use).front().kernel; };
  auto found = of_run({});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::rectangle_force);
  EXPECT_EQ(kernel(found, KernelUse::flow), TunedKernel::plaquette_force);
  EXPECT_EQ(different_cases(found).size(), 2U);
  found = of_run({{"symanzik", "wilson"}});
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::plaquette_force);
  EXPECT_EQ(different_cases(found).size(), 1U);
  EXPECT_TRUE(of_run({heatbath, {flow, ""}}).empty());

  found = of_run(with(flavours_in_16_bits));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::rectangle_force);
  EXPECT_EQ(kernel(found, KernelUse::single), TunedKernel::staggered);
  EXPECT_EQ(found.at(KernelUse::single).front().precision, Precision::fixed16);
  EXPECT_EQ(found.at(KernelUse::quarks).front().vectors, 3);
  EXPECT_EQ(found.at(KernelUse::quarks).front().precision, Precision::double_);

  found = of_run(with(flavours_in_16_bits, {{"\"16-bit\"", "\"double\""}}));
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::dynamics);
  EXPECT_FALSE(found.contains(KernelUse::single));
  found = of_run(with(flavours_in_16_bits, {{"steps = 5", "steps = 5\nprecision = \"single\""}}));
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::staggered);
  EXPECT_EQ(kernel(found, KernelUse::single), TunedKernel::dynamics);
  EXPECT_EQ(found.at(KernelUse::single).front().precision, Precision::single);

  // Improved links: the operator and the force of an input are those that are tuned.
  using dirac::LinkKind;
  found = of_run(with(hisq + flavours_in_16_bits, {one_loop}));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::parallelogram_force);
  EXPECT_EQ(kernel(found, KernelUse::flow), TunedKernel::plaquette_force);
  EXPECT_EQ(found.at(KernelUse::single).front().precision, Precision::fixed16);
  for (const auto use : {KernelUse::chain, KernelUse::single, KernelUse::quarks})
    EXPECT_EQ(found.at(use).front().quark_links, LinkKind::fat_and_long);
  EXPECT_EQ(found.at(KernelUse::flow).front().quark_links, LinkKind::su3);
  found = of_run(with(hisq + flavours_in_16_bits, {{"\"16-bit\"", "\"double\""}}));
  EXPECT_EQ(kernel(found, KernelUse::chain), TunedKernel::dynamics);
  EXPECT_EQ(found.at(KernelUse::chain).front().quark_links, LinkKind::fat_and_long);
  found = of_run(with("[smearing]\nkind = \"fat7\"\n" + flavours_in_16_bits));
  EXPECT_EQ(found.at(KernelUse::single).front().quark_links, LinkKind::fat);

  found = of_run(with(hadrons));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(kernel(found, KernelUse::hadrons), TunedKernel::wilson);
  EXPECT_EQ(found.at(KernelUse::hadrons_inner).front().precision, Precision::single);
  std::vector<int> together;
  for (const auto& what : found.at(KernelUse::hadrons_inner)) together.push_back(what.vectors);
  EXPECT_EQ(together, fields_on_host ? (std::vector{4, 12, 6, 1}) : std::vector{12});
  EXPECT_EQ(found.at(KernelUse::hadrons).size(), 1U);
  found = of_run(with(hadrons, {{"precision = \"mixed\"", ""}}));
  EXPECT_EQ(found.at(KernelUse::hadrons).size(), together.size());
  EXPECT_FALSE(found.contains(KernelUse::hadrons_inner));

  // A rank's part of the lattice.
  found = of_run({{"size = [4, 4, 4, 4]", "size = [4, 4, 4, 8]"}}, comm::ProcessGrid({1, 1, 1, 2}, 0));
  EXPECT_EQ(found.at(KernelUse::chain).front().size, (Coordinate{4, 4, 4, 4}));
  EXPECT_EQ(found.at(KernelUse::chain).front().cut, (Coordinate{0, 0, 0, 1}));
}

TEST_F(TunedKernels, RunWithTheSameBits) {
  for (const auto& [name, changes] :
       {std::pair{"mixed", with(flavours_in_16_bits + hadrons)},
        std::pair{"double", with(flavours_in_16_bits, {{"\"16-bit\"", "\"double\""}})},
        std::pair{"single", with(flavours_in_16_bits, {{"steps = 5", "steps = 5\nprecision = \"single\""}})},
        std::pair{"hisq", with(hisq + flavours_in_16_bits, {one_loop})},
        std::pair{"hisq-double", with(hisq + flavours_in_16_bits, {one_loop, {"\"16-bit\"", "\"double\""}})}}) {
    Changes brief = changes;
    brief.insert(brief.end(), {{"trajectories = 12", "trajectories = 4"}, {"save_every = 6", "save_every = 4"}});
    const std::string usual = std::string(name) + "-default", tuned = std::string(name) + "-tuned";
    std::filesystem::remove(at("tuning.json"));
    auto outcome = run(usual, brief);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Kernels run by default"), std::string::npos) << outcome.out;
    EXPECT_NE(text(usual + "/c.log").find("by default, not tuned"), std::string::npos);
    const auto kernels = of_run(brief);
    store_others(kernels);
    outcome = run(tuned, brief);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto count = kernels.size();
    EXPECT_NE(outcome.out.find(fmt::format("{} of {} kernels run as `trellis tune` found best", count, count)),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(text(tuned + "/c.log").find("as tuned, 25 % faster"), std::string::npos);
    expect_same_results(usual, tuned, {"c.000004.ildg", "c.checkpoint"});
  }
}

// Tuned for a rank's part, with its ghosts.
TEST_F(TunedKernels, RunWithTheSameBitsOnTwoRanks) {
  const Changes brief = with(flavours_in_16_bits + hadrons, {{"size = [4, 4, 4, 4]", "size = [4, 4, 4, 8]"},
                                                             {"trajectories = 12", "trajectories = 2"},
                                                             {"thermalisation = 3", "thermalisation = 1"},
                                                             {"save_every = 6", "save_every = 2"}});
  auto words = test::launcher(2);
  if (words.empty()) GTEST_SKIP() << "this build has no MPI, or no mpirun";
  ASSERT_EQ(run("whole", brief).code, 0);
  Changes cut = brief;
  cut.emplace_back("threads = 1", "threads = 1\nranks = [1, 1, 1, 2]");
  const auto kernels =
      kernels_of(parse_run_input(input("cut", cut), "cut.toml"), comm::ProcessGrid({1, 1, 1, 2}, 0), lanes(), 1);
  store_others(kernels);
  io::test::write_all(at("cut.toml"), input("cut", cut));
  words.insert(words.end(), {TRELLIS_PROGRAM, "run", "cut.toml"});
  const auto outcome = test::Process(words, here()).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto count = kernels.size();
  EXPECT_NE(outcome.out.find(fmt::format("{} of {} kernels run as", count, count)), std::string::npos) << outcome.out;
  expect_same_results("whole", "cut", {"c.000002.ildg", "c.checkpoint"});
}

// Without tunings, and where only the order of sites was tuned, operators have the distances of their links.
TEST_F(TunedKernels, HaveDefaultsOfTheirLinks) {
  const auto kernels = of_run(with(hisq + flavours_in_16_bits, {one_loop}));
  const KernelSettings untuned(kernels, {}, {}, 3);
  EXPECT_EQ(untuned.settings(KernelUse::chain), dirac::naik_settings);
  EXPECT_EQ(untuned.settings(KernelUse::single), dirac::naik_settings);
  EXPECT_EQ(KernelSettings(of_run(with(flavours_in_16_bits)), {}, {}).settings(KernelUse::chain),
            dirac::staggered_settings);
  store_others(kernels);
  const KernelSettings tuned(kernels, {}, {}, 3);
  EXPECT_EQ(tuned.settings(KernelUse::chain), dirac::naik_settings);
  EXPECT_EQ(tuned.settings(KernelUse::single).ahead.links, 3);
  EXPECT_EQ(tuned.lattice_shape().vector_reach, 3);
  EXPECT_EQ(tuned.lattice_shape().column, (std::array<int, 2>{1, 1}));
}

// The fastest for each of them, of those that were tuned.
TEST_F(TunedKernels, ChooseHowManyRightHandSidesAreSolvedForTogether) {
  const auto run_input = parse_run_input(input("c", with(hadrons)), "c.toml");
  const auto kernels = kernels_of(run_input, {}, lanes(), 1);
  const auto together = [&] {
    auto columns = columns_of(run_input.measure, run_input.quarks, true);
    KernelSettings(kernels, {}, {}).give_to(columns);
    return columns.hadrons->selection.inverse.together;
  };
  EXPECT_EQ(together(), measure::WilsonInverseParameters{}.together);
  for (const auto& [best, others] : {std::pair{12, 1.1}, {1, 0.9}, {6, 1.1}}) {
    for (const auto& what : kernels.at(KernelUse::hadrons_inner)) {
      if (!fields_on_host) continue;
      const double each = what.vectors == best ? 1 : 2 * others;
      tuning::TuningCache().store(what, {.threads = 1, .seconds = each * what.vectors, .untuned_seconds = 100});
    }
    EXPECT_EQ(together(), fields_on_host ? best : 0);
  }
}

TEST_F(TunedKernels, OfAnotherSiteOrderHaveOnlySettings) {
  const auto kernels = of_run(with(flavours_in_16_bits));
  store_others(kernels);
  MachineInput machine;
  const KernelSettings usual(kernels, machine, {});
  EXPECT_EQ(usual.shape(KernelUse::single).column, (std::array<int, 2>{1, 1}));
  EXPECT_EQ(usual.settings(KernelUse::single).ahead.links, 3);
  EXPECT_EQ(usual.lattice_shape().directions, (Coordinate{0, 1, 2, 3}));
  EXPECT_EQ(usual.lattice_shape().column, (std::array<int, 2>{1, 1}));
  machine.site_order = {3, 2, 1, 0};
  const KernelSettings other(kernels, machine, {});
  EXPECT_EQ(other.shape(KernelUse::single), LatticeShape{});
  EXPECT_EQ(other.settings(KernelUse::single), usual.settings(KernelUse::single));
  const LatticeShape reversed{.directions = {3, 2, 1, 0}};
  EXPECT_EQ(other.lattice_shape(), reversed);
}

TEST_F(TunedKernels, MeasureTheSameBits) {
  const std::string wanted = R"([[flavours]]
name = "l"
mass = 0.1
[measure]
observables = []
[measure.quarks]
noise_vectors = 2
[measure.eigenvalues]
count = 2
tolerance = 1e-6
[measure.staggered_hadrons]
channels = ["pion"]
)" + hadrons;
  std::vector<std::string> tables, correlators;
  for (const std::string name : {"default", "tuned"}) {
    io::test::write_all(at(name + ".toml"), measure_input(name, wanted));
    if (name == "tuned")
      store_others(kernels_of(parse_measure_input(text("tuned.toml"), "tuned"), {4, 4, 4, 4}, {}, lanes(), 1));
    const auto outcome = call(name, "measure");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(name == "tuned" ? "5 of 5 kernels run as" : "Kernels run by default"), std::string::npos)
        << outcome.out;
    tables.push_back(table(name));
    correlators.push_back(text(name + "/c-hadrons.csv") + text(name + "/c-eigenvalues.csv"));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(correlators[0], correlators[1]);
}

TEST_F(TunedKernels, OfAnInputAreTuned) {
  const auto tune = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words{TRELLIS_PROGRAM, "tune", name + ".toml"};
    if (std::ranges::count(more, "algorithm") == 0)
      words.insert(words.end(), {"--seconds", "1e-6", "--budget", "0.02"});
    words.insert(words.end(), more.begin(), more.end());
    return test::Process(words, here()).wait();
  };
  io::test::write_all(at("a.toml"), input("a", with(flavours_in_16_bits, {{"trajectories = 12", "trajectories = 4"}})));
  auto outcome = tune("a", {"--only", "kernels"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("a.toml needs rectangle force 4x4x4x4 double"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("a.toml needs staggered 4x4x4x4 16-bit"), std::string::npos) << outcome.out;
  EXPECT_EQ(tuning::TuningCache().entries().size(), 4U);
  EXPECT_FALSE(exists("tuned.toml"));
  outcome = call("a");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("4 of 4 kernels run as `trellis tune` found best"), std::string::npos) << outcome.out;
  // On another lattice they are not used, which the log says.
  outcome = run("b", with(flavours_in_16_bits,
                          {{"size = [4, 4, 4, 4]", "size = [4, 4, 4, 8]"}, {"trajectories = 12", "trajectories = 4"}}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("none is tuned for this machine and lattice"), std::string::npos) << outcome.out;
  EXPECT_NE(text("b/c.log").find("not used: 4 tunings of other"), std::string::npos) << text("b/c.log");

  io::test::write_all(at("m.toml"), measure_input("m", hadrons));
  outcome = tune("m", {});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("m.toml needs wilson 4x4x4x4 single"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("12 vectors"), std::string::npos) << outcome.out;
  outcome = call("m", "measure");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("kernels run as `trellis tune` found best"), std::string::npos) << outcome.out;
  EXPECT_EQ(tuning::TuningCache().entries().size(), fields_on_host ? 9U : 6U);
  expect_error(tune("m", {"--only", "algorithm"}), 2, {"m.toml", "no algorithm"});
  expect_error(tune("m", {"--only", "kernel"}), 2, {"--only", "kernels or algorithm"});
  expect_error(tune("m", {"--rhs", "3"}), 2, {"--rhs goes with --lattice"});

  io::test::write_all(at("h.toml"), input("h", {heatbath, {flow, ""}}));
  outcome = tune("h", {});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("none of its kernels can be tuned"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace trellis::app
