// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/stop_when.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/run_test.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

const std::string kInput =
    "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[chain]\ntrajectories = 1000\nthermalisation = 20\n"
    "checkpoint_every = 10\n";

RunInput input_with(const std::string& stop_when) {
  return parse_run_input(kInput + "stop_when = { " + stop_when + " }\n", "i.toml");
}

io::CsvData table_of(int rows, double (*value)(std::mt19937&)) {
  io::CsvData table{{"trajectory", "plaquette"}, {{}, {}}};
  std::mt19937 engine(5);
  for (int i = 1; i <= rows; ++i) {
    table.values[0].push_back(i);
    table.values[1].push_back(value(engine));
  }
  return table;
}
double normal(std::mt19937& engine) { return std::normal_distribution<double>(0.5, 0.1)(engine); }

TEST(StopWhen, DependsOnTheErrorAtCheckpoints) {
  const auto table = table_of(520, normal);
  const std::vector<double> kept(table.values[1].begin() + 20, table.values[1].end());
  const double error = analysis::gamma_method(kept).error;
  const auto with = [&](double below, const std::string& more = "") {
    return input_with("observable = \"plaquette\", error_below = " + std::to_string(below) + more);
  };
  EXPECT_FALSE(precise_enough(with(0.99 * error), table, 520));
  const auto reason = precise_enough(with(1.01 * error), table, 520);
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->rfind("plaquette = 0.5", 0), 0U) << *reason;
  EXPECT_FALSE(precise_enough(with(1), table, 519)) << "no checkpoint is due";
  EXPECT_FALSE(precise_enough(with(1), table, 20)) << "thermalisation";
  EXPECT_FALSE(precise_enough(with(1), table, 60)) << "40 measurements at most";
  EXPECT_TRUE(precise_enough(with(1, ", independent_measurements = 20"), table, 60));
  EXPECT_FALSE(precise_enough(with(1, ", independent_measurements = 1000"), table, 520));
  // Rows beyond the trajectory do not count.
  EXPECT_EQ(precise_enough(with(1), table, 300), precise_enough(with(1), table_of(300, normal), 300));
  EXPECT_FALSE(precise_enough(parse_run_input(kInput, "i.toml"), table, 520));
}

// The average of those that have a scale is too low.
TEST(StopWhen, FlowsThatDidNotReachTheirScaleCountAgainstIt) {
  auto table = table_of(520, normal);
  table.columns[1] = "t0";
  for (std::size_t row = 0; row < 520; ++row)
    if ((row + 1) % 2 != 0) table.values[1][row] = std::nan("");  // not measured
  const auto input = parse_run_input(
      kInput + "stop_when = { observable = \"t0\", error_below = 1 }\n" + "[measure.flow]\nevery = 2\ntime_max = 0.2\n",
      "i.toml");
  ASSERT_TRUE(precise_enough(input, table, 520));
  table.values[1][399] = std::nan("");
  EXPECT_TRUE(precise_enough(input, table, 390)) << "of rows beyond the trajectory nothing is known";
  EXPECT_FALSE(precise_enough(input, table, 520));
  table.values[1][399] = 0.5;
  table.values[1][9] = std::nan("");  // thermalisation
  EXPECT_TRUE(precise_enough(input, table, 520));
}

TEST(StopWhen, TheReportSaysThatFlowsDidNotReachTheirScale) {
  const auto input = parse_run_input(kInput + "[measure.flow]\nevery = 2\ntime_max = 0.2\n", "i.toml");
  io::CsvData table{{"trajectory", "plaquette", "rectangle", "polyakov_re", "polyakov_im", "t0"},
                    {{}, {}, {}, {}, {}, {}}};
  std::mt19937 engine(5);
  for (int number = 1; number <= 60; ++number)
    for (std::size_t column = 0; column < 6; ++column)
      table.values[column].push_back(column == 0                      ? number
                                     : column == 5 && number % 2 != 0 ? std::nan("")
                                                                      : normal(engine));
  const std::string note = "of 19 of 20 configurations only, whose flow reached 0.3, and so too low";
  EXPECT_NE(averages_text(input, table).find("t0 / a^2"), std::string::npos);
  EXPECT_EQ(averages_text(input, table).find("configurations only"), std::string::npos);
  table.values[5][39] = std::nan("");
  EXPECT_NE(averages_text(input, table).find(note), std::string::npos) << averages_text(input, table);
}

