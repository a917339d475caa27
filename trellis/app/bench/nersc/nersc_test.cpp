// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench nersc as its users see it, on tiny lattices.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/launcher.hpp"
#include "tests/support/program.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/app/bench/nersc/nersc_input.hpp"
#include "trellis/app/bench/nersc/repeated_links.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

using nlohmann::json;

class Nersc : public ::testing::Test {
 protected:
  test::Outcome trellis(const std::string& words, int ranks = 1) const {
    std::vector<std::string> command;
    if (ranks > 1) command = test::launcher(ranks);
    command.emplace_back(TRELLIS_PROGRAM);
    std::istringstream stream(words);
    for (std::string word; stream >> word;) command.push_back(word);
    return test::Process(command, {.folder = folder_.path()}).wait();
  }
  json result() const { return json::parse(std::ifstream(folder_ / "n.json")); }

  io::TemporaryFolder folder_;
};

TEST(NerscInput, IsTheExampleOnAnotherLattice) {
  const auto example = read_run_input(std::filesystem::path(TRELLIS_EXAMPLES) / "nersc_medium.toml");
  const auto medium = nersc_input(nersc_case("medium").size, example.start.file, 0);
  auto same = example.resolved, ours = medium.resolved;
  for (auto* document : {&same, &ours})
    std::erase_if(*document, [](const TomlEntry& entry) { return entry.key == "output"; });
  EXPECT_EQ(write_toml(ours), write_toml(same));
  const auto small = nersc_input(nersc_case("small").size, {}, 40);
  EXPECT_EQ(small.size, (Coordinate{18, 18, 18, 36}));
  EXPECT_EQ(small.start.kind, StartKind::cold);
  EXPECT_EQ(small.chain.thermalisation, 40);
  EXPECT_EQ(small.chain.trajectories, 42);
  EXPECT_EQ(nersc_case("72x72x72x144").name, "large");
  EXPECT_EQ(nersc_first_lattice(nersc_case("large").size), small.size);
  EXPECT_EQ(nersc_first_lattice({8, 8, 8, 8}), (Coordinate{8, 8, 8, 8}));
}

TEST(NerscInput, TheExampleListsWhatIsDifferent) {
  const auto items = nersc_differences();
  ASSERT_GE(items.size(), 4U);
  EXPECT_NE(items[0].find("determinant"), std::string::npos);
  EXPECT_NE(items.back().find("condensates"), std::string::npos);
  for (const auto& item : items) EXPECT_EQ(item.find("trellis run"), std::string::npos) << item;
}

// Every link is that of the smaller lattice, and so is every loop that does not wind around it.
TEST(RepeatedLinks, FillALattice) {
  const GaugeField<double, 1> small(Lattice({4, 2, 4, 6}, 1));
  gauge::hot_start(RandomStream{3, 0, gauge::hot_start_purpose}, small);
  const GaugeField<double, test::wide> large(Lattice({8, 4, 8, 12}, test::wide));
  repeat_links(all_links(small), large);
  for (std::int64_t n = 0; n < large.lattice().volume(); ++n) {
    const auto x = large.lattice().coordinate(n);
    for (int mu = 0; mu < 4; ++mu)
      ASSERT_EQ(large.link(x, mu), small.link({x[0] % 4, x[1] % 2, x[2] % 4, x[3] % 6}, mu)) << n;
  }
  EXPECT_NEAR(gauge::plaquette(large).average, gauge::plaquette(small).average, 1e-15);
  EXPECT_THROW(repeat_links(all_links(small), GaugeField<double, 1>(Lattice({4, 4, 4, 8}, 1))), Error);
}

