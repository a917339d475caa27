// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// examples/ensemble: the recipe gives the configurations, and these the answers, that its README.md states.
#include <nlohmann/json.hpp>

#include "tests/support/run_test.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::app {
namespace {

class EnsembleExample : public test::RunTest {
 protected:
  void copy_input(const std::string& name, const Changes& changes = {}) const {
    io::test::write_all(
        at(name + ".toml"),
        changed(io::test::read_all(std::string(TRELLIS_EXAMPLES) + "/ensemble/" + name + ".toml"), changes));
  }
  std::string trellis(const std::vector<std::string>& words) const {
    std::vector<std::string> all{TRELLIS_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    const auto outcome = test::Process(all, here()).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  void expect_checksums(int sweep, std::uint32_t a, std::uint32_t b) const {
    const auto found = io::inspect(at(fmt::format("ensemble/ensemble.{:06}.ildg", sweep)));
    EXPECT_TRUE(found.sound());
    ASSERT_EQ(found.report.checksums.size(), 2U);
    EXPECT_EQ(found.report.checksums[0].computed, a);
    EXPECT_EQ(found.report.checksums[1].computed, b);
  }
};

TEST_F(EnsembleExample, FirstConfiguration) {
  copy_input("ensemble",
             {{"trajectories = 480", "trajectories = 40"}, {"thermalisation = 100", "thermalisation = 40"}});
  trellis({"run", "ensemble.toml"});
  expect_checksums(40, 0x9c6a3ab6, 0x53fc4ee5);
}

TEST_F(EnsembleExample, NightlyAllAnswers) {
  for (const auto* name : {"ensemble", "flow", "hadrons"}) {
    copy_input(name);
    trellis({name == std::string("ensemble") ? "run" : "measure", std::string(name) + ".toml"});
  }
  expect_checksums(480, 0xd86a67b1, 0xdc32bb70);
  const auto found = nlohmann::json::parse(trellis({"analyse", "ensemble", "--json"}));
  ASSERT_EQ(found.size(), 3U);
  double t0 = 0;
  for (const auto& q : found[1]["quantities"])
    if (q["name"] == "t0 / a^2") t0 = q["mean"];
  EXPECT_NEAR(t0, 1.4802, 1e-4);
  EXPECT_NEAR(found[1]["lattice_spacing_fm"]["value"], 0.13776, 1e-5);
  // The spacing is that of the flow on the same files. Solutions are only as exact as their residual.
  EXPECT_EQ(found[2]["lattice_spacing_fm"], found[1]["lattice_spacing_fm"]);
  double pion = 0;
  for (const auto& mass : found[2]["masses"])
    if (mass["channel"] == "pion") pion = mass["mass"];
  EXPECT_NEAR(pion, 0.6905, 1e-3);
}

}  // namespace
}  // namespace trellis::app