TEST(StopWhen, AConstantIsNoResult) {
  EXPECT_FALSE(precise_enough(input_with("observable = \"plaquette\", error_below = 1"),
                              table_of(520, [](std::mt19937&) { return 0.0; }), 520));
}

TEST(StopWhen, WrongInputs) {
  const auto message = [](const std::string& stop_when) -> std::string {
    try {
      input_with(stop_when);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("observable = \"plaquette\", error_below = 1e-4"), "");
  EXPECT_NE(message("observable = \"plaquete\", error_below = 1e-4").find("chain.stop_when.observable"),
            std::string::npos);
  EXPECT_NE(message("observable = \"topological_charge\", error_below = 1").find("observable"), std::string::npos)
      << "this run does not measure it";
  EXPECT_NE(message("observable = \"plaquette\"").find("error_below"), std::string::npos);
  EXPECT_NE(message("observable = \"plaquette\", error_below = 0").find("error_below"), std::string::npos);
  EXPECT_NE(message("observable = \"plaquette\", error_below = 1, error_blow = 1").find("error_blow"),
            std::string::npos);
  EXPECT_NE(message("observable = \"plaquette\", error_below = 1, independent_measurements = 1").find("independent"),
            std::string::npos);
}

class StopWhenRun : public test::RunTest {
 protected:
  // A heatbath chain that is precise enough long before its 3000 sweeps are done.
  static std::string chain(const std::string& name, int trajectories, const std::string& more = "") {
    return "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[algorithm]\nkind = \"heatbath\"\n[chain]\n"
           "trajectories = " +
           std::to_string(trajectories) +
           "\nthermalisation = 10\ncheckpoint_every = 20\nseed = 3\n"
           "stop_when = { observable = \"plaquette\", error_below = 0.0012 }\n" +
           more + "[machine]\nthreads = 1\nlanes = 1\n[output]\ndirectory = \"" + name + "\"\nname = \"c\"\n";
  }
};

TEST_F(StopWhenRun, EndsTheRunAtTheSameTrajectoryAfterAnyRestart) {
  io::test::write_all(at("a.toml"), chain("a", 3000));
  const auto whole = call("a");
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.out.find("Finished: after trajectory "), std::string::npos) << whole.out;
  EXPECT_NE(whole.out.find("its error is below 0.0012"), std::string::npos) << whole.out;
  EXPECT_NE(text("a/c.log").find("finished: after trajectory "), std::string::npos);
  const auto rows = io::read_csv(at("a/c.csv")).rows();
  EXPECT_EQ(rows % 20, 0U);
  EXPECT_LT(rows, 3000U);
  EXPECT_GT(rows, 60U) << "fewer cannot be 50 independent measurements";
  // Called again it has nothing to do.
  const auto again = call("a");
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("Change or remove chain.stop_when"), std::string::npos) << again.out;
  EXPECT_EQ(io::read_csv(at("a/c.csv")).rows(), rows);
  // The same chain in pieces, which end where no checkpoint was due.
  for (const int pieces : {33, 71, 3000}) {
    io::test::write_all(at("b.toml"), chain("b", pieces));
    ASSERT_EQ(call("b").code, 0);
  }
  EXPECT_EQ(table("b"), table("a"));
  // It goes on if more is asked.
  io::test::write_all(at("a.toml"), changed(chain("a", int(rows) + 40), {{"0.0012", "0.000001"}}));
  EXPECT_EQ(call("a").code, 0);
  EXPECT_EQ(io::read_csv(at("a/c.csv")).rows(), rows + 40);
}

}  // namespace
}  // namespace trellis::app
