// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/kernel_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <sstream>

#include "tests/support/run_test.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

const MachineLimits limits{
    .threads = 2, .array_bytes = 4 << 20, .copy = 1e9, .triad = 2e9, .single = 8e9, .double_ = 4e9};

// The seconds add up to 0.375.
const std::vector<KernelTotals> example{
    {"short, comma", false, 3, 0.0625}, {"long", false, 1, 0.25, 1e6}, {"counted", true, 2, 0.0625, 1e6, 1e6}};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(KernelTable, TheLongestFirstTheRestSummed) {
  const auto text = kernel_text(example, 10, limits);  // all but the first are below one percent
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 7U) << text;
  EXPECT_NE(lines[0].find("2 threads reach 2.0 GB/s (triad; copy 1.0), 4 GFLOP/s (8 single)"), std::string::npos);
  EXPECT_EQ(lines[2].rfind("  long ", 0), 0U) << text;
  EXPECT_EQ(lines[3].rfind("  2 others ", 0), 0U) << text;
  EXPECT_EQ(lines[4].rfind("  outside kernels ", 0), 0U) << text;
  for (const auto& line : lines) EXPECT_LE(line.size(), 100U) << line;

  const auto all = lines_of(kernel_text(example, 0.375, limits));
  ASSERT_EQ(all.size(), 8U);
  EXPECT_EQ(all[2].rfind("  long ", 0), 0U);
  EXPECT_EQ(all[3].rfind("  short, comma ", 0), 0U);
  EXPECT_EQ(all[4].rfind("  counted, single ", 0), 0U);
  EXPECT_EQ(all[5].rfind("  outside kernels ", 0), 0U) << all[5];
  EXPECT_NE(all[5].find(" 0.0 %"), std::string::npos) << all[5];
  EXPECT_EQ(kernel_text({}, 1, limits), "");
}

TEST(KernelTable, SharesAddUp) {
  const io::test::TempFolder folder;
  const auto file = folder / "kernels.csv";
  io::test::write_all(file, kernel_csv(example, 1, limits));
  EXPECT_EQ(io::read_csv_texts(file, "kernel"),
            (std::vector<std::string>{"long", "short  comma", "counted", "outside kernels"}));
  EXPECT_EQ(io::read_csv_texts(file, "precision"), (std::vector<std::string>{"double", "double", "single", ""}));
  const auto table = io::read_csv(file, {"kernel", "precision"});
  const auto& share = table.column("share");
  EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1, 1e-12);
  EXPECT_EQ(table.column("seconds")[3], 0.625);
  EXPECT_NEAR(table.column("gbytes_per_second")[2], 0.016, 1e-12);
  EXPECT_NEAR(table.column("of_bandwidth")[2], 0.008, 1e-12);
  EXPECT_NEAR(table.column("gflops_per_second")[2], 0.016, 1e-12);
  EXPECT_NEAR(table.column("of_peak")[2], 0.002, 1e-12);
  EXPECT_TRUE(std::isnan(table.column("gflops_per_second")[0]));
  EXPECT_TRUE(std::isnan(table.column("gbytes_per_second")[1]));
}

TEST(KernelTable, LimitsAreMeasured) {
  const auto measured = measure_limits(1);
  EXPECT_EQ(measured.threads, kernels_on_host ? concurrency() : 0);
  if (kernels_on_host) {
    EXPECT_NEAR(measured.array_bytes, 4 << 20, 1 << 20);
  }
  for (const double x : {measured.copy, measured.triad, measured.single, measured.double_}) {
    EXPECT_GT(x, 0);
    EXPECT_TRUE(std::isfinite(x));
  }
}

using KernelsOfARun = test::RunTest;

// run_bits_test.cpp compares the bits of runs: there the number of threads differs, and all are profiled.
TEST_F(KernelsOfARun, ArePrintedLoggedAndWritten) {
  const auto outcome = run("a");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto log = text("a/c.log");
  for (const auto* part : {kernels_on_host ? "Kernels; 1 thread reaches " : "Kernels; the GPU reaches ",
                           "gauge force with rectangles", "outside kernels"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
    EXPECT_NE(log.find(part), std::string::npos) << part << " in " << log;
  }
  EXPECT_NE(outcome.out.find("a/c-kernels.csv"), std::string::npos) << outcome.out;
  const auto names = io::read_csv_texts(at("a/c-kernels.csv"), "kernel");
  const auto table = io::read_csv(at("a/c-kernels.csv"), {"kernel", "precision"});
  const auto& share = table.column("share");
  EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1, 1e-9);
  const auto row = [&](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  ASSERT_LT(row("draw momenta"), names.size());
  EXPECT_EQ(table.column("calls")[row("draw momenta")], 12);
  ASSERT_LT(row("update links"), names.size());
  EXPECT_GE(table.column("calls")[row("update links")], 12 * 10);
  EXPECT_EQ(names.back(), "outside kernels");
  EXPECT_GT(table.column("of_bandwidth")[row("update links")], 0);
}

}  // namespace
}  // namespace trellis::app