TEST_F(Nersc, RunsOnATinyLattice) {
  const auto outcome = trellis("bench nersc --size 4,4,4,4 --warm 1 --json n.json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* part :
       {"Different from the published benchmark:\n- the light determinant", "1 trajectory from unit links",
        "2 trajectories on 4x4x4x4", "solvers", "smearing", "Condensates"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  EXPECT_EQ(outcome.out.find("Published:"), std::string::npos);
  const auto numbers = result();
  EXPECT_EQ(numbers["trajectories"], 2);
  ASSERT_EQ(numbers["records"].size(), 2U);
  // As the text numbers them, and `trellis run`: the first one warms up.
  EXPECT_EQ(numbers["records"][0]["number"], 2);
  EXPECT_EQ(numbers["records"][1]["number"], 3);
  for (const auto* line : {"trajectory 1 ", "trajectory 2 ", "trajectory 3 "})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << outcome.out;
  EXPECT_GT(numbers["seconds_of_all"], 0);
  EXPECT_EQ(numbers["figures"][0]["seconds_of_each"].size(), 2U);
  ASSERT_EQ(numbers["terms"].size(), 3U);
  for (const auto& term : numbers["terms"]) {
    EXPECT_GT(term["iterations"], 100) << term;
    EXPECT_GT(term["residual"], 0) << term;
    EXPECT_LT(term["residual"], 1e-7) << term;
  }
  ASSERT_EQ(numbers["condensates"].size(), 3U);
  for (const auto& flavour : numbers["condensates"]) {
    EXPECT_GT(flavour["condensate"], 0) << flavour;
    EXPECT_LE(flavour["residual"], 1e-8) << flavour;
  }
  EXPECT_TRUE(numbers["published"].empty());
  // The figure has the names of bench trajectory's.
  const auto compared = trellis("bench compare n.json");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find("4x4x4x4\n"), std::string::npos) << compared.out;
}

TEST_F(Nersc, HasTheSameBitsOnTwoRanks) {
  if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
  const std::string words = "bench nersc --size 4,4,4,8 --first 4,4,4,4 --warm 1 --settle 1 --threads 1 --json n.json";
  ASSERT_EQ(trellis(words).code, 0);
  const auto one = result();
  EXPECT_NE(one["start"].get<std::string>().find("4x4x4x4, repeated"), std::string::npos) << one["start"];
  const auto outcome = trellis(words, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto two = result();
  EXPECT_EQ(two["figures"][0]["ranks"], 2);
  EXPECT_EQ(two["records"], one["records"]);
  EXPECT_EQ(two["figures"][0]["plaquette"], one["figures"][0]["plaquette"]);
  EXPECT_EQ(two["condensates"], one["condensates"]);
}

TEST_F(Nersc, WrongOptionsAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "--size"},
      {"--size smal", "--size: found 'smal'; did you mean 'small'?"},
      {"--size 8,8,8", "--size: found '8,8,8'"},
      {"--size 8,8,8,7", "found the extent 7, expected even ones"},
      {"--size 128,128,128,512", "lattice.size: the fields of this run take"},
      {"--size 5,4,4,4", "--size: found the extent 5, expected even ones from 4"},
      {"--size 4,4,4,4 --warm -1", "--warm: found -1"},
      {"--size 4,4,4,4 --settle -1", "--settle: found -1"},
      {"--size 4,4,4,8 --first 4,4,4,6", "--first: found 4x4x4x6; its extents must divide those of 4x4x4x8"},
      {"--size 4,4,4,8 --first 4,4,4,4 --start x", "--first and --start exclude each other"},
      {"--size 4,4,4,4 --warm 9 --start x", "--warm and --start exclude each other: a file is not thermalised"},
      {"--size 4,4,4,4 --settle 2 --start x", "--settle and --start exclude each other"},
      {"--size 4,4,4,4 --settle 5", "--settle: there are no copies to settle: lattice 4x4x4x4 is thermalised itself"},
      {"--size 4,4,4,8 --first 4,4,4,4 --warm 0 --settle 1", "--settle: there are no copies to settle: with --warm 0"},
      {"--size 4,4,4,4 --threads -1", "--threads: found -1"},
      {"--size 4,4,4,4 --start none.milc", "none.milc"},
      {"--size 4,4,4,4 --json none/n.json", "there is no folder"},
  };
  for (const auto& [words, part] : cases) {
    const auto outcome = trellis("bench nersc " + words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << words << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << words;
  }
}

}  // namespace
}  // namespace trellis::app
