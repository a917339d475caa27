// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/run_test.hpp"

namespace trellis {
namespace {

class BenchSpmd : public test::RunTest {
 protected:
  test::Outcome bench(std::vector<std::string> arguments, const std::string& program = TRELLIS_PROGRAM) {
    arguments.insert(arguments.begin(), {program, "bench", "spmd"});
    return test::Process(arguments, here()).wait();
  }
};

TEST_F(BenchSpmd, WhereItsKernelsAreNotBuilt) {
  // A program alone in a folder.
  const auto alone = at("trellis");
  std::filesystem::copy_file(TRELLIS_PROGRAM, alone);
  expect_error(bench({}, alone.string()), 2, {"trellis_bench_spmd is not beside", "--target bench_spmd"});
}

TEST_F(BenchSpmd, WrongOptions) {
  expect_error(bench({"--threads", "0"}), 2, {"--threads is 0"});
  expect_error(bench({"--seconds", "0"}), 2, {"--seconds is 0"});
  expect_error(bench({"--items", "-1"}), 2, {"--items is -1"});
  expect_error(bench({"--plot", "none/spmd.svg"}), 2, {"bench spmd: --plot none/spmd.svg: there is no folder"});
}

// Of the kernels with barriers each counts once, for its fastest way.
TEST_F(BenchSpmd, SaysHowOftenAWayIsTheFastest) {
  if (!std::filesystem::exists(std::filesystem::path(TRELLIS_PROGRAM).parent_path() / "trellis_bench_spmd"))
    GTEST_SKIP() << "its kernels are not built";
  const auto outcome = bench({"--kernel", "reduction,scan,axpy", "--way", "threads,fibers", "--group", "32,64",
                              "--items", "64", "--seconds", "0.001", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = nlohmann::json::parse(outcome.out);
  std::map<std::string, std::pair<double, std::string>> least;  // of each line: time and way
  for (const auto& row : all["rows"]) {
    if (!row["barriers"].get<bool>()) continue;
    const auto line = row["kernel"].get<std::string>() + std::to_string(row["group"].get<int>());
    const std::pair<double, std::string> own{row["ns_per_item"], row["way"]};
    if (!least.contains(line) || own < least[line]) least[line] = own;
  }
  ASSERT_GE(least.size(), 2U);
  std::map<std::string, int> counts;
  for (const auto& [line, best] : least) ++counts[best.second];
  for (const auto& [way, count] : all["fastest_with_barriers"].items()) EXPECT_EQ(count, counts[way]) << way;
}

// A way without analyses is not unknown: the build left it out.
TEST_F(BenchSpmd, WaysThatTheBuildLeftOut) {
  if (!std::filesystem::exists(std::filesystem::path(TRELLIS_PROGRAM).parent_path() / "trellis_bench_spmd"))
    GTEST_SKIP() << "its kernels are not built";
  const auto outcome = bench({"--kernel", "reduction", "--group", "64", "--items", "64", "--seconds", "0.001", "--way",
                              "continuations-no-uniform"});
  if (outcome.code != 0)
    expect_error(outcome, 2, {"--way continuations-no-uniform needs the compiler plugin", "TRELLIS_SPMD_ABLATION=ON"});
}

}  // namespace
}  // namespace trellis
