// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench scaling as its users see it: on one rank, and on two if there is a launcher.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "tests/support/launcher.hpp"
#include "tests/support/program.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

using nlohmann::json;

class Scaling : public ::testing::Test {
 protected:
  // Words are separated by single spaces.
  test::Outcome trellis(const std::string& words, int ranks = 1) const {
    std::vector<std::string> command;
    if (ranks > 1) command = test::launcher(ranks);
    command.emplace_back(TRELLIS_PROGRAM);
    std::istringstream stream("bench scaling --seconds 1e-6 " + words);
    for (std::string word; stream >> word;) command.push_back(word);
    return test::Process(command, {.folder = folder_.path()}).wait();
  }
  json figures() const { return json::parse(std::ifstream(folder_ / "s.json")); }

  io::TemporaryFolder folder_;
};

TEST_F(Scaling, OneRankHasATable) {
  const auto outcome = trellis("--strong 8x8x8x8,4x4x4x8 --weak 4x4x4x4 --json s.json --svg s.svg");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* word : {"strong scaling, 4x4x4x8, double", "weak scaling, 4x4x4x4 a rank, single", "Wilson hops",
                           "D_eo", "operator", "plaquette force", "Symanzik force", "CG iteration"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << outcome.out;
  const auto kernels = figures()["kernels"];
  ASSERT_EQ(kernels.size(), 36U);
  for (const auto& one : kernels) {
    EXPECT_EQ(one["ranks"], 1);
    EXPECT_EQ(one["efficiency"], 1);
    EXPECT_GT(one["gflops"].get<double>(), 0);
    EXPECT_FALSE(one.contains("model_seconds"));
  }
  pugi::xml_document picture;
  EXPECT_TRUE(picture.load_file((folder_ / "s.svg").c_str()));
}

TEST_F(Scaling, TwoRanksHaveAModel) {
  if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
  const auto outcome = trellis(
      "--strong 8x8x8x8 --kernels staggered --precision double --grid 1x1x2x1 --threads 1 --json s.json --svg s.svg",
      2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = figures();
  ASSERT_EQ(all["links"].size(), 1U);
  EXPECT_EQ(all["links"][0]["ranks"], 2);
  int of_two = 0;
  for (const auto& one : all["kernels"]) {
    if (one["ranks"] != 2) continue;
    ++of_two;
    EXPECT_EQ(one["grid"], "1x1x2x1");
    EXPECT_EQ(one["of_a_rank"], "8x8x4x8");
    const double hops = one["kernel"] == "D_eo" ? 1 : 2;
    EXPECT_EQ(one["sent_messages"], 2 * hops);
    EXPECT_EQ(one["sent_bytes"], hops * 2 * 8 * 8 * 8 / 2 * 48);
    const double longer = std::max(one["computing_seconds"].get<double>(), one["message_seconds"].get<double>());
    EXPECT_DOUBLE_EQ(one["model_seconds"].get<double>(), longer + one["sum_seconds"].get<double>());
    EXPECT_GE(one["waiting_seconds"].get<double>(), 0);
  }
  EXPECT_EQ(of_two, 2);
  pugi::xml_document picture;
  EXPECT_TRUE(picture.load_file((folder_ / "s.svg").c_str()));
  std::ostringstream text;
  picture.save(text);
  for (const auto* part : {"strong scaling, 8x8x8x8, double: all ranks together", "GFLOP/s", "ideal",
                           "strong scaling, 8x8x8x8, double: efficiency", "% of one rank"})
    EXPECT_NE(text.str().find(part), std::string::npos) << part;
  const auto refused = trellis("--strong 8x8x8x8 --ranks 1,4", 2);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE((refused.out + refused.err).find("--ranks: found 4, and this job has 2"), std::string::npos) << refused.err;
}

TEST_F(Scaling, WhatIsListedTwiceIsTimedOnce) {
  const auto outcome =
      trellis("--strong 4x4x4x8,4x4x4x8 --kernels cg,wilson,cg --precision single,single --json s.json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto kernels = figures()["kernels"];
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0]["kernel"], "CG iteration");
  EXPECT_EQ(kernels[1]["kernel"], "Wilson hops");
}

TEST_F(Scaling, WrongOptionsAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--ranks 2", "--ranks: found 2, and this job has 1: mpirun -n 2 trellis bench scaling"},
      {"--ranks 0", "--ranks: found 0"},
      {"--grid 1x1x1x2", "--grid: 1x1x1x2 has 2 ranks; the measured numbers are 1"},
      {"--grid 1x1x2", "--grid: found '1x1x2', expected 1x1x2x2"},
      {"--strong 8x8x8", "--strong: found '8x8x8', expected 24x24x24x24"},
      {"--strong 8x8x8x7", "even"},
      {"--weak 3x4x4x4", "even"},
      {"--kernels wilsno", "--kernels: found 'wilsno'; did you mean 'wilson'?"},
      {"--precision half", "--precision: found 'half'"},
      {"--threads -1", "--threads: found -1"},
      {"--json none/s.json", "there is no folder"},
      {"--json s --svg s", "--svg: s is also the file of --json"},
      {"--strnog 4x4x4x4", "did you mean '--strong'?"},
  };
  for (const auto& [words, part] : cases) {
    const auto outcome = trellis(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << words << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace trellis::app
