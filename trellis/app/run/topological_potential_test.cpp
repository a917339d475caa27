// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A potential of the topological charge in `trellis run`, `verify` and `analyse`.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/run_test.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class InAPotential : public test::RunTest {
 protected:
  static constexpr const char* keys =
      "[topological_potential]\nform = \"quadratic\"\nstrength = 3.0\nstout_rho = 0.1\nstout_levels = 2\n";
  test::Outcome run_in(const std::string& name, Changes changes = {}) const {
    changes.push_back({"[start]", std::string(keys) + "[start]"});
    return run(name, changes);
  }
};

TEST_F(InAPotential, TheTableHasItsChargeAndTheChainGoesOn) {
  ASSERT_EQ(run_in("a").code, 0);
  ASSERT_EQ(run_in("b", {{"trajectories = 12", "trajectories = 6"}}).code, 0);
  ASSERT_EQ(run_in("b").code, 0);
  expect_same_results("a", "b");
  const auto table = io::read_csv(at("a/c.csv"));
  const auto &v = table.column("topological_potential"), &q = table.column("topological_potential_charge"),
             &difference = table.column("dS_topological_potential"), &accepted = table.column("accepted");
  ASSERT_EQ(v.size(), 12u);
  for (std::size_t n = 0; n < v.size(); ++n) EXPECT_NEAR(v[n], 3 * q[n] * q[n], 1e-12);
  // What an accepted trajectory changed.
  int compared = 0;
  for (std::size_t n = 1; n < v.size(); ++n)
    if (accepted[n] == 1) {
      EXPECT_NEAR(v[n] - v[n - 1], difference[n], 1e-9);
      ++compared;
    }
  EXPECT_GT(compared, 0);
  EXPECT_GT(table.column("force_maximum_topological_potential")[3], 0);
  const auto other = run("b", {{"[start]", std::string(keys) + "period = 1\n[start]"}});
  EXPECT_NE(other.code, 0);
  const auto without = run("b");
  EXPECT_NE(without.code, 0);  // another action
  const auto verified = test::Process({TRELLIS_PROGRAM, "verify", "a.toml"}, here()).wait();
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("force of 'topological_potential'"), std::string::npos) << verified.out;
}

TEST_F(InAPotential, AnalyseTakesItOut) {
  ASSERT_EQ(run_in("a", {{"trajectories = 12", "trajectories = 40"}}).code, 0);
  const auto outcome = test::Process({TRELLIS_PROGRAM, "analyse", "a", "--json"}, here()).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = io::read_csv(at("a/c.csv"));
  const auto &v = table.column("topological_potential"), &q = table.column("topological_potential_charge");
  double weights = 0, squares = 0, sum = 0;
  for (std::size_t n = 3; n < v.size(); ++n) {  // after thermalisation
    const double w = std::exp(v[n]);
    weights += w;
    squares += w * w;
    sum += w * q[n] * q[n] / 256;
  }
  int found = 0;
  const auto analysis = nlohmann::json::parse(outcome.out);
  for (const auto& one : analysis[0]["quantities"]) {
    if (one["name"] == "topological_potential_charge^2 / V, V = 0") {
      EXPECT_NEAR(one["mean"], sum / weights, 1e-12 * sum / weights);
      EXPECT_GT(one["error"], 0);
      ++found;
    }
    if (one["name"] == "fraction with weight, V = 0") {
      EXPECT_NEAR(one["mean"], weights * weights / squares / double(v.size() - 3), 1e-12);
      ++found;
    }
    EXPECT_NE(one["name"], "dH, V = 0");
    if (one["name"] == "topological_charge, V = 0") ++found;  // measured every second trajectory
  }
  EXPECT_EQ(found, 3);
  // The text has all means in one column, whatever their names.
  const auto text = test::Process({TRELLIS_PROGRAM, "analyse", "a"}, here()).wait().out;
  const auto heading = text.find(" mean ");
  ASSERT_NE(heading, std::string::npos) << text;
  const auto column = heading + 1 - (text.rfind('\n', heading) + 1);
  for (const auto* name : {"\n  plaquette ", "\n  topological_potential_charge^2 / V, V = 0 "}) {
    const auto row = text.find(name);
    ASSERT_NE(row, std::string::npos) << name << text;
    EXPECT_EQ(text[row + column], ' ') << text;
    EXPECT_NE(text[row + 1 + column], ' ') << text;
  }
}

}  // namespace
}  // namespace trellis::app
